import { arrayAt, type JsonObject, numberAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { isStatusCode } from '../core/failures';
import { resources } from '../core/resources';
import { finalizersOf } from '../pods/claim';
import { phaseOf } from '../pods/pod-state';
import { formatIndexes, hasFailed, indexOf, isIndexed, parseIndexes, TRACKING } from './job-pods';

/** What has ended so far. */
export interface Tally {
  readonly succeeded: number;
  readonly failed: number;
  readonly completedIndexes: ReadonlySet<number>;
}

interface Counted {
  readonly tally: Tally;
  readonly job: KubeObject;
}

/**
 * Counts finished pods exactly once, whatever is cut off in between (Kubernetes trackJobStatusAndRemoveFinalizers): their
 * uids go to `uncountedTerminatedPods`, then they lose the finalizer, then the uids become numbers.
 */
export function countFinished(context: WorkloadContext, job: KubeObject, pods: readonly KubeObject[]): Counted {
  const status = objectAt(job, 'status');
  const known = knownIndexes(job);
  const tracked = pods.filter((pod) => finalizersOf(pod).includes(TRACKING));
  const fresh = settled(job, tracked);
  const earlier = objectAt(status, 'uncountedTerminatedPods');
  const succeeded = merge(earlier, 'succeeded', fresh.succeeded);
  const failed = merge(earlier, 'failed', fresh.failed);
  const completedIndexes = new Set([...known, ...fresh.succeeded.map((pod) => indexOf(pod) ?? 0)]);
  const before = { succeeded: numberAt(status, 'succeeded') ?? 0, failed: numberAt(status, 'failed') ?? 0 };
  const tally: Tally = {
    succeeded: isIndexed(job) ? completedIndexes.size : before.succeeded + succeeded.length,
    failed: before.failed + failed.length,
    completedIndexes: isIndexed(job) ? completedIndexes : new Set(),
  };
  const released = [...fresh.succeeded, ...fresh.failed, ...fresh.uncounted];
  if (released.length === 0) return { tally, job };
  // Indexes are written before the finalizers of their pods are removed: nothing else records them.
  const indexes = isIndexed(job) ? indexesOf(tally) : {};
  const noted: JsonObject = { ...status, ...indexes, uncountedTerminatedPods: uncounted(succeeded, failed) };
  const written = context.updateStatus(resources.jobs, job, noted);
  for (const pod of released) releasePod(context, pod);
  return { tally, job: written };
}

/** Indexes that are done, as the status says; those beyond the end of a Job that was made smaller do not count. */
function knownIndexes(job: KubeObject): ReadonlySet<number> {
  return parseIndexes(stringAt(job, 'status', 'completedIndexes'), numberAt(job, 'spec', 'completions') ?? 0);
}

interface Settled {
  readonly succeeded: KubeObject[];
  readonly failed: KubeObject[];
  /** Ended, and not counted: the second of an index, beyond the last index. */
  readonly uncounted: KubeObject[];
}

/** Tracked pods that have come to an end; an index counts once. */
function settled(job: KubeObject, tracked: readonly KubeObject[]): Settled {
  const done = new Set(knownIndexes(job));
  const result: Settled = { succeeded: [], failed: [], uncounted: [] };
  for (const pod of tracked) {
    const index = indexOf(pod);
    if (phaseOf(pod) === 'Succeeded') {
      const counts = !isIndexed(job) || (isOfJob(job, index) && !done.has(index));
      if (index !== undefined) done.add(index);
      (counts ? result.succeeded : result.uncounted).push(pod);
    } else if (hasFailed(pod)) {
      const counts = !isIndexed(job) || isOfJob(job, index);
      (counts ? result.failed : result.uncounted).push(pod);
    }
  }
  return result;
}

function isOfJob(job: KubeObject, index: number | undefined): index is number {
  return index !== undefined && index < (numberAt(job, 'spec', 'completions') ?? 0);
}

function merge(waiting: JsonObject, field: 'succeeded' | 'failed', pods: readonly KubeObject[]): string[] {
  const uids = new Set(arrayAt(waiting, field).map(String));
  for (const pod of pods) uids.add(pod.metadata.uid ?? '');
  return [...uids];
}

function uncounted(succeeded: string[], failed: string[]): JsonObject {
  return { ...(succeeded.length === 0 ? {} : { succeeded }), ...(failed.length === 0 ? {} : { failed }) };
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

/** What the status says of indexes, with nothing for Jobs without, or before the first. */
export function indexesOf({ completedIndexes }: Tally): JsonObject {
  return completedIndexes.size === 0 ? {} : { completedIndexes: formatIndexes(completedIndexes) };
}
