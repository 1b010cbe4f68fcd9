import { cpuMs, startProcesses } from '../reconcile/processes';
import { createInstances, installOperator, namesOf, Observer } from '../reconcile/work';

/** Processor time of a plan of six objects, in ms. */
export interface PlanCosts {
  /** Of a controller that runs it, what a controller that only watches needs included. */
  readonly leaderMs: number;
  /** Of a controller that only watches: each change of each Instance and object reaches every controller. */
  readonly followerMs: number;
}

const WARM_UP = 300;
const PLANS = 1_000;
/** The last events arrive, and the memory of the first lists is given back. */
const SETTLE_MS = 12_000;

/** `BRAVO_BENCH_PLAN_CPU=6.5,0.8` takes these two times in ms instead of measuring them: on a busy machine every instruction takes longer. */
export async function planCosts(): Promise<PlanCosts> {
  const [leaderMs, followerMs] = (process.env.BRAVO_BENCH_PLAN_CPU ?? '').split(',').map(Number);
  if (leaderMs === undefined || followerMs === undefined) return measureCosts();
  if (leaderMs > followerMs && followerMs > 0) return { leaderMs, followerMs };
  throw new Error('BRAVO_BENCH_PLAN_CPU must be two times in ms, such as 6.5,0.8, the greater one first.');
}

/** Runs plans on a sandbox and two controllers as processes, of which one leads, and reads their processor times from the operating system. */
async function measureCosts(): Promise<PlanCosts> {
  const processes = await startProcesses();
  const leader = processes.controller();
  const follower = processes.startController();
  const observer = new Observer(processes.api);
  try {
    const version = await installOperator(processes.api);
    await observer.synced;
    await follower.printed('controller.started', 120_000);
    const runPlans = async (prefix: string, count: number) => {
      const names = namesOf(prefix, count);
      const completed = observer.complete(names);
      await createInstances(processes.api, version, names);
      await completed;
    };
    await runPlans('warm-', WARM_UP);
    await pause(SETTLE_MS);
    const times = () => [leader, follower].map(({ child }) => cpuMs(child.pid));
    const before = times();
    await runPlans('counted-', PLANS);
    await pause(SETTLE_MS / 4);
    const [leaderMs = Number.NaN, followerMs = Number.NaN] = times().map((ms, at) => (ms - (before[at] ?? 0)) / PLANS);
    return { leaderMs, followerMs };
  } finally {
    await observer.stop();
    await leader.stop();
    await processes.stop();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
