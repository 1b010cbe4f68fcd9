import { arrayAt, type JsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { findCondition, withoutCondition, withoutZeros } from '../core/conditions';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { isFinished, isReady, isTerminating } from '../pods/pod-state';
import { indexesOf, type Tally } from './job-accounting';

/** How a Job ends. */
export interface JobVerdict {
  readonly success: boolean;
  readonly reason: string;
  readonly message: string;
}

interface Present {
  readonly tally: Tally;
  readonly pods: readonly KubeObject[];
  readonly suspended: boolean;
}

/** Writes the status of a running Job. */
export function writeStatus(context: WorkloadContext, job: KubeObject, present: Present): void {
  const { suspended, pods, tally } = present;
  const startTime = suspended ? undefined : (stringAt(job, 'status', 'startTime') ?? context.now());
  const conditions = suspension(context, job, suspended);
  context.updateStatus(resources.jobs, job, {
    ...counts(tally, pods),
    ...(startTime === undefined ? {} : { startTime }),
    ...(conditions.length === 0 ? {} : { conditions }),
  });
}

interface Conclusion {
  readonly tally: Tally;
  readonly verdict: JobVerdict;
  /** Pods that have not ended yet; the last condition waits for them. */
  readonly remaining: readonly KubeObject[];
}

/** The status of a decided Job: its first condition at once, its last one when no pod runs any more. */
export function conclude(context: WorkloadContext, job: KubeObject, conclusion: Conclusion): void {
  const { tally, verdict, remaining } = conclusion;
  const first = verdict.success ? 'SuccessCriteriaMet' : 'FailureTarget';
  const last = verdict.success ? 'Complete' : 'Failed';
  let conditions = [...arrayAt(job, 'status', 'conditions')];
  if (findCondition(conditions, first) === undefined) conditions = [...conditions, condition(context, first, verdict)];
  const finished = remaining.length === 0;
  if (finished) conditions = [...conditions, condition(context, last, verdict)];
  const startTime = stringAt(job, 'status', 'startTime') ?? context.now();
  context.updateStatus(resources.jobs, job, {
    ...counts(tally, remaining),
    startTime,
    conditions,
    ...(finished && verdict.success ? { completionTime: context.now() } : {}),
  });
  if (!finished) return;
  const event = verdict.success
    ? ({ type: 'Normal', reason: 'Completed', message: 'Job completed' } as const)
    : ({ type: 'Warning', reason: verdict.reason, message: verdict.message } as const);
  context.events.record(job, { ...event, component: 'job-controller' });
}

function counts(tally: Tally, pods: readonly KubeObject[]): JsonObject {
  const active = pods.filter((pod) => !isFinished(pod) && !isTerminating(pod));
  return {
    ...withoutZeros({
      active: active.length,
      succeeded: tally.succeeded,
      failed: tally.failed,
    }),
    ...indexesOf(tally),
    ready: active.filter(isReady).length,
    terminating: pods.filter((pod) => isTerminating(pod) && !isFinished(pod)).length,
    uncountedTerminatedPods: {},
  };
}

/** The condition Suspended: True while suspended, False once resumed, absent for a Job that never was. */
function suspension(context: WorkloadContext, job: KubeObject, suspended: boolean): JsonValue[] {
  const conditions = [...arrayAt(job, 'status', 'conditions')];
  const present = findCondition(conditions, 'Suspended');
  if (suspended ? present?.status === 'True' : present === undefined || present.status === 'False') return conditions;
  const reason = suspended ? 'JobSuspended' : 'JobResumed';
  const message = suspended ? 'Job suspended' : 'Job resumed';
  context.events.record(job, {
    type: 'Normal',
    reason: suspended ? 'Suspended' : 'Resumed',
    message,
    component: 'job-controller',
  });
  const made = condition(context, 'Suspended', { success: true, reason, message });
  return [...withoutCondition(conditions, 'Suspended'), { ...made, status: suspended ? 'True' : 'False' }];
}

function condition(context: WorkloadContext, type: string, verdict: JobVerdict): JsonObject {
  const time = context.now();
  const { reason, message } = verdict;
  return { type, status: 'True', lastProbeTime: time, lastTransitionTime: time, reason, message };
}

/** True when the Job has come to its end. */
export function isJobFinished(job: KubeObject): boolean {
  return finishedCondition(job) !== undefined;
}

/** `Complete` or `Failed`, or undefined while the Job runs. */
export function finishedCondition(job: KubeObject): 'Complete' | 'Failed' | undefined {
  const conditions = arrayAt(job, 'status', 'conditions');
  if (findCondition(conditions, 'Complete')?.status === 'True') return 'Complete';
  if (findCondition(conditions, 'Failed')?.status === 'True') return 'Failed';
  return undefined;
}
