import { BravoError } from '@/lib/errors/errors';
import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import { kubeHealthOf } from '@/lib/kube/health/health';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { OwnedObject } from '@/lib/kudo/inventory/owned-object';
import { INSTANCE_LABEL } from '@/lib/kudo/names';
import type { ExplainedEvent, PendingClaim, StepExplanation } from '@/lib/kudo/view/step-explanation';
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
const MOST_EVENTS = 12;

/**
 * Why a step does not end: the objects that the step applied and that are not healthy, their pods with the claims that have no volume,
 * the warnings about all of them, and the last log lines of the pods that are not ready. Objects that a finalizer keeps from being
 * deleted belong to every step. Without a place: why the Instance is not ready, from all of its objects.
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
  const causes = withoutOwned(suspects);
  const held = objects.filter((object) => object.heldBy !== undefined && !suspects.includes(object));
  const family = withOwned([...causes, ...held], objects);
  const pods = await podsOf(api, key, family, signal);
  const claims = await pendingClaims(api, key, pods, signal);
  const events = await eventsAbout(api, key, { family, pods, claims }, signal);
  return {
    objects: [...causes, ...held].map(({ kind, name, health, heldBy }) => {
      return { kind, name, health, ...(heldBy === undefined ? {} : { heldBy }) };
    }),
    pods: await Promise.all(pods.slice(0, MOST_PODS).map((pod) => explainPod(api, pod, reading))),
    unhealthyPods: pods.length,
    claims,
    events,
  };
}

function isAt({ place }: OwnedObject, wanted: StepPlace): boolean {
  return place.plan === wanted.plan && place.phase === wanted.phase && place.step === wanted.step;
}

/** A ReplicaSet has the place of its Deployment, and is not what the step applied. */
function withoutOwned(objects: readonly OwnedObject[]): OwnedObject[] {
  const uids = new Set(objects.map(({ uid }) => uid));
  return objects.filter(({ owner }) => owner === undefined || !uids.has(owner.uid));
}

/** Suspects, and what they own: the ReplicaSets of a Deployment, the Jobs of a CronJob. */
function withOwned(suspects: readonly OwnedObject[], all: readonly OwnedObject[]): OwnedObject[] {
  const uids = new Set(suspects.map(({ uid }) => uid));
  return [...suspects, ...all.filter(({ uid, owner }) => !uids.has(uid) && owner !== undefined && uids.has(owner.uid))];
}

/** Unhealthy pods that are in the family or owned by it; the newest first. */
async function podsOf(
  api: Api,
  key: InstanceKey,
  family: readonly OwnedObject[],
  signal: AbortSignal | undefined,
): Promise<KubeObject[]> {
  if (family.length === 0) return [];
  const uids = new Set(family.map(({ uid }) => uid));
  const list = await api.list(topics.pods(key.namespace), { labelSelector: `${INSTANCE_LABEL}=${key.name}`, signal });
  return list.items
    .filter((pod) => uids.has(pod.metadata.uid ?? '') || pod.metadata.ownerReferences?.some(({ uid }) => uids.has(uid)))
    .filter((pod) => kubeHealthOf(pod).state !== 'healthy' && stringAt(pod.status, 'phase') !== 'Succeeded')
    .sort((a, b) => (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? ''));
}

/** Claims of the pods that have no volume; none where they cannot be read. */
async function pendingClaims(
  api: Api,
  { namespace }: InstanceKey,
  pods: readonly KubeObject[],
  signal: AbortSignal | undefined,
): Promise<PendingClaim[]> {
  const names = new Set(
    pods
      .flatMap((pod) => arrayAt(pod.spec, 'volumes'))
      .map((volume) => stringAt(volume, 'persistentVolumeClaim', 'claimName')),
  );
  names.delete(undefined);
  if (names.size === 0) return [];
  try {
    const { items } = await api.list({ ...CLAIMS, namespace }, { signal });
    return items
      .filter((claim) => names.has(nameOf(claim)) && stringAt(claim.status, 'phase') !== 'Bound')
      .map((claim) => ({ name: nameOf(claim), storageClass: stringAt(claim.spec, 'storageClassName') ?? '' }));
  } catch (error) {
    if (error instanceof BravoError) return [];
    throw error;
  }
}

const CLAIMS = { group: '', version: 'v1', resource: 'persistentvolumeclaims' };

/** Events that are no warnings, although the pod of the claim waits for a person. */
const CLAIM_WAITS: ReadonlySet<string> = new Set(['FailedBinding', 'ExternalProvisioning']);

async function eventsAbout(
  api: Api,
  key: InstanceKey,
  about: {
    readonly family: readonly OwnedObject[];
    readonly pods: readonly KubeObject[];
    readonly claims: readonly PendingClaim[];
  },
  signal: AbortSignal | undefined,
): Promise<ExplainedEvent[]> {
  const { family, pods, claims } = about;
  const names = new Set([
    ...family.map(({ kind, name }) => `${kind}/${name}`),
    ...pods.map((pod) => `Pod/${nameOf(pod)}`),
    ...claims.map(({ name }) => `PersistentVolumeClaim/${name}`),
  ]);
  // A Job deletes its pods when its deadline has passed; their events stay.
  const jobs = family.filter(({ kind }) => kind === 'Job').map(({ name }) => `Pod/${name}-`);
  const { items } = await api.list(topics.events(key.namespace), { signal });
  return items
    .filter(({ type, reason }) => type === 'Warning' || CLAIM_WAITS.has(String(reason)))
    .map(asExplained)
    .filter(({ object }) => names.has(object) || jobs.some((job) => object.startsWith(job)))
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, MOST_EVENTS);
}

function asExplained(event: KubeObject): ExplainedEvent {
  return {
    object: `${stringAt(event, 'involvedObject', 'kind') ?? ''}/${stringAt(event, 'involvedObject', 'name') ?? ''}`,
    reason: stringAt(event, 'reason') ?? '',
    message: stringAt(event, 'message') ?? '',
    at: stringAt(event, 'lastTimestamp') ?? stringAt(event, 'eventTime') ?? event.metadata.creationTimestamp ?? '',
    count: numberAt(event, 'count') ?? numberAt(event, 'series', 'count') ?? 1,
  };
}
