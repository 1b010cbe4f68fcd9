import { simulate } from './simulate';

/** So many violations of one seed are printed when many seeds run. */
const SHOWN = 3;

/**
 * `npm run simulate -- --seeds N [--from M] [--faults P]` runs many seeds, `--seed S` one, with its trace. Prints each violation
 * with the command that replays it, and ends with `N passed, N failed`.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const option = (name: string) => {
    const at = argv.indexOf(`--${name}`);
    return at < 0 ? undefined : argv[at + 1];
  };
  const faultPercent = Number(option('faults') ?? 20);
  const one = option('seed');
  const from = Number(option('from') ?? 1);
  const count = Number(option('seeds') ?? 100);
  const seeds = one !== undefined ? [one] : Array.from({ length: count }, (_, index) => String(from + index));
  let [failed, plans, calls] = [0, 0, 0];
  const startedMs = performance.now();
  const { user, system } = process.cpuUsage();
  for (const seed of seeds) {
    const result = await simulate(seed, { faultPercent, keepsTrace: one !== undefined && argv.includes('--trace') });
    plans += result.plans;
    calls += result.calls;
    for (const line of result.trace) console.log(line);
    if (one !== undefined) console.log(`trace ${result.digest}, ${result.calls} calls`);
    if (result.violations.length === 0) continue;
    failed++;
    const shown = one === undefined ? result.violations.slice(0, SHOWN) : result.violations;
    for (const violation of shown) console.log(`FAIL seed ${seed}: ${violation}`);
    if (shown.length < result.violations.length) console.log(`… and ${result.violations.length - shown.length} more`);
    console.log(`replay: npm run simulate -- --seed ${seed}${faultPercent === 20 ? '' : ` --faults ${faultPercent}`}`);
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const used = process.cpuUsage({ user, system });
  const cpu = (used.user + used.system) / 1e6;
  console.log(
    `${plans} plans and ${calls} calls in ${seconds.toFixed(1)} s, ${(plans / seconds).toFixed(1)} plans/s (${cpu.toFixed(1)} s of CPU)`,
  );
  console.log(`${seeds.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
