import { simulate } from './simulate';

/**
 * `npm run simulate -- --seeds N [--from M] [--faults P]` runs many seeds, `--seed S` one, with its trace. Prints each violation
 * with the command that replays it, and ends with `N passed, N failed`.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const option = (name: string) => {
    const at = argv.indexOf(`--${name}`);
    return at < 0 ? undefined : argv[at + 1];
  };
  const faults = Number(option('faults') ?? 20);
  const one = option('seed');
  const from = Number(option('from') ?? 1);
  const seeds =
    one !== undefined
      ? [one]
      : Array.from({ length: Number(option('seeds') ?? 100) }, (_, index) => String(from + index));
  let failed = 0;
  let plans = 0;
  const startedMs = performance.now();
  for (const seed of seeds) {
    const result = await simulate(seed, faults);
    plans += result.plans;
    if (result.violations.length === 0) continue;
    failed++;
    for (const violation of result.violations) console.log(`FAIL seed ${seed}: ${violation}`);
    console.log(`replay: npm run simulate -- --seed ${seed} --faults ${faults}`);
    if (one !== undefined) for (const line of result.trace) console.log(line);
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log(`${plans} plans in ${seconds.toFixed(1)} s, ${(plans / seconds).toFixed(1)} plans/s`);
  console.log(`${seeds.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
