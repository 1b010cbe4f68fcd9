import { BravoError } from '@/lib/errors/errors';
import { stringAt } from '@/lib/json/json';
import { healthOf } from '@/lib/kube/health/health';
import { labelValueProblem } from '@/lib/kube/label-syntax';
import { type KubeObject, nameOf, type ResourceType } from '@/lib/kube/object';
import { INSTANCE_LABEL, PHASE_ANNOTATION, PLAN_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';
import type { OwnedObject, OwnedObjects } from '@/lib/kudo/owned-object';
import type { Api } from '@/server/kube/api';
import type { InstanceKey } from './read-instance';

/** Kinds that only repeat or report others. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'events',
  'endpoints',
  'endpointslices',
  'controllerrevisions',
  'leases',
  'podtemplates',
]);

const AT_ONCE = 8;

/**
 * Every namespaced object that carries the Instance's label, with its health. Kinds that the person may not read are named
 * in `unreadable`, not passed over in silence.
 */
export async function ownedObjects(api: Api, key: InstanceKey, signal?: AbortSignal): Promise<OwnedObjects> {
  // A name of more than 63 characters is no label's value: nothing can carry it, and selecting by it is a bad request.
  if (labelValueProblem(key.name) !== undefined) return { objects: [], unreadable: [] };
  const { resources } = await api.discover();
  const kinds = onePerKind(resources.filter(isListed));
  const objects: OwnedObject[] = [];
  const unreadable: string[] = [];
  await inParallel(kinds, async (kind) => {
    try {
      const list = await api.list(
        { ...kind, namespace: key.namespace },
        { labelSelector: `${INSTANCE_LABEL}=${key.name}`, signal },
      );
      for (const item of list.items)
        objects.push(describe({ ...item, kind: kind.kind, apiVersion: versionOf(kind) }, kind));
    } catch (error) {
      if (!(error instanceof BravoError)) throw error;
      if (error.reason !== 'NotFound' && error.reason !== 'MethodNotAllowed') unreadable.push(kind.resource);
    }
  });
  objects.sort((a, b) => a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name, 'en', { numeric: true }));
  return { objects, unreadable: unreadable.sort() };
}

function isListed(resource: ResourceType): boolean {
  return (
    resource.namespaced &&
    resource.verbs.includes('list') &&
    !LEFT_OUT.has(resource.resource) &&
    resource.group !== 'metrics.k8s.io' &&
    !(resource.group === 'kudo.dev' && resource.resource !== 'instances')
  );
}

/** A resource served in several versions, or in two groups, is read once: in the first that discovery names. */
function onePerKind(resources: readonly ResourceType[]): ResourceType[] {
  const known = new Map<string, ResourceType>();
  for (const resource of resources) {
    const id = `${resource.group}/${resource.resource}`;
    if (!known.has(id)) known.set(id, resource);
  }
  return [...known.values()];
}

function versionOf({ group, version }: ResourceType): string {
  return group === '' ? version : `${group}/${version}`;
}

function describe(object: KubeObject, kind: ResourceType): OwnedObject {
  const annotations = object.metadata.annotations ?? {};
  const owner = object.metadata.ownerReferences?.[0];
  return {
    group: kind.group,
    version: kind.version,
    resource: kind.resource,
    kind: kind.kind,
    name: nameOf(object),
    uid: object.metadata.uid ?? '',
    createdAt: object.metadata.creationTimestamp ?? '',
    health: hasEnded(object) ? { state: 'healthy', message: 'has ended' } : healthOf(object),
    owner: owner === undefined ? undefined : { kind: owner.kind, name: owner.name, uid: owner.uid },
    place: {
      plan: annotations[PLAN_ANNOTATION] ?? '',
      phase: annotations[PHASE_ANNOTATION] ?? '',
      step: annotations[STEP_ANNOTATION] ?? '',
    },
    note: noteOf(object),
  };
}

/** A pod of a Job that did its work: it waits for nothing. */
function hasEnded(object: KubeObject): boolean {
  return object.kind === 'Pod' && stringAt(object.status, 'phase') === 'Succeeded';
}

/** One fact that people look for in the list. */
function noteOf(object: KubeObject): string {
  if (object.kind === 'PersistentVolumeClaim') return stringAt(object.spec, 'resources', 'requests', 'storage') ?? '';
  if (object.kind === 'Service') return stringAt(object.spec, 'type') ?? '';
  return '';
}

async function inParallel<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
