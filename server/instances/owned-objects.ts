import { type KubeObject, nameOf, type ResourceType } from '@/lib/kube/object';
import { factOf, healthOfOwned, heldBy } from '@/lib/kudo/inventory/object-facts';
import type { OwnedObject, OwnedObjects } from '@/lib/kudo/inventory/owned-object';
import { PHASE_ANNOTATION, PLAN_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';
import type { Api } from '@/server/kube/api';
import { listOwned } from './list-owned';
import type { InstanceKey } from './read-instance';

/**
 * Every namespaced object with the label of the Instance, with its health. Kinds that the person may not list are in
 * `unreadable`.
 */
export async function ownedObjects(api: Api, key: InstanceKey, signal?: AbortSignal): Promise<OwnedObjects> {
  const { found, unreadable } = await listOwned(api, key, signal);
  const objects = found.map(({ object, kind }) => describe(object, kind));
  objects.sort((a, b) => a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name, 'en', { numeric: true }));
  return { objects, unreadable };
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
    health: healthOfOwned(object),
    ...heldBy(object),
    owner: owner === undefined ? undefined : { kind: owner.kind, name: owner.name, uid: owner.uid },
    place: {
      plan: annotations[PLAN_ANNOTATION] ?? '',
      phase: annotations[PHASE_ANNOTATION] ?? '',
      step: annotations[STEP_ANNOTATION] ?? '',
    },
    note: factOf(object),
  };
}
