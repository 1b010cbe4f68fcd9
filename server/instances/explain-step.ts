import { numberAt, stringAt } from '@/lib/json/json';
import { kubeHealthOf } from '@/lib/kube/health/health';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { OwnedObject } from '@/lib/kudo/inventory/owned-object';
import { INSTANCE_LABEL } from '@/lib/kudo/names';
import type { ExplainedEvent, StepExplanation } from '@/lib/kudo/view/step-explanation';
import { topics } from '@/lib/live/topic';
import type { Api } from '@/server/kube/api';
import { explainPod, type PodReading } from './explain-pod';
import { ownedObjects } from './owned-objects';
import type { InstanceKey } from './read-instance';

export interface StepPlace {
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
}

const MOST_PODS = 3;
const MOST_EVENTS = 8;

/**
 * Why a step does not end: the objects that the step applied and that are not healthy, their pods, the warnings about both, and
 * the last log lines of the pods that are not ready. Without a place: why the Instance is not ready, from all of its objects.
 */
export async function explainStep(
  api: Api,
  key: InstanceKey,
  place: StepPlace | undefined,
  reading: PodReading = {},
): Promise<StepExplanation> {
  const { signal } = reading;
  const { objects } = await ownedObjects(api, key, signal);
  const applied = objects.filter((object) => object.kind !== 'Pod' && (place === undefined || isAt(object, place)));
  const troubled = applied.filter((object) => object.health.state !== 'healthy');
  const suspects = troubled.length > 0 || place === undefined ? troubled : applied;
  const pods = await podsOf(api, key, { suspects, all: objects }, signal);
  const names = new Set([...suspects, ...pods.map((pod) => ({ kind: 'Pod', name: nameOf(pod) }))].map(nameOfSuspect));
  const events = await warnings(api, key, names, signal);
  return {
    objects: suspects.map(({ kind, name, health }) => ({ kind, name, health })),
    pods: await Promise.all(pods.slice(0, MOST_PODS).map((pod) => explainPod(api, pod, reading))),
    unhealthyPods: pods.length,
    events,
  };
}

function isAt({ place }: OwnedObject, wanted: StepPlace): boolean {
  return place.plan === wanted.plan && place.phase === wanted.phase && place.step === wanted.step;
}

function nameOfSuspect({ kind, name }: { kind: string; name: string }): string {
  return `${kind}/${name}`;
}

/** Unhealthy pods that the suspects own, directly or through a ReplicaSet or Job, or that are suspects; the newest first. */
async function podsOf(
  api: Api,
  key: InstanceKey,
  { suspects, all }: { readonly suspects: readonly OwnedObject[]; readonly all: readonly OwnedObject[] },
  signal: AbortSignal | undefined,
): Promise<KubeObject[]> {
  if (suspects.length === 0) return [];
  const uids = new Set(suspects.map((object) => object.uid));
  for (const object of all) if (object.owner !== undefined && uids.has(object.owner.uid)) uids.add(object.uid);
  const list = await api.list(topics.pods(key.namespace), { labelSelector: `${INSTANCE_LABEL}=${key.name}`, signal });
  return list.items
    .filter((pod) => uids.has(pod.metadata.uid ?? '') || pod.metadata.ownerReferences?.some(({ uid }) => uids.has(uid)))
    .filter((pod) => kubeHealthOf(pod).state !== 'healthy')
    .sort((a, b) => (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? ''));
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
      count: numberAt(event, 'count') ?? numberAt(event, 'series', 'count') ?? 1,
    }))
    .filter((event) => names.has(event.object))
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, MOST_EVENTS);
}
