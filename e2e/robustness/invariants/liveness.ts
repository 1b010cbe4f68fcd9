import type { Invariant } from './fact';

/** House contract 3: every plan that is not over has a next look at most 60 s away; a tenth more is jitter. */
const NEXT_RECONCILE_MS = 66_000;
/**
 * A dead leader's lease runs out, another one takes it over through faults of the network, and reads its watches: a list that
 * hangs costs a minute, and more than one may. Whoever is on the way to that may die too, any number of times: the time counts
 * from what last befell a process.
 */
const UNWATCHED_MS = 200_000;

/** I1: whatever is under way has a next look ≤ 60 s away, by a controller that leads, and none of them is without end. */
export const liveness: Invariant = (report) => {
  const unwatchedSinceMs = new Map<string, number>();
  const reported = new Set<string>();
  const say = (instance: string, violation: string): void => {
    if (!reported.has(instance)) report(violation);
    reported.add(instance);
  };
  return (fact) => {
    if (fact.fact === 'rush') {
      const { calls, by, atMs, path } = fact;
      say(by, `I1: ${by} sent ${calls} requests at ${atMs} ms without any pause, the last one to ${path}`);
    }
    if (fact.fact !== 'check') return;
    const { instance, isBusy, nextReconcileMs, atMs, undisturbedMs } = fact;
    if (!isBusy || nextReconcileMs !== undefined) unwatchedSinceMs.delete(instance);
    if (!isBusy) return;
    if (nextReconcileMs !== undefined) {
      if (nextReconcileMs > NEXT_RECONCILE_MS)
        say(instance, `I1: the next look at ${instance} is ${nextReconcileMs} ms away`);
      return;
    }
    const sinceMs = unwatchedSinceMs.get(instance) ?? atMs;
    unwatchedSinceMs.set(instance, sinceMs);
    const unwatchedMs = Math.min(atMs - sinceMs, undisturbedMs);
    if (unwatchedMs > UNWATCHED_MS) say(instance, `I1: nobody has looked after ${instance} for ${unwatchedMs} ms`);
  };
};
