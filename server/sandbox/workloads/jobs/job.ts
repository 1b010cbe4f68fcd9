import { parseTime } from '@/lib/clock/clock';
import { arrayAt, numberAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { controllerOf, namespaceOf } from '@/lib/kube/object';
import { findCondition } from '../core/conditions';
import { queueKey, reconcileEach, type WorkloadContext, type WorkloadController } from '../core/context';
import { resources } from '../core/resources';
import { finalizersOf, ownerKeys } from '../pods/claim';
import { isActive, isFinished, isTerminating } from '../pods/pod-state';
import { TRACKING } from './job-pods';
import { scale } from './job-scale';
import {
  conclude,
  countFinished,
  finishedCondition,
  hasFailed,
  type JobVerdict,
  releasePod,
  type Tally,
  writeStatus,
} from './job-status';
import { failureRule } from './pod-failure-policy';

const KIND = { group: 'batch', kind: 'Job' };

/**
 * Runs Jobs to completion (Kubernetes pkg/controller/job). States: new → running (startTime) → SuccessCriteriaMet or
 * FailureTarget (pods are ended) → Complete or Failed → deleted after its time to live; suspended and resumed between.
 */
export function jobController(context: WorkloadContext): WorkloadController {
  return {
    name: 'job',
    *keysFor(event, before) {
      const { resource, group } = event.resource;
      if (resource === 'jobs' && group === 'batch') yield queueKey(event.object);
      if (resource === 'pods' && group === '') yield* ownerKeys(KIND, event.object, before);
    },
    reconcile: reconcileEach(context, resources.jobs, reconcile),
  };
}

/** Takes the finalizer off pods that lost their Job. */
export function strayJobPodController(context: WorkloadContext): WorkloadController {
  return {
    name: 'job-tracking',
    *keysFor(event) {
      const { resource, group } = event.resource;
      if (resource !== 'pods' || group !== '' || event.type === 'DELETED') return;
      if (finalizersOf(event.object).includes(TRACKING) && isStray(context, event.object)) yield queueKey(event.object);
    },
    reconcile: reconcileEach(context, resources.pods, (_, pod) => {
      if (isStray(context, pod)) releasePod(context, pod);
      return undefined;
    }),
  };
}

function isStray(context: WorkloadContext, pod: KubeObject): boolean {
  const owner = controllerOf(pod);
  const job = owner === undefined ? undefined : context.get(resources.jobs, namespaceOf(pod), owner.name);
  return job === undefined || job.metadata.uid !== owner?.uid;
}

function podsOf(context: WorkloadContext, job: KubeObject): KubeObject[] {
  const uid = job.metadata.uid ?? '';
  return context.index.dependentsOf(uid, 'pods').filter((pod) => controllerOf(pod)?.uid === uid);
}

function reconcile(context: WorkloadContext, job: KubeObject): number | undefined {
  if (isTerminating(job)) {
    for (const pod of podsOf(context, job)) releasePod(context, pod);
    return undefined;
  }
  if (finishedCondition(job) !== undefined) return expire(context, job);
  const suspended = objectAt(job, 'spec').suspend === true;
  const tally = countFinished(context, job, podsOf(context, job));
  const active = podsOf(context, job).filter(isActive);
  const verdict = judge(context, job, tally, active);
  if (verdict !== undefined || suspended) for (const pod of active) context.delete(resources.pods, pod);
  if (verdict !== undefined) {
    // The last condition is written when all pods have terminated.
    const remaining = podsOf(context, job).filter((pod) => !isFinished(pod));
    conclude(context, job, { tally, pods: remaining }, verdict);
    return undefined;
  }
  if (suspended) for (const pod of active) releasePod(context, pod);
  const waitMs = suspended ? undefined : scale(context, job, { tally, pods: podsOf(context, job) });
  writeStatus(context, job, { tally, pods: podsOf(context, job) }, suspended);
  const waits = [waitMs, untilDeadline(context, job)].filter((ms) => ms !== undefined);
  return waits.length === 0 ? undefined : Math.min(...waits);
}

/** Whether the Job is decided: by an earlier verdict, its policy of pod failures, its back-off limit, its deadline, or its completions. */
function judge(
  context: WorkloadContext,
  job: KubeObject,
  tally: Tally,
  active: readonly KubeObject[],
): JobVerdict | undefined {
  const conditions = arrayAt(job, 'status', 'conditions');
  const earlier = findCondition(conditions, 'FailureTarget') ?? findCondition(conditions, 'SuccessCriteriaMet');
  if (earlier !== undefined) {
    const { reason, message } = earlier;
    return { success: earlier.type === 'SuccessCriteriaMet', reason: String(reason), message: String(message) };
  }
  const failed = podsOf(context, job).filter(hasFailed);
  const fatal = failed.map((pod) => failureRule(job, pod)).find((rule) => rule?.action === 'FailJob');
  if (fatal !== undefined) return { success: false, reason: 'PodFailurePolicy', message: fatal.message };
  const limit = numberAt(job, 'spec', 'backoffLimit') ?? 6;
  if (tally.failed > limit || restartsExceed(job, active, limit)) {
    const message = 'Job has reached the specified backoff limit';
    return { success: false, reason: 'BackoffLimitExceeded', message };
  }
  const leftMs = untilDeadline(context, job);
  if (leftMs !== undefined && leftMs <= 0) {
    return { success: false, reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
  }
  const completions = numberAt(job, 'spec', 'completions');
  const done = completions === undefined ? tally.succeeded > 0 && active.length === 0 : tally.succeeded >= completions;
  if (!done) return undefined;
  return { success: true, reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' };
}

/** With OnFailure the kubelet restarts containers in place, and restarts count as failures. */
function restartsExceed(job: KubeObject, active: readonly KubeObject[], limit: number): boolean {
  if (stringAt(job, 'spec', 'template', 'spec', 'restartPolicy') !== 'OnFailure') return false;
  const lists = ['initContainerStatuses', 'containerStatuses'];
  const statuses = active.flatMap((pod) => lists.flatMap((list) => arrayAt(pod, 'status', list)));
  const restarts = statuses.reduce<number>((total, status) => total + (numberAt(status, 'restartCount') ?? 0), 0);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

function untilDeadline(context: WorkloadContext, job: KubeObject): number | undefined {
  const seconds = numberAt(job, 'spec', 'activeDeadlineSeconds');
  const startMs = parseTime(stringAt(job, 'status', 'startTime'));
  if (seconds === undefined || startMs === undefined || objectAt(job, 'spec').suspend === true) return undefined;
  return startMs + seconds * 1000 - context.clock.now();
}

/** Deletes a finished Job when its time to live is over (Kubernetes pkg/controller/ttlafterfinished). */
function expire(context: WorkloadContext, job: KubeObject): number | undefined {
  for (const pod of podsOf(context, job)) if (!isActive(pod)) releasePod(context, pod);
  const seconds = numberAt(job, 'spec', 'ttlSecondsAfterFinished');
  if (seconds === undefined) return undefined;
  const endMs = parseTime(stringAt(finishedCondition(job), 'lastTransitionTime')) ?? context.clock.now();
  const leftMs = endMs + seconds * 1000 - context.clock.now();
  if (leftMs > 0) return leftMs;
  context.delete(resources.jobs, job, { propagation: 'Foreground' });
  return undefined;
}
