import { jsonEqual } from '@/lib/json/json';
import type { KubeObject, OwnerReference } from '@/lib/kube/object';
import { namespaceOf } from '@/lib/kube/object';
import type { ObjectEvent } from '../../api';
import type { WorkloadContext, WorkloadController } from '../core/context';
import type { IndexedObject } from '../core/owner-index';

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';

/**
 * Deletes what lost its owners (Kubernetes pkg/controller/garbagecollector). Keys are uids.
 *
 * An object with owner references is checked when it changes and when an owner changes or goes: an owner is solid
 * (there), dangling (not there, or another uid), or waiting (being deleted in the foreground). One solid owner keeps it
 * and it loses the other references; else it is deleted. A deleted owner with `orphan` frees its dependents first; with
 * `foregroundDeletion` it waits for the dependents that block it.
 */
export function garbageCollector(context: WorkloadContext): WorkloadController {
  return {
    name: 'garbage',
    *keysFor(event, before) {
      if (event.resource.resource === 'customresourcedefinitions') context.forgetResources();
      const { metadata } = event.object;
      const uid = metadata.uid ?? '';
      if (event.type !== 'DELETED' && concerns(event, before)) yield `/${uid}`;
      const ownerChanges = event.type === 'DELETED' || metadata.deletionTimestamp !== undefined;
      if (ownerChanges) for (const dependent of context.index.dependentUids(uid)) yield `/${dependent}`;
      // An owner that waits for its dependents is reconciled when one is deleted or no longer blocks.
      for (const owner of metadata.ownerReferences ?? []) {
        if (isWaiting(context.index.get(owner.uid)?.object)) yield `/${owner.uid}`;
      }
    },
    reconcile(_, uid) {
      const entry = presentOf(context, uid);
      if (entry?.object.metadata.deletionTimestamp !== undefined) endOwner(context, entry);
      else if (entry !== undefined) keepOrDelete(context, entry);
      return undefined;
    },
  };
}

/** An object with owners is checked when it comes and when its references change. */
function concerns({ object, type }: ObjectEvent, before: KubeObject | undefined): boolean {
  const { ownerReferences = [], finalizers = [], deletionTimestamp } = object.metadata;
  if (deletionTimestamp !== undefined) return finalizers.includes(ORPHAN) || finalizers.includes(FOREGROUND);
  if (ownerReferences.length === 0) return false;
  return type === 'ADDED' || !jsonEqual(before?.metadata.ownerReferences, ownerReferences);
}

/** True for an owner that is being deleted in the foreground. */
function isWaiting(owner: KubeObject | undefined): boolean {
  const { deletionTimestamp, finalizers = [] } = owner?.metadata ?? {};
  return deletionTimestamp !== undefined && finalizers.includes(FOREGROUND);
}

/** Where an object is, and the object as it is now. */
function presentOf(context: WorkloadContext, uid: string): IndexedObject | undefined {
  const key = context.index.get(uid)?.key;
  const object = key === undefined ? undefined : context.api.get(key);
  return key === undefined || object?.metadata.uid !== uid ? undefined : { key, object };
}

function dependentsOf(context: WorkloadContext, { object }: IndexedObject): IndexedObject[] {
  const uids = [...context.index.dependentUids(object.metadata.uid ?? '')];
  return uids.map((uid) => presentOf(context, uid)).filter((each) => each !== undefined);
}

/** An owner that is being deleted: frees or awaits its dependents, then loses the finalizer. */
function endOwner(context: WorkloadContext, entry: IndexedObject): void {
  const { uid = '', finalizers = [] } = entry.object.metadata;
  if (finalizers.includes(ORPHAN)) {
    for (const dependent of dependentsOf(context, entry)) removeOwners(context, dependent, [uid]);
    removeFinalizer(context, entry, ORPHAN);
  } else if (finalizers.includes(FOREGROUND)) {
    const isBlocked = dependentsOf(context, entry).some(({ object }) =>
      object.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true),
    );
    if (!isBlocked) removeFinalizer(context, entry, FOREGROUND);
  }
}

function keepOrDelete(context: WorkloadContext, entry: IndexedObject): void {
  const { object, key } = entry;
  const states = (object.metadata.ownerReferences ?? []).map((owner) => ({
    owner,
    state: stateOf(context, object, owner),
  }));
  const gone = states.filter(({ state }) => state !== 'solid').map(({ owner }) => owner.uid);
  if (gone.length === 0) return;
  if (gone.length < states.length) {
    removeOwners(context, entry, gone);
    return;
  }
  const dependents = dependentsOf(context, entry);
  // In a cycle of objects that wait for each other nobody would end: there the second one is deleted at once.
  const isCycle = dependents.some((dependent) => isWaiting(dependent.object));
  const waits = states.some(({ state }) => state === 'waiting') && dependents.length > 0 && !isCycle;
  context.delete(key, object, { propagation: waits ? 'Foreground' : 'Background' });
}

/**
 * Looks the owner up by what the reference says, in the dependent's namespace. An owner whose kind is not served, or that a
 * cluster-scoped object cannot have, counts as there.
 */
function stateOf(
  context: WorkloadContext,
  object: KubeObject,
  owner: OwnerReference,
): 'solid' | 'dangling' | 'waiting' {
  const resource = context.resourceOf(owner.apiVersion, owner.kind);
  const namespace = namespaceOf(object);
  if (resource === undefined || (resource.namespaced && namespace === '')) return 'solid';
  const found = context.get(resource, resource.namespaced ? namespace : '', owner.name);
  if (found?.metadata.uid !== owner.uid) return 'dangling';
  return isWaiting(found) ? 'waiting' : 'solid';
}

function removeOwners(context: WorkloadContext, { key, object }: IndexedObject, uids: readonly string[]): void {
  const rest = (object.metadata.ownerReferences ?? []).filter((owner) => !uids.includes(owner.uid));
  const ownerReferences = rest.length === 0 ? null : rest.map((owner) => ({ ...owner }));
  context.api.patch(key, { metadata: { ownerReferences } });
}

function removeFinalizer(context: WorkloadContext, { key, object }: IndexedObject, name: string): void {
  const rest = (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== name);
  context.api.patch(key, { metadata: { finalizers: rest.length === 0 ? null : rest } });
}
