import { messageOf } from '@/lib/errors/errors';
import { simulate } from './simulate';

export interface SeedsResult {
  readonly failed: number;
  /** Executions of plans that started. */
  readonly plans: number;
  /** Requests of controllers that reached the server. */
  readonly calls: number;
  /** Seconds of CPU. */
  readonly cpuS: number;
  /** The lines to print: each violation, and the command that replays it. */
  readonly lines: readonly string[];
}

/** How many violations of one seed are printed. */
const SHOWN = 3;

/** Runs seeds one after the other, whatever happens in one of them. */
export async function runSeeds(
  from: number,
  count: number,
  options: { readonly faultPercent: number; readonly shards: number },
): Promise<SeedsResult> {
  const { faultPercent, shards } = options;
  const flags = `${faultPercent === 20 ? '' : ` --faults ${faultPercent}`}${shards === 1 ? '' : ` --shards ${shards}`}`;
  const { user, system } = process.cpuUsage();
  const lines: string[] = [];
  let [failed, plans, calls] = [0, 0, 0];
  for (let seed = from; seed < from + count; seed++) {
    const result = await outcomeOf(String(seed), options);
    plans += result.plans;
    calls += result.calls;
    if (result.violations.length === 0) continue;
    failed++;
    for (const violation of result.violations.slice(0, SHOWN)) lines.push(`FAIL seed ${seed}: ${violation}`);
    if (result.violations.length > SHOWN) lines.push(`… and ${result.violations.length - SHOWN} more`);
    lines.push(`replay: npm run simulate -- --seed ${seed}${flags}`);
  }
  const used = process.cpuUsage({ user, system });
  return { failed, plans, calls, cpuS: (used.user + used.system) / 1e6, lines };
}

/** A simulation that throws is a violation as well. */
async function outcomeOf(seed: string, options: { readonly faultPercent: number; readonly shards: number }) {
  try {
    return await simulate(seed, options);
  } catch (error) {
    return { plans: 0, calls: 0, violations: [`the simulation broke off: ${messageOf(error)}`] };
  }
}
