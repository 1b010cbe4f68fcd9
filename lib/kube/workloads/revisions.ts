import { arrayAt, cloneJson, getAt, type JsonObject, numberAt, objectAt, stringAt } from '@/lib/json/json';
import { controllerOf, type GroupVersionResource, type KubeObject, nameOf } from '../object';

/** One revision of the pod template of a workload. */
export interface Revision {
  readonly number: number;
  /** The ReplicaSet or ControllerRevision that keeps it. */
  readonly name: string;
  readonly createdAt: string | undefined;
  /** The annotation `kubernetes.io/change-cause`; empty when it is not set. */
  readonly cause: string;
  readonly images: readonly string[];
  /** Pods that run with it; undefined where that is not counted by revision. */
  readonly pods: number | undefined;
  readonly isCurrent: boolean;
  /** The pod template, without what the controller added. */
  readonly template: JsonObject;
}

const CAUSE = 'kubernetes.io/change-cause';
const DEPLOYMENT_REVISION = 'deployment.kubernetes.io/revision';

/** The kind that keeps the revisions of a workload; undefined for kinds without a rollout history. */
export function revisionType(object: Pick<KubeObject, 'apiVersion' | 'kind'>): GroupVersionResource | undefined {
  if (object.apiVersion !== 'apps/v1') return undefined;
  if (object.kind === 'Deployment') return { group: 'apps', version: 'v1', resource: 'replicasets' };
  const hasRevisions = object.kind === 'StatefulSet' || object.kind === 'DaemonSet';
  return hasRevisions ? { group: 'apps', version: 'v1', resource: 'controllerrevisions' } : undefined;
}

/**
 * The revisions of a workload, the newest first.
 *
 * @param kept the ReplicaSets or ControllerRevisions of its namespace; those of others are left out
 */
export function revisionsOf(workload: KubeObject, kept: readonly KubeObject[]): Revision[] {
  const own = kept.filter((each) => controllerOf(each)?.uid === workload.metadata.uid);
  const isDeployment = workload.kind === 'Deployment';
  const revisions = own.map((each) => (isDeployment ? ofReplicaSet(each) : ofControllerRevision(each)));
  const newest = Math.max(0, ...revisions.map(({ number }) => number));
  return revisions
    .map((revision) => ({ ...revision, isCurrent: revision.number === newest }))
    .sort((a, b) => b.number - a.number);
}

function ofReplicaSet(set: KubeObject): Revision {
  const template = cloneJson(objectAt(set, 'spec', 'template'));
  delete objectAt(template, 'metadata', 'labels')['pod-template-hash'];
  const number = Number.parseInt(set.metadata.annotations?.[DEPLOYMENT_REVISION] ?? '0', 10) || 0;
  return { ...common(set, template), number, pods: numberAt(set, 'status', 'replicas') ?? 0 };
}

function ofControllerRevision(revision: KubeObject): Revision {
  const template = cloneJson(objectAt(revision, 'data', 'spec', 'template'));
  // How the strategic merge patch of kubectl replaces the template.
  delete template.$patch;
  return { ...common(revision, template), number: numberAt(revision, 'revision') ?? 0, pods: undefined };
}

function common(keeper: KubeObject, template: JsonObject): Omit<Revision, 'number' | 'pods'> {
  return {
    name: nameOf(keeper),
    createdAt: keeper.metadata.creationTimestamp ?? undefined,
    cause: keeper.metadata.annotations?.[CAUSE] ?? '',
    images: arrayAt(template, 'spec', 'containers').map((container) => stringAt(container, 'image') ?? ''),
    isCurrent: false,
    template,
  };
}

/** Why a workload cannot go back to an older revision now, as `kubectl rollout undo` has it. */
export function undoBlock(workload: KubeObject): string | undefined {
  return getAt(workload, 'spec', 'paused') === true
    ? `The rollout of Deployment ${nameOf(workload)} is paused. Resume it first.`
    : undefined;
}

/**
 * The JSON patch that puts the pod template of a revision back (kubectl rollout undo). It is refused when the workload is not the version
 * that the person saw, because somebody may have changed the template meanwhile.
 */
export function undoPatch(workload: KubeObject, revision: Revision): JsonObject[] {
  return [
    { op: 'test', path: '/metadata/uid', value: workload.metadata.uid ?? '' },
    { op: 'test', path: '/metadata/generation', value: workload.metadata.generation ?? 0 },
    { op: 'replace', path: '/spec/template', value: revision.template },
  ];
}
