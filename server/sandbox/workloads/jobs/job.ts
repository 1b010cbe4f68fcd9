import { parseTime } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { arrayAt, type JsonObject, numberAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { controllerOf, nameOf, namespaceOf } from '@/lib/kube/object';
import { findCondition } from '../controllers/conditions';
import { type Controller, queueKey, type WorkloadContext } from '../core/context';
import { statusCodeOf } from '../core/failures';
import { resources } from '../core/resources';
import { finalizersOf, ownerKeys } from '../pods/claim';
import { isFinished, isReady, isTerminating } from '../pods/pod-state';
import { failureByPolicy } from './failure-policy';
import { countFinished, releasePod, type Tally } from './job-accounting';
import { indexOf, isIndexed, jobPod, restartsOf, TRACKING } from './job-pods';
import { conclude, type Verdict, writeStatus } from './job-status';

const KIND = { group: 'batch', kind: 'Job' };

export interface JobOptions {
  /** The first wait after a failed pod in milliseconds; it doubles up to ten minutes. 0 tries again at once. */
  readonly firstBackoffMs: number;
}

/**
 * Runs Jobs to completion (Kubernetes pkg/controller/job). States: new → running (startTime) → SuccessCriteriaMet or
 * FailureTarget (pods are ended) → Complete or Failed → deleted after its time to live; suspended and resumed between.
 */
export function jobController(context: WorkloadContext, options: JobOptions): Controller {
  return {
    name: 'job',
    *rings(event, before) {
      const { resource, group } = event.resource;
      if (resource === 'jobs' && group === 'batch') yield queueKey(event.object);
      if (resource !== 'pods' || group !== '') return;
      yield* ownerKeys(KIND, event.object, before);
    },
    reconcile(namespace, name) {
      const job = context.get(resources.jobs, namespace, name);
      if (job === undefined) return undefined;
      return isTerminating(job) ? end(context, job) : reconcile(context, job, options);
    },
  };
}

/** Takes the finalizer off pods that lost their Job. */
export function strayJobPodController(context: WorkloadContext): Controller {
  return {
    name: 'job-tracking',
    *rings(event) {
      const { resource, group } = event.resource;
      if (resource !== 'pods' || group !== '' || event.type === 'DELETED') return;
      if (finalizersOf(event.object).includes(TRACKING) && isStray(context, event.object)) yield queueKey(event.object);
    },
    reconcile(namespace, name) {
      const pod = context.get(resources.pods, namespace, name);
      if (pod !== undefined && isStray(context, pod)) releasePod(context, pod);
      return undefined;
    },
  };
}

function isStray(context: WorkloadContext, pod: KubeObject): boolean {
  const owner = controllerOf(pod);
  const job = owner === undefined ? undefined : context.get(resources.jobs, namespaceOf(pod), owner.name);
  return job === undefined || job.metadata.uid !== owner?.uid;
}

/** A Job that is going away lets go of its pods. */
function end(context: WorkloadContext, job: KubeObject): undefined {
  for (const pod of podsOf(context, job)) releasePod(context, pod);
  return undefined;
}

function podsOf(context: WorkloadContext, job: KubeObject): KubeObject[] {
  const uid = job.metadata.uid ?? '';
  return context.index.dependentsOf(uid, 'pods').filter((pod) => controllerOf(pod)?.uid === uid);
}

function reconcile(context: WorkloadContext, job: KubeObject, options: JobOptions): number | undefined {
  const conditions = arrayAt(job, 'status', 'conditions');
  if (isTrue(findCondition(conditions, 'Complete')) || isTrue(findCondition(conditions, 'Failed'))) {
    return expire(context, job);
  }
  const suspended = objectAt(job, 'spec').suspend === true;
  const { tally, job: counted } = countFinished(context, job, podsOf(context, job));
  const active = podsOf(context, counted).filter((pod) => !isFinished(pod) && !isTerminating(pod));
  const verdict = judge(context, counted, tally, active);
  if (verdict !== undefined) {
    for (const pod of active) context.delete(resources.pods, pod);
    const remaining = podsOf(context, counted).filter((pod) => !isFinished(pod));
    conclude(context, counted, { tally, verdict, remaining });
    return undefined;
  }
  if (suspended) {
    for (const pod of active) {
      context.delete(resources.pods, pod);
      releasePod(context, pod);
    }
  }
  const waitMs = suspended ? undefined : scale(context, counted, tally, active, options);
  writeStatus(context, counted, { tally, pods: podsOf(context, counted), suspended });
  return earliest(waitMs, untilDeadline(context, counted));
}

function isTrue(condition: JsonObject | undefined): boolean {
  return condition?.status === 'True';
}

/** Whether the Job is decided: by an earlier verdict, its back-off limit, its deadline, or its completions. */
function judge(
  context: WorkloadContext,
  job: KubeObject,
  tally: Tally,
  active: readonly KubeObject[],
): Verdict | undefined {
  const conditions = arrayAt(job, 'status', 'conditions');
  const earlier = findCondition(conditions, 'FailureTarget') ?? findCondition(conditions, 'SuccessCriteriaMet');
  if (earlier !== undefined && isTrue(earlier)) {
    const { reason, message } = earlier;
    return { success: earlier.type === 'SuccessCriteriaMet', reason: String(reason), message: String(message) };
  }
  const byPolicy = failureByPolicy(job, podsOf(context, job));
  if (byPolicy !== undefined) return { success: false, reason: 'PodFailurePolicy', message: byPolicy };
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
  const restarts = active.reduce((total, pod) => total + restartsOf(pod), 0);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

function untilDeadline(context: WorkloadContext, job: KubeObject): number | undefined {
  const seconds = numberAt(job, 'spec', 'activeDeadlineSeconds');
  const startMs = parseTime(stringAt(job, 'status', 'startTime'));
  if (seconds === undefined || startMs === undefined || objectAt(job, 'spec').suspend === true) return undefined;
  return startMs + seconds * 1000 - context.clock.now();
}

/** Brings the number of running pods to what parallelism and completions want; the answer is a back-off to wait for. */
function scale(
  context: WorkloadContext,
  job: KubeObject,
  tally: Tally,
  active: readonly KubeObject[],
  options: JobOptions,
): number | undefined {
  const parallelism = numberAt(job, 'spec', 'parallelism') ?? 1;
  const completions = numberAt(job, 'spec', 'completions');
  const left = completions === undefined ? parallelism : completions - tally.succeeded;
  const wanted = completions === undefined && tally.succeeded > 0 ? active.length : Math.min(parallelism, left);
  if (active.length > wanted) {
    const victims = [...active]
      .sort((a, b) => Number(isReady(a)) - Number(isReady(b)))
      .slice(0, active.length - wanted);
    for (const pod of victims) context.delete(resources.pods, pod);
    return undefined;
  }
  if (active.length === wanted) return undefined;
  const waitMs = backoffMs(context, tally, options);
  if (waitMs > 0) return waitMs;
  createPods(context, job, { tally, active, count: wanted - active.length });
  return undefined;
}

const LAST_BACKOFF_MS = 600_000;

function backoffMs(context: WorkloadContext, tally: Tally, options: JobOptions): number {
  if (tally.failed === 0 || tally.lastFailureMs === undefined) return 0;
  const waitMs = Math.min(LAST_BACKOFF_MS, options.firstBackoffMs * 2 ** Math.min(tally.failed - 1, 20));
  return tally.lastFailureMs + waitMs - context.clock.now();
}

interface Missing {
  readonly tally: Tally;
  readonly active: readonly KubeObject[];
  readonly count: number;
}

function createPods(context: WorkloadContext, job: KubeObject, missing: Missing): void {
  const indexes = isIndexed(job) ? freeIndexes(job, missing) : new Array<undefined>(missing.count).fill(undefined);
  for (const index of indexes) {
    try {
      const pod = context.create(resources.pods, jobPod(job, index));
      record(context, job, 'Normal', 'SuccessfulCreate', `Created pod: ${nameOf(pod)}`);
    } catch (error) {
      if (statusCodeOf(error) !== undefined) {
        record(context, job, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
      }
      throw error;
    }
  }
}

function freeIndexes(job: KubeObject, missing: Missing): number[] {
  const taken = new Set([...missing.tally.completedIndexes, ...missing.active.map(indexOf)]);
  const free: number[] = [];
  const completions = numberAt(job, 'spec', 'completions') ?? 0;
  for (let index = 0; index < completions && free.length < missing.count; index++) {
    if (!taken.has(index)) free.push(index);
  }
  return free;
}

/** Deletes a finished Job when its time to live is over (Kubernetes pkg/controller/ttlafterfinished). */
function expire(context: WorkloadContext, job: KubeObject): number | undefined {
  for (const pod of podsOf(context, job)) {
    if (isFinished(pod) || isTerminating(pod)) releasePod(context, pod);
  }
  const seconds = numberAt(job, 'spec', 'ttlSecondsAfterFinished');
  if (seconds === undefined) return undefined;
  const conditions = arrayAt(job, 'status', 'conditions');
  const finished = findCondition(conditions, 'Complete') ?? findCondition(conditions, 'Failed');
  const endMs = parseTime(stringAt(finished, 'lastTransitionTime')) ?? context.clock.now();
  const leftMs = endMs + seconds * 1000 - context.clock.now();
  if (leftMs > 0) return leftMs;
  context.delete(resources.jobs, job, { propagation: 'Foreground' });
  return undefined;
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}

function record(
  context: WorkloadContext,
  job: KubeObject,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
) {
  context.events.record(job, { type, reason, message, component: 'job-controller' });
}
