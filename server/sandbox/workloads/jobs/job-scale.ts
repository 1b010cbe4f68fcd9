import { parseTime } from '@/lib/clock/clock';
import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { burst } from '../pods/pod-burst';
import { createdMs, isActive, isReady, phaseOf } from '../pods/pod-state';
import { createPod } from '../pods/replaceable-pods';
import { indexOf, isIndexed, jobPod } from './job-pods';
import { hasFailed, JOB_CONTROLLER, type Present } from './job-status';

/** Brings the number of running pods to what parallelism and completions want; the answer is a back-off to wait for. */
export function scale(context: WorkloadContext, job: KubeObject, present: Present): number | undefined {
  const { tally, pods } = present;
  const active = pods.filter(isActive);
  const parallelism = numberAt(job, 'spec', 'parallelism') ?? 1;
  const completions = numberAt(job, 'spec', 'completions');
  const left = completions === undefined ? parallelism : completions - tally.succeeded;
  const wanted = completions === undefined && tally.succeeded > 0 ? active.length : Math.min(parallelism, left);
  const unreadyFirst = [...active].sort((a, b) => Number(isReady(a)) - Number(isReady(b)));
  for (const pod of unreadyFirst.slice(0, Math.max(0, active.length - wanted))) context.delete(resources.pods, pod);
  const count = burst(wanted - active.length, active.length);
  if (count === 0) return undefined;
  const waitMs = backOffMs(pods, context.clock.now());
  if (waitMs > 0) return waitMs;
  const indexes = isIndexed(job) ? freeIndexes(job, present, count) : new Array<undefined>(count).fill(undefined);
  for (const index of indexes) createPod(context, JOB_CONTROLLER, job, jobPod(job, index));
  return undefined;
}

/** The lowest indexes without an active pod that are not completed. */
function freeIndexes(job: KubeObject, { tally, pods }: Present, count: number): number[] {
  const taken = new Set([...tally.completedIndexes, ...pods.filter(isActive).map(indexOf)]);
  const completions = numberAt(job, 'spec', 'completions') ?? 0;
  const free: number[] = [];
  for (let index = 0; index < completions && free.length < count; index++) if (!taken.has(index)) free.push(index);
  return free;
}

/** The first wait after a failed pod, and the longest (Kubernetes DefaultJobPodFailureBackOff, MaxJobPodFailureBackOff). */
const FIRST_MS = 10_000;
const LAST_MS = 600_000;

/** How long to wait still: twice as long for each failure since the last success (newBackoffRecord). */
function backOffMs(pods: readonly KubeObject[], nowMs: number): number {
  const lastSuccessMs = Math.max(-1, ...pods.filter((pod) => phaseOf(pod) === 'Succeeded').map(endMsOf));
  const failures = pods.filter(hasFailed).map(endMsOf);
  const recent = failures.filter((endMs) => endMs > lastSuccessMs);
  if (recent.length === 0) return 0;
  return Math.max(...recent) + Math.min(LAST_MS, FIRST_MS * 2 ** (recent.length - 1)) - nowMs;
}

/** When a pod ended: its last container, else when it was deleted or made. */
function endMsOf(pod: KubeObject): number {
  const times = arrayAt(pod, 'status', 'containerStatuses')
    .map((status) => parseTime(stringAt(status, 'state', 'terminated', 'finishedAt')))
    .filter((ms) => ms !== undefined);
  return times.length > 0 ? Math.max(...times) : (parseTime(pod.metadata.deletionTimestamp) ?? createdMs(pod));
}
