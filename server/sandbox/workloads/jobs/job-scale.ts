import { messageOf } from '@/lib/errors/errors';
import { numberAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { statusCodeOf } from '../core/failures';
import { resources } from '../core/resources';
import { burst } from '../pods/pod-burst';
import { isReady } from '../pods/pod-state';
import type { Tally } from './job-accounting';
import { jobWaitMs } from './job-backoff';
import { indexOf, isIndexed, jobPod } from './job-pods';

/** The pods of a running Job. */
export interface Present {
  readonly tally: Tally;
  readonly pods: readonly KubeObject[];
  readonly active: readonly KubeObject[];
}

/** Brings the number of running pods to what parallelism and completions want; the answer is a back-off to wait for. */
export function scale(context: WorkloadContext, job: KubeObject, present: Present): number | undefined {
  const { tally, pods, active } = present;
  const parallelism = numberAt(job, 'spec', 'parallelism') ?? 1;
  const completions = numberAt(job, 'spec', 'completions');
  const left = completions === undefined ? parallelism : completions - tally.succeeded;
  const wanted = completions === undefined && tally.succeeded > 0 ? active.length : Math.min(parallelism, left);
  const beyond = isIndexed(job) ? active.filter((pod) => (indexOf(pod) ?? 0) >= (completions ?? 0)) : [];
  const within = active.filter((pod) => !beyond.includes(pod));
  const unreadyFirst = [...within].sort((a, b) => Number(isReady(a)) - Number(isReady(b)));
  const victims = [...beyond, ...unreadyFirst.slice(0, Math.max(0, within.length - wanted))];
  for (const pod of victims) context.delete(resources.pods, pod);
  if (victims.length > 0) return undefined;
  const count = burst(wanted - active.length, active.length);
  if (count <= 0) return undefined;
  const waitMs = jobWaitMs(pods, context.clock.now());
  if (waitMs > 0) return waitMs;
  const indexes = isIndexed(job) ? freeIndexes(job, present, count) : new Array<undefined>(count).fill(undefined);
  for (const index of indexes) create(context, job, jobPod(job, index));
  return undefined;
}

/** The lowest indexes without an active pod that are not completed. */
function freeIndexes(job: KubeObject, { tally, active }: Present, count: number): number[] {
  const taken = new Set([...tally.completedIndexes, ...active.map(indexOf)]);
  const completions = numberAt(job, 'spec', 'completions') ?? 0;
  const free: number[] = [];
  for (let index = 0; index < completions && free.length < count; index++) if (!taken.has(index)) free.push(index);
  return free;
}

function create(context: WorkloadContext, job: KubeObject, wanted: KubeObject): void {
  try {
    const pod = context.create(resources.pods, wanted);
    record(context, job, 'Normal', 'SuccessfulCreate', `Created pod: ${nameOf(pod)}`);
  } catch (error) {
    if (statusCodeOf(error) !== undefined) {
      record(context, job, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
    }
    throw error;
  }
}

function record(
  context: WorkloadContext,
  job: KubeObject,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
): void {
  context.events.record(job, { type, reason, message, component: 'job-controller' });
}
