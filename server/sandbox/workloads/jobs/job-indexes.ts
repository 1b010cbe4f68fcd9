import { numberAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { finalizersOf } from '../pods/claim';
import { isFinished, isTerminating } from '../pods/pod-state';
import { hasFailed, judgePod } from './failure-policy';
import { endMsOf, remainingMs } from './job-backoff';
import { type FailureCounts, failureCountsOf, indexOf, isIndexed, parseIndexes, TRACKING } from './job-pods';

/** True when each index of a Job has a limit of failures of its own (`backoffLimitPerIndex`). */
export function hasLimitPerIndex(job: KubeObject): boolean {
  return isIndexed(job) && objectAt(job, 'spec').backoffLimitPerIndex !== undefined;
}

/** The indexes that have failed for good: known ones, and those of pods that used their last try. */
export function failedIndexes(job: KubeObject, pods: readonly KubeObject[]): ReadonlySet<number> {
  const completions = numberAt(job, 'spec', 'completions') ?? 0;
  const failed = parseIndexes(stringAt(job, 'status', 'failedIndexes'), completions);
  const limit = numberAt(job, 'spec', 'backoffLimitPerIndex') ?? 0;
  for (const pod of pods) {
    const index = indexOf(pod);
    if (index === undefined || index >= completions || !hasFailed(job, pod)) continue;
    const { action } = judgePod(job, pod);
    const isLast = action !== 'Ignore' && failureCountsOf(pod).counted >= limit;
    if (action === 'FailIndex' || isLast) failed.add(index);
  }
  return failed;
}

/**
 * The last failed pod of each index that has no other one: it keeps its finalizer, and is not counted, until another takes
 * its place, since how often the index failed stands only on it (Kubernetes getPodsWithDelayedDeletionPerIndex).
 */
export function lastFailures(
  job: KubeObject,
  pods: readonly KubeObject[],
  done: ReadonlySet<number>,
): ReadonlyMap<number, KubeObject> {
  const last = new Map<number, KubeObject>();
  if (!hasLimitPerIndex(job)) return last;
  const active = new Set(pods.filter((pod) => !isFinished(pod) && !isTerminating(pod)).map(indexOf));
  for (const pod of pods) {
    const index = indexOf(pod);
    if (index === undefined || done.has(index) || active.has(index)) continue;
    if (!hasFailed(job, pod) || !finalizersOf(pod).includes(TRACKING)) continue;
    const before = last.get(index);
    if (before === undefined || triesOf(before) <= triesOf(pod)) last.set(index, pod);
  }
  return last;
}

function triesOf(pod: KubeObject): number {
  const { counted, ignored } = failureCountsOf(pod);
  return counted + ignored;
}

/** What the pod that takes the place of a failed one has to remember; zero for the first of an index. */
export function nextCounts(job: KubeObject, failed: KubeObject | undefined): FailureCounts {
  if (failed === undefined) return { counted: 0, ignored: 0 };
  const { counted, ignored } = failureCountsOf(failed);
  return judgePod(job, failed).action === 'Ignore'
    ? { counted, ignored: ignored + 1 }
    : { counted: counted + 1, ignored };
}

/** How long an index has to wait before it is tried again. */
export function indexWaitMs(failed: KubeObject | undefined, nowMs: number): number {
  return failed === undefined ? 0 : remainingMs(triesOf(failed) + 1, endMsOf(failed) ?? nowMs, nowMs);
}
