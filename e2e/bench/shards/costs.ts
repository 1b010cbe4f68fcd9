import { cpuMs, startProcesses } from '../reconcile/processes';
import { createInstances, installOperator, namesOf, Observer } from '../reconcile/work';

/** Processor time of a plan of six objects, in ms. */
export interface PlanCosts {
  /** Of a controller that runs it, what a controller that only watches needs included. */
  readonly leaderMs: number;
  /** Of a controller that only watches: each change of each Instance and object reaches every controller. */
  readonly followerMs: number;
}

const WARM_UP = 200;
const PLANS = 400;
/** The follower reads its first lists, and the last events arrive. */
const SETTLE_MS = 5_000;

/** Runs plans on a sandbox and two controllers as processes, of which one leads, and reads their processor times from the operating system. */
export async function measureCosts(): Promise<PlanCosts> {
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
      await pause(SETTLE_MS);
    };
    await runPlans('warm-', WARM_UP);
    const times = () => [leader, follower].map(({ child }) => cpuMs(child.pid));
    const before = times();
    await runPlans('counted-', PLANS);
    const [leaderMs = Number.NaN, followerMs = Number.NaN] = times().map((ms, at) => (ms - (before[at] ?? 0)) / PLANS);
    return { leaderMs, followerMs };
  } finally {
    await observer.stop();
    await leader.stop();
    await processes.stop();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
