import { cloneJson, type JsonObject, jsonEqual, numberAt, objectAt, setOwn, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { controllerReference, type WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { createdMs } from '../pods/pod-state';
import { stringMap } from '../pods/pod-template';
import { encodeHash, hashJson } from '../pods/template-hash';

export const REVISION = 'deployment.kubernetes.io/revision';
const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
const DESIRED = 'deployment.kubernetes.io/desired-replicas';
const MAX = 'deployment.kubernetes.io/max-replicas';
const HASH_LABEL = 'pod-template-hash';

/** Annotations of a Deployment that its ReplicaSets do not take over. */
const NOT_COPIED = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  REVISION,
  REVISION_HISTORY,
  DESIRED,
  MAX,
]);

/** A Deployment with its ReplicaSets: the one of the present template, if there is one, and all others, oldest first. */
export interface Rollout {
  readonly deployment: KubeObject;
  readonly current: KubeObject | undefined;
  readonly old: readonly KubeObject[];
}

/** `spec.replicas` of a Deployment or ReplicaSet. */
export function replicasOf(object: KubeObject): number {
  return numberAt(object, 'spec', 'replicas') ?? 1;
}

/** The revision in the annotations of a ReplicaSet or Deployment, 0 without one. */
export function revisionOf(object: KubeObject): number {
  return Number(object.metadata.annotations?.[REVISION] ?? 0) || 0;
}

/** Splits the ReplicaSets by whether their template is the Deployment's, the hash label aside; the oldest match wins. */
export function splitReplicaSets(deployment: KubeObject, sets: readonly KubeObject[]): Rollout {
  const sorted = [...sets].sort((a, b) => createdMs(a) - createdMs(b) || (nameOf(a) < nameOf(b) ? -1 : 1));
  const wanted = objectAt(deployment, 'spec', 'template');
  const current = sorted.find((set) => jsonEqual(withoutHash(objectAt(set, 'spec', 'template')), withoutHash(wanted)));
  return { deployment, current, old: sorted.filter((set) => set !== current) };
}

function withoutHash(template: JsonObject): JsonObject {
  const copy = cloneJson(template);
  const labels = objectAt(copy, 'metadata', 'labels');
  delete labels[HASH_LABEL];
  return copy;
}

/** Makes the ReplicaSet of the present template with so many replicas (Kubernetes getNewReplicaSet). */
export function createReplicaSet(
  context: WorkloadContext,
  deployment: KubeObject,
  revision: number,
  replicas: number,
): KubeObject {
  const template = cloneJson(objectAt(deployment, 'spec', 'template'));
  const hash = encodeHash(hashJson(template));
  const labels = { ...stringMap(objectAt(template, 'metadata', 'labels')), [HASH_LABEL]: hash };
  const minReadySeconds = numberAt(deployment, 'spec', 'minReadySeconds');
  const selector = objectAt(deployment, 'spec', 'selector');
  return context.create(resources.replicasets, {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${nameOf(deployment)}-${hash}`,
      namespace: namespaceOf(deployment),
      labels,
      annotations: wantedAnnotations(deployment, undefined, revision),
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds === undefined || minReadySeconds === 0 ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...objectAt(selector, 'matchLabels'), [HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...objectAt(template, 'metadata'), labels } },
    },
  });
}

/** Brings annotations, revision and minReadySeconds of the present ReplicaSet up to date. */
export function syncReplicaSet(context: WorkloadContext, rollout: Rollout, revision: number): KubeObject | undefined {
  const { deployment, current } = rollout;
  if (current === undefined) return undefined;
  return context.update(resources.replicasets, current, (copy) => {
    copy.metadata.annotations = wantedAnnotations(deployment, current, revision);
    const minReadySeconds = numberAt(deployment, 'spec', 'minReadySeconds') ?? 0;
    const spec = objectAt(copy, 'spec');
    if ((numberAt(spec, 'minReadySeconds') ?? 0) !== minReadySeconds) spec.minReadySeconds = minReadySeconds;
  });
}

/** The annotations of the present ReplicaSet (Kubernetes SetNewReplicaSetAnnotations). */
function wantedAnnotations(
  deployment: KubeObject,
  set: KubeObject | undefined,
  revision: number,
): { [key: string]: string } {
  const annotations: { [key: string]: string } = { ...set?.metadata.annotations };
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) {
    if (!NOT_COPIED.has(key)) setOwn(annotations, key, value);
  }
  const before = set === undefined ? 0 : revisionOf(set);
  if (before < revision) {
    annotations[REVISION] = String(revision);
    if (before > 0) {
      const history = annotations[REVISION_HISTORY];
      annotations[REVISION_HISTORY] = history === undefined ? String(before) : `${history},${before}`;
    }
  }
  if (set === undefined) Object.assign(annotations, replicasAnnotations(deployment));
  return annotations;
}

/** What a scaled ReplicaSet remembers of its Deployment's size. */
export function replicasAnnotations(deployment: KubeObject): { [key: string]: string } {
  const replicas = replicasOf(deployment);
  const max = replicas + (isRolling(deployment) ? surgeOf(deployment) : 0);
  return { [DESIRED]: String(replicas), [MAX]: String(max) };
}

export function isRolling(deployment: KubeObject): boolean {
  return (stringAt(deployment, 'spec', 'strategy', 'type') ?? 'RollingUpdate') === 'RollingUpdate';
}

/** `maxSurge` in pods, percentages rounded up. */
export function surgeOf(deployment: KubeObject): number {
  return fenceposts(deployment).surge;
}

/** `maxUnavailable` in pods, percentages rounded down; 1 when both would be 0. For Recreate 0. */
export function unavailableOf(deployment: KubeObject): number {
  if (!isRolling(deployment)) return 0;
  return Math.min(fenceposts(deployment).unavailable, replicasOf(deployment));
}

function fenceposts(deployment: KubeObject): { surge: number; unavailable: number } {
  const rolling = objectAt(deployment, 'spec', 'strategy', 'rollingUpdate');
  const replicas = replicasOf(deployment);
  const surge = scaleValue(rolling.maxSurge ?? '25%', replicas, Math.ceil);
  const unavailable = scaleValue(rolling.maxUnavailable ?? '25%', replicas, Math.floor);
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable };
}

/** An IntOrString against a total: `25%` of 10 is 2.5, rounded as the caller wants. */
export function scaleValue(value: unknown, total: number, round: (exact: number) => number): number {
  if (typeof value === 'number') return value;
  const text = String(value);
  if (text.endsWith('%')) return round((Number(text.slice(0, -1)) * total) / 100) || 0;
  return Number(text) || 0;
}
