import { messageOf } from '@/lib/errors/errors';
import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import { healthOf } from '@/lib/kube/health/health';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { INSTANCE_LABEL } from '@/lib/kudo/names';
import type { OwnedObject } from '@/lib/kudo/owned-object';
import type { ExplainedEvent, ExplainedPod, StepExplanation } from '@/lib/kudo/step-explanation';
import { topics } from '@/lib/live/topic';
import type { Api } from '@/server/kube/api';
import { ownedObjects } from './owned-objects';
import type { InstanceKey } from './read-instance';
import { tailLog } from './tail-log';

export interface StepPlace {
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
}

const MOST_PODS = 3;
const MOST_EVENTS = 8;

/**
 * Why a step does not end, without guessing: the objects that the step applied and that are not healthy, their pods, the
 * warnings about both, and the last log lines of the pods that are not ready.
 */
export async function explainStep(
  api: Api,
  key: InstanceKey,
  place: StepPlace,
  signal?: AbortSignal,
): Promise<StepExplanation> {
  const { objects } = await ownedObjects(api, key, signal);
  const applied = objects.filter((object) => isAt(object, place) && object.kind !== 'Pod');
  const troubled = applied.filter((object) => object.health.state !== 'healthy');
  const suspects = troubled.length > 0 ? troubled : applied;
  const pods = await podsOf(api, key, suspects, objects, signal);
  const names = new Set([...suspects, ...pods.map((pod) => ({ kind: 'Pod', name: nameOf(pod) }))].map(nameOfSuspect));
  const events = await warnings(api, key, names, signal);
  return {
    objects: suspects.map(({ kind, name, health }) => ({ kind, name, health })),
    pods: await Promise.all(pods.slice(0, MOST_PODS).map((pod) => explainPod(api, pod, signal))),
    events,
  };
}

function isAt({ place }: OwnedObject, wanted: StepPlace): boolean {
  return place.plan === wanted.plan && place.phase === wanted.phase && place.step === wanted.step;
}

function nameOfSuspect({ kind, name }: { kind: string; name: string }): string {
  return `${kind}/${name}`;
}

/** Pods owned by the suspects (through a ReplicaSet or Job too), or applied by the step itself; unready ones first. */
async function podsOf(
  api: Api,
  key: InstanceKey,
  suspects: readonly OwnedObject[],
  all: readonly OwnedObject[],
  signal: AbortSignal | undefined,
): Promise<KubeObject[]> {
  if (suspects.length === 0) return [];
  const uids = new Set(suspects.map((object) => object.uid));
  for (const object of all) if (object.owner !== undefined && uids.has(object.owner.uid)) uids.add(object.uid);
  const list = await api.list(topics.pods(key.namespace), { labelSelector: `${INSTANCE_LABEL}=${key.name}`, signal });
  return list.items
    .filter((pod) => uids.has(pod.metadata.uid ?? '') || pod.metadata.ownerReferences?.some(({ uid }) => uids.has(uid)))
    .filter((pod) => healthOf(pod).state !== 'healthy')
    .sort((a, b) => (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? ''));
}

async function explainPod(api: Api, pod: KubeObject, signal: AbortSignal | undefined): Promise<ExplainedPod> {
  const container = troubledContainer(pod);
  const base = { name: nameOf(pod), health: healthOf(pod), container };
  try {
    const logLines = await tailLog(api, { pod, container, lines: 20, signal });
    return { ...base, logLines, logProblem: undefined };
  } catch (error) {
    return { ...base, logLines: [], logProblem: messageOf(error) };
  }
}

/** The first container that is not ready, else the first. */
function troubledContainer(pod: KubeObject): string {
  const statuses = [...arrayAt(pod.status, 'initContainerStatuses'), ...arrayAt(pod.status, 'containerStatuses')];
  const failed = statuses.find((status) => (numberAt(status, 'state', 'terminated', 'exitCode') ?? 0) !== 0);
  const unready = failed ?? statuses.find((status) => stringAt(status, 'state', 'waiting', 'reason') !== undefined);
  return stringAt(unready, 'name') ?? stringAt(arrayAt(pod.spec, 'containers')[0], 'name') ?? '';
}

async function warnings(
  api: Api,
  key: InstanceKey,
  names: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<ExplainedEvent[]> {
  const { items } = await api.list(topics.events(key.namespace), { signal });
  return items
    .filter((event) => event.type === 'Warning')
    .map((event) => ({
      object: `${stringAt(event, 'involvedObject', 'kind') ?? ''}/${stringAt(event, 'involvedObject', 'name') ?? ''}`,
      reason: stringAt(event, 'reason') ?? '',
      message: stringAt(event, 'message') ?? '',
      at: stringAt(event, 'lastTimestamp') ?? stringAt(event, 'eventTime') ?? event.metadata.creationTimestamp ?? '',
      count: numberAt(event, 'count') ?? 1,
    }))
    .filter((event) => names.has(event.object))
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, MOST_EVENTS);
}
