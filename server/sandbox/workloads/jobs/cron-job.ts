import { formatTime, parseTime } from '@/lib/clock/clock';
import { type CronSchedule, nextCron, parseCron } from '@/lib/clock/cron-schedule';
import { cloneJson, type JsonObject, numberAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { withoutZeros } from '../core/conditions';
import {
  controllerReference,
  queueKey,
  reconcileEach,
  type WorkloadContext,
  type WorkloadController,
} from '../core/context';
import { isStatusCode } from '../core/failures';
import { resources } from '../core/resources';
import { ownerKeys } from '../pods/claim';
import { createdMs, isTerminating } from '../pods/pod-state';
import { stringMap } from '../pods/pod-template';
import { finishedCondition } from './job-status';

const KIND = { group: 'batch', kind: 'CronJob' };
const COMPONENT = 'cronjob-controller';
const SCHEDULED_AT = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
/** Missed starts that are counted; of many missed ones only the last is started, as the real controller does. */
const MAX_MISSED = 1000;

/** Starts Jobs by schedule, keeps their history short, and writes what runs (Kubernetes pkg/controller/cronjob). */
export function cronJobController(context: WorkloadContext): WorkloadController {
  return {
    name: 'cronjob',
    *keysFor(event, before) {
      const { resource, group } = event.resource;
      if (group !== 'batch') return;
      if (resource === 'cronjobs') yield queueKey(event.object);
      if (resource === 'jobs') yield* ownerKeys(KIND, event.object, before);
    },
    reconcile: reconcileEach(context, resources.cronjobs, reconcile),
  };
}

function reconcile(context: WorkloadContext, cronJob: KubeObject): number | undefined {
  if (isTerminating(cronJob)) return undefined;
  trimHistory(context, cronJob);
  const schedule = parseCron(stringAt(cronJob, 'spec', 'schedule') ?? '', stringAt(cronJob, 'spec', 'timeZone'));
  if (schedule === undefined || objectAt(cronJob, 'spec').suspend === true) {
    writeStatus(context, cronJob, undefined);
    return undefined;
  }
  const dueMs = lastDue(context, cronJob, schedule);
  const startedMs = dueMs === undefined ? undefined : start(context, cronJob, dueMs);
  writeStatus(context, cronJob, startedMs);
  const nextMs = nextCron(schedule, context.clock.now());
  return nextMs === undefined ? undefined : nextMs - context.clock.now();
}

/** The latest time that is due and not served yet, within `startingDeadlineSeconds`. */
function lastDue(context: WorkloadContext, cronJob: KubeObject, schedule: CronSchedule): number | undefined {
  const nowMs = context.clock.now();
  const deadline = numberAt(cronJob, 'spec', 'startingDeadlineSeconds');
  let earliestMs = parseTime(stringAt(cronJob, 'status', 'lastScheduleTime')) ?? createdMs(cronJob);
  if (deadline !== undefined) earliestMs = Math.max(earliestMs, nowMs - deadline * 1000);
  let due: number | undefined;
  let at: number | undefined = earliestMs;
  for (let count = 0; count < MAX_MISSED && at !== undefined; count++) {
    at = nextCron(schedule, at);
    if (at === undefined || at > nowMs) return due;
    due = at;
  }
  return due;
}

/** Starts the Job of a time as the concurrency policy allows; the time when it counts as served. */
function start(context: WorkloadContext, cronJob: KubeObject, dueMs: number): number | undefined {
  const active = jobsOf(context, cronJob).filter((job) => finishedCondition(job) === undefined);
  const policy = stringAt(cronJob, 'spec', 'concurrencyPolicy') ?? 'Allow';
  if (policy === 'Forbid' && active.length > 0) {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    context.events.normal(COMPONENT, cronJob, 'JobAlreadyActive', message);
    return undefined;
  }
  if (policy === 'Replace') {
    for (const job of active) remove(context, cronJob, job);
  }
  try {
    const job = context.create(resources.jobs, jobFor(cronJob, dueMs));
    context.events.normal(COMPONENT, cronJob, 'SuccessfulCreate', `Created job ${nameOf(job)}`);
  } catch (error) {
    if (!isStatusCode(error, 409)) throw error;
  }
  return dueMs;
}

function jobFor(cronJob: KubeObject, dueMs: number): KubeObject {
  const template = cloneJson(objectAt(cronJob, 'spec', 'jobTemplate'));
  const metadata = objectAt(template, 'metadata');
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${nameOf(cronJob)}-${Math.floor(dueMs / 60_000)}`,
      namespace: namespaceOf(cronJob),
      labels: stringMap(metadata.labels),
      annotations: { ...stringMap(metadata.annotations), [SCHEDULED_AT]: formatTime(dueMs) },
      ownerReferences: [controllerReference(cronJob)],
    },
    spec: objectAt(template, 'spec'),
  };
}

function jobsOf(context: WorkloadContext, cronJob: KubeObject): KubeObject[] {
  return context.index.dependentsOf(cronJob.metadata.uid ?? '', 'jobs').sort((a, b) => createdMs(a) - createdMs(b));
}

function trimHistory(context: WorkloadContext, cronJob: KubeObject): void {
  const jobs = jobsOf(context, cronJob).filter((job) => !isTerminating(job));
  const limits = [
    ['Complete', numberAt(cronJob, 'spec', 'successfulJobsHistoryLimit') ?? 3],
    ['Failed', numberAt(cronJob, 'spec', 'failedJobsHistoryLimit') ?? 1],
  ] as const;
  for (const [end, limit] of limits) {
    const finished = jobs.filter((job) => finishedCondition(job)?.type === end);
    for (const job of finished.slice(0, Math.max(0, finished.length - limit))) remove(context, cronJob, job);
  }
}

function writeStatus(context: WorkloadContext, cronJob: KubeObject, startedMs: number | undefined): void {
  const jobs = jobsOf(context, cronJob);
  const active = jobs.filter((job) => finishedCondition(job) === undefined && !isTerminating(job));
  const successes = jobs.map((job) => stringAt(job, 'status', 'completionTime')).filter((time) => time !== undefined);
  const lastSuccessfulTime = [stringAt(cronJob, 'status', 'lastSuccessfulTime'), ...successes]
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);
  const lastScheduleTime =
    startedMs === undefined ? stringAt(cronJob, 'status', 'lastScheduleTime') : formatTime(startedMs);
  context.updateStatus(
    resources.cronjobs,
    cronJob,
    withoutZeros({
      active: active.length === 0 ? undefined : active.map(reference),
      lastScheduleTime,
      lastSuccessfulTime,
    }),
  );
}

function reference(job: KubeObject): JsonObject {
  return {
    kind: 'Job',
    namespace: namespaceOf(job),
    name: nameOf(job),
    uid: job.metadata.uid ?? '',
    apiVersion: 'batch/v1',
    resourceVersion: job.metadata.resourceVersion ?? '',
  };
}

function remove(context: WorkloadContext, cronJob: KubeObject, job: KubeObject): void {
  context.delete(resources.jobs, job, { propagation: 'Background' });
  context.events.normal(COMPONENT, cronJob, 'SuccessfulDelete', `Deleted job ${nameOf(job)}`);
}
