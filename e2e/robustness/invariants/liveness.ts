import type { Invariant } from './fact';

/** The controller reconciles an Instance whose plan is in progress at least every 60 s; a tenth more is jitter. */
export const NEXT_RECONCILE_MS = 66_000;
/**
 * The lease of a dead leader expires, another controller takes it over while requests fail, and lists what it watches: a list that
 * hangs costs a minute, and several may hang. The new leader may die as well, any number of times, so the time counts from the
 * last start, death, stop or continuation of a process.
 */
export const UNWATCHED_MS = 200_000;

/** I1: a leading controller reconciles every Instance in progress within 60 s, and no process sends requests without a pause. */
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
      say(by, `I1: ${by} sent ${calls} requests at ${atMs} ms without a pause, the last one to ${path}`);
    }
    if (fact.fact !== 'check') return;
    const { instance, isBusy, nextReconcileMs, atMs, undisturbedMs } = fact;
    if (!isBusy || nextReconcileMs !== undefined) unwatchedSinceMs.delete(instance);
    if (!isBusy) return;
    if (nextReconcileMs !== undefined) {
      if (nextReconcileMs > NEXT_RECONCILE_MS)
        say(instance, `I1: ${instance} is not reconciled again for ${nextReconcileMs} ms`);
      return;
    }
    const sinceMs = unwatchedSinceMs.get(instance) ?? atMs;
    unwatchedSinceMs.set(instance, sinceMs);
    const unwatchedMs = Math.min(atMs - sinceMs, undisturbedMs);
    if (unwatchedMs > UNWATCHED_MS) say(instance, `I1: no controller has reconciled ${instance} for ${unwatchedMs} ms`);
  };
};
