import { parseTime } from '@/lib/clock/clock';
import { arrayAt, type JsonObject, numberAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { isStatusCode } from '../core/failures';
import { resources } from '../core/resources';
import { finalizersOf } from '../pods/claim';
import { isTerminating, phaseOf } from '../pods/pod-state';
import { formatIndexes, indexOf, isIndexed, parseIndexes, TRACKING } from './job-pods';

/** What has ended so far. */
export interface Tally {
  readonly succeeded: number;
  readonly failed: number;
  readonly completedIndexes: ReadonlySet<number>;
  /** When the last failed pod that is still there ended; for the back-off. */
  readonly lastFailureMs: number | undefined;
}

/**
 * Counts finished pods exactly once, whatever is cut off in between (Kubernetes trackJobStatusAndRemoveFinalizers): their
 * uids go to `uncountedTerminatedPods`, then they lose the finalizer, then the uids become numbers.
 */
export function countFinished(
  context: WorkloadContext,
  job: KubeObject,
  pods: readonly KubeObject[],
): { tally: Tally; job: KubeObject } {
  const tracked = pods.filter((pod) => finalizersOf(pod).includes(TRACKING));
  const fresh = settled(job, tracked);
  const status = objectAt(job, 'status');
  const waiting = objectAt(status, 'uncountedTerminatedPods');
  const succeeded = merge(waiting, 'succeeded', fresh.succeeded);
  const failed = merge(waiting, 'failed', fresh.failed);
  const completedIndexes = parseIndexes(stringAt(status, 'completedIndexes'));
  for (const pod of fresh.succeeded) completedIndexes.add(indexOf(pod) ?? 0);
  const before = { succeeded: numberAt(status, 'succeeded') ?? 0, failed: numberAt(status, 'failed') ?? 0 };
  const tally: Tally = {
    succeeded: isIndexed(job) ? completedIndexes.size : before.succeeded + succeeded.length,
    failed: before.failed + failed.length,
    completedIndexes: isIndexed(job) ? completedIndexes : new Set(),
    lastFailureMs: lastFailure(pods),
  };
  if (fresh.succeeded.length + fresh.failed.length === 0) return { tally, job };
  const noted: JsonObject = { ...status, uncountedTerminatedPods: uncounted(succeeded, failed) };
  const written = context.updateStatus(resources.jobs, job, noted);
  for (const pod of [...fresh.succeeded, ...fresh.failed]) releasePod(context, pod);
  return { tally, job: written };
}

/** Tracked pods that have come to an end; an index counts once. */
function settled(job: KubeObject, tracked: readonly KubeObject[]): { succeeded: KubeObject[]; failed: KubeObject[] } {
  const done = parseIndexes(stringAt(job, 'status', 'completedIndexes'));
  const succeeded: KubeObject[] = [];
  const failed: KubeObject[] = [];
  for (const pod of tracked) {
    if (phaseOf(pod) === 'Succeeded') {
      const index = indexOf(pod);
      if (isIndexed(job) && (index === undefined || done.has(index))) continue;
      if (index !== undefined) done.add(index);
      succeeded.push(pod);
    } else if (phaseOf(pod) === 'Failed' || isTerminating(pod)) {
      failed.push(pod);
    }
  }
  return { succeeded, failed };
}

function merge(waiting: JsonObject, field: 'succeeded' | 'failed', pods: readonly KubeObject[]): string[] {
  const uids = new Set(arrayAt(waiting, field).map(String));
  for (const pod of pods) uids.add(pod.metadata.uid ?? '');
  return [...uids];
}

function uncounted(succeeded: string[], failed: string[]): JsonObject {
  return { ...(succeeded.length === 0 ? {} : { succeeded }), ...(failed.length === 0 ? {} : { failed }) };
}

function lastFailure(pods: readonly KubeObject[]): number | undefined {
  const times = pods
    .filter((pod) => phaseOf(pod) === 'Failed')
    .flatMap((pod) => arrayAt(pod, 'status', 'containerStatuses'))
    .map((status) => parseTime(stringAt(status, 'state', 'terminated', 'finishedAt')))
    .filter((ms) => ms !== undefined);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Takes the tracking finalizer off a pod, if it still has it. */
export function releasePod(context: WorkloadContext, pod: KubeObject): void {
  const present = context.get(resources.pods, namespaceOf(pod), nameOf(pod));
  if (present === undefined || present.metadata.uid !== pod.metadata.uid) return;
  if (!finalizersOf(present).includes(TRACKING)) return;
  try {
    context.update(resources.pods, present, (copy) => {
      const rest = finalizersOf(copy).filter((finalizer) => finalizer !== TRACKING);
      if (rest.length > 0) copy.metadata.finalizers = rest;
      else delete copy.metadata.finalizers;
    });
  } catch (error) {
    if (!isStatusCode(error, 404)) throw error;
  }
}

/** `completedIndexes` as text, undefined for Jobs without indexes or before the first. */
export function indexesText(tally: Tally): string | undefined {
  return tally.completedIndexes.size === 0 ? undefined : formatIndexes(tally.completedIndexes);
}
