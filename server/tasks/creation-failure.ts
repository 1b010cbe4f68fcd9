import { parseTime } from '@/lib/clock/clock';
import { BravoError } from '@/lib/errors/errors';
import { numberAt, stringAt } from '@/lib/json/json';
import { conditionOf } from '@/lib/kube/conditions';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import type { TaskContext } from './context';

/** Kinds whose controllers say only in an event that they may not make pods; Deployments say it in a condition. */
const BY_EVENT: ReadonlySet<string> = new Set(['StatefulSet', 'DaemonSet', 'Job']);
const JOB_MS = 5_000;
const MAX_CHARS = 300;

/**
 * Why the pods of an object cannot be made (a quota, a policy, a missing account), in the API's words, or undefined when
 * nothing says so. Asks for events only where the kind's controller has looked and there are no pods: on the way of a plan
 * that goes well that costs nothing.
 */
export async function creationFailure(
  object: KubeObject,
  context: Pick<TaskContext, 'api' | 'clock' | 'podsOf'>,
): Promise<string | undefined> {
  const failure = conditionOf(object, 'ReplicaFailure');
  if (failure?.status === 'True') return cut(failure.message || failure.reason);
  if (!BY_EVENT.has(object.kind) || !wasLookedAt(object, context.clock.now()) || context.podsOf(object).length > 0)
    return undefined;
  const message = await lastFailedCreate(object, context);
  return message === undefined ? undefined : cut(message);
}

/** A Job tells of no generation that was looked at; a few seconds do, whatever the clocks say exactly. */
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
    // The sentence is poorer without it; the plan goes on.
    if (error instanceof BravoError) return undefined;
    throw error;
  }
}

function cut(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS - 1)}…`;
}
