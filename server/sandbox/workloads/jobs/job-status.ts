import { arrayAt, type JsonObject, type JsonValue, numberAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { findCondition, withoutCondition, withoutZeros } from '../core/conditions';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { finalizersOf } from '../pods/claim';
import { isActive, isFinished, isReady, isTerminating, phaseOf } from '../pods/pod-state';
import { formatIndexes, indexOf, isIndexed, parseIndexes, TRACKING } from './job-pods';
import { failureRule } from './pod-failure-policy';

/** Who records the events of Jobs. */
export const JOB_CONTROLLER = 'job-controller';

/** What has ended so far. */
export interface Tally {
  readonly succeeded: number;
  readonly failed: number;
  /** Empty for Jobs without indexes. */
  readonly completedIndexes: ReadonlySet<number>;
}

/**
 * Counts finished pods exactly once: a pod has the tracking finalizer until it is counted. The writes of one reconcile are
 * committed together, so the count needs no record of the pods in between.
 */
export function countFinished(context: WorkloadContext, job: KubeObject, pods: readonly KubeObject[]): Tally {
  const status = objectAt(job, 'status');
  const end = isIndexed(job) ? (numberAt(job, 'spec', 'completions') ?? 0) : 0;
  const completedIndexes = parseIndexes(stringAt(status, 'completedIndexes'), end);
  let succeeded = numberAt(status, 'succeeded') ?? 0;
  let failed = numberAt(status, 'failed') ?? 0;
  const ended = pods.filter((pod) => finalizersOf(pod).includes(TRACKING) && (isFinished(pod) || hasFailed(pod)));
  for (const pod of ended) {
    const index = indexOf(pod);
    if (hasFailed(pod)) failed += failureRule(job, pod)?.action === 'Ignore' ? 0 : 1;
    else if (index === undefined || !isIndexed(job)) succeeded += 1;
    else if (index < end) completedIndexes.add(index);
  }
  const tally = { succeeded: isIndexed(job) ? completedIndexes.size : succeeded, failed, completedIndexes };
  if (ended.length > 0) context.updateStatus(resources.jobs, job, { ...status, ...numbersOf(tally) });
  for (const pod of ended) releasePod(context, pod);
  return tally;
}

/** A pod that is being deleted before it succeeded counts as failed too. */
export function hasFailed(pod: KubeObject): boolean {
  const phase = phaseOf(pod);
  return phase === 'Failed' || (isTerminating(pod) && phase !== 'Succeeded');
}

/** Takes the tracking finalizer off a pod, if it still has it. */
export function releasePod(context: WorkloadContext, pod: KubeObject): void {
  const present = context.get(resources.pods, namespaceOf(pod), nameOf(pod));
  if (present === undefined || present.metadata.uid !== pod.metadata.uid) return;
  context.update(resources.pods, present, (copy) => {
    const rest = finalizersOf(copy).filter((finalizer) => finalizer !== TRACKING);
    if (rest.length > 0) copy.metadata.finalizers = rest;
    else delete copy.metadata.finalizers;
  });
}

/** How a Job ends. */
export interface JobVerdict {
  readonly success: boolean;
  readonly reason: string;
  readonly message: string;
}

/** What has ended of a Job, and its pods; those that have ended may be left out. */
export interface Present {
  readonly tally: Tally;
  readonly pods: readonly KubeObject[];
}

/** Writes the status of a running Job. */
export function writeStatus(context: WorkloadContext, job: KubeObject, present: Present, suspended: boolean): void {
  const startTime = suspended ? undefined : (stringAt(job, 'status', 'startTime') ?? context.now());
  const conditions = suspension(context, job, suspended);
  const times = { startTime, conditions: conditions.length === 0 ? undefined : conditions };
  context.updateStatus(resources.jobs, job, statusOf(present, times));
}

/** The status of a decided Job: its first condition at once, its last one when none of the pods runs any more. */
export function conclude(context: WorkloadContext, job: KubeObject, present: Present, verdict: JobVerdict): void {
  const { success, reason, message } = verdict;
  const first = success ? 'SuccessCriteriaMet' : 'FailureTarget';
  const conditions = arrayAt(job, 'status', 'conditions').slice();
  if (findCondition(conditions, first) === undefined) conditions.push(condition(context, first, verdict));
  const finished = present.pods.length === 0;
  if (finished) conditions.push(condition(context, success ? 'Complete' : 'Failed', verdict));
  const startTime = stringAt(job, 'status', 'startTime') ?? context.now();
  const completionTime = finished && success ? context.now() : undefined;
  context.updateStatus(resources.jobs, job, statusOf(present, { startTime, completionTime, conditions }));
  if (!finished) return;
  if (success) context.events.normal(JOB_CONTROLLER, job, 'Completed', 'Job completed');
  else context.events.warning(JOB_CONTROLLER, job, reason, message);
}

function statusOf({ tally, pods }: Present, more: { readonly [field: string]: JsonValue | undefined }): JsonObject {
  const active = pods.filter(isActive);
  return {
    ...withoutZeros({ active: active.length, ...more }),
    ...numbersOf(tally),
    ready: active.filter(isReady).length,
    terminating: pods.filter((pod) => isTerminating(pod) && !isFinished(pod)).length,
    uncountedTerminatedPods: {},
  };
}

function numbersOf({ succeeded, failed, completedIndexes }: Tally): JsonObject {
  return withoutZeros({ succeeded, failed, completedIndexes: formatIndexes(completedIndexes) || undefined });
}

/** The condition Suspended: True while suspended, False once resumed, absent for a Job that never was. */
function suspension(context: WorkloadContext, job: KubeObject, suspended: boolean): JsonValue[] {
  const conditions = arrayAt(job, 'status', 'conditions').slice();
  const present = findCondition(conditions, 'Suspended');
  if (suspended ? present?.status === 'True' : present === undefined || present.status === 'False') return conditions;
  const word = suspended ? 'Suspended' : 'Resumed';
  const message = `Job ${word.toLowerCase()}`;
  context.events.normal(JOB_CONTROLLER, job, word, message);
  const made = condition(context, 'Suspended', { success: suspended, reason: `Job${word}`, message });
  return [...withoutCondition(conditions, 'Suspended'), { ...made, status: suspended ? 'True' : 'False' }];
}

function condition(context: WorkloadContext, type: string, { reason, message }: JobVerdict): JsonObject {
  const time = context.now();
  return { type, status: 'True', lastProbeTime: time, lastTransitionTime: time, reason, message };
}

/** The condition `Complete` or `Failed` of a Job that has come to its end, undefined while it runs. */
export function finishedCondition(job: KubeObject): JsonObject | undefined {
  const conditions = arrayAt(job, 'status', 'conditions');
  const ends = [findCondition(conditions, 'Complete'), findCondition(conditions, 'Failed')];
  return ends.find((each) => each?.status === 'True');
}
