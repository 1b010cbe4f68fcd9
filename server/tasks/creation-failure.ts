import { parseTime } from '@/lib/clock/clock';
import { BravoError } from '@/lib/errors/errors';
import { numberAt, stringAt } from '@/lib/json/json';
import { conditionByType } from '@/lib/kube/conditions';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import type { TaskContext } from './context';

/** Kinds whose controllers report only in an event that they cannot create pods; Deployments have a condition. */
const BY_EVENT: ReadonlySet<string> = new Set(['StatefulSet', 'DaemonSet', 'Job']);
const JOB_MS = 5_000;
const MAX_CHARS = 300;

/**
 * Why the pods of an object cannot be created (a quota, a policy, a missing ServiceAccount), in the API server's words, or
 * undefined. Reads events only when the kind's controller has observed the object and it has no pods, so a plan that goes well
 * sends no such request.
 */
export async function creationFailure(
  object: KubeObject,
  context: Pick<TaskContext, 'api' | 'clock' | 'podsOf'>,
): Promise<string | undefined> {
  const failure = conditionByType(object, 'ReplicaFailure');
  if (failure?.status === 'True') return cut(failure.message || failure.reason);
  if (!BY_EVENT.has(object.kind) || !wasLookedAt(object, context.clock.now()) || context.podsOf(object).length > 0)
    return undefined;
  const message = await lastFailedCreate(object, context);
  return message === undefined ? undefined : cut(message);
}

/** A Job has no observed generation; a few seconds after its creation count instead. */
function wasLookedAt(object: KubeObject, nowMs: number): boolean {
  if (object.kind === 'Job') return nowMs - (parseTime(object.metadata.creationTimestamp) ?? nowMs) >= JOB_MS;
  return (numberAt(object.status, 'observedGeneration') ?? 0) >= (object.metadata.generation ?? 0);
}

async function lastFailedCreate(object: KubeObject, { api }: Pick<TaskContext, 'api'>): Promise<string | undefined> {
  const fieldSelector = `involvedObject.kind=${object.kind},involvedObject.name=${nameOf(object)},reason=FailedCreate`;
  try {
    const events = { group: '', version: 'v1', resource: 'events', namespace: namespaceOf(object) };
    const { items } = await api.list(events, { fieldSelector });
    const ours = items.filter((event) => stringAt(event.involvedObject, 'uid') === object.metadata.uid);
    const [newest] = ours.sort((a, b) =>
      (stringAt(b, 'lastTimestamp') ?? '').localeCompare(stringAt(a, 'lastTimestamp') ?? ''),
    );
    return stringAt(newest, 'message');
  } catch (error) {
    // Only the message is shorter without it.
    if (error instanceof BravoError) return undefined;
    throw error;
  }
}

function cut(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS - 1)}…`;
}
