import { jsonEqual } from '@/lib/json/json';
import type { GroupVersionResource, KubeObject, OwnerReference } from '@/lib/kube/object';
import { namespaceOf } from '@/lib/kube/object';
import type { ObjectEvent } from '../../api';
import type { Controller, WorkloadContext } from '../core/context';
import { isStatusCode } from '../core/failures';
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
export function garbageCollector(context: WorkloadContext): Controller {
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
        if (isWaitingOwner(context, owner)) yield `/${owner.uid}`;
      }
    },
    reconcile(_, uid) {
      const entry = context.index.get(uid);
      const object = entry === undefined ? undefined : context.api.get(entry.key);
      if (entry === undefined || object === undefined || object.metadata.uid !== uid) return undefined;
      if (object.metadata.deletionTimestamp !== undefined) return endOwner(context, entry, object);
      return keepOrDelete(context, entry, object);
    },
  };
}

/** An object with owners is checked when it comes and when its references change. */
function concerns({ object, type }: ObjectEvent, before: KubeObject | undefined): boolean {
  const { ownerReferences = [], finalizers = [], deletionTimestamp } = object.metadata;
  if (deletionTimestamp === undefined) {
    if (ownerReferences.length === 0) return false;
    return type === 'ADDED' || !jsonEqual(before?.metadata.ownerReferences, ownerReferences);
  }
  return finalizers.includes(ORPHAN) || finalizers.includes(FOREGROUND);
}

function isWaitingOwner(context: WorkloadContext, owner: OwnerReference): boolean {
  const metadata = context.index.get(owner.uid)?.object.metadata;
  return metadata?.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(FOREGROUND);
}

/** An owner that is being deleted: frees or awaits its dependents, then loses the finalizer. */
function endOwner(context: WorkloadContext, entry: IndexedObject, object: KubeObject): undefined {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(ORPHAN)) {
    for (const dependent of dependentsOf(context, object))
      removeOwners(context, dependent, [object.metadata.uid ?? '']);
    removeFinalizer(context, entry, object, ORPHAN);
  } else if (finalizers.includes(FOREGROUND)) {
    const blocking = dependentsOf(context, object).filter((each) => blocks(each.object, object.metadata.uid ?? ''));
    if (blocking.length === 0) removeFinalizer(context, entry, object, FOREGROUND);
  }
  return undefined;
}

function dependentsOf(context: WorkloadContext, owner: KubeObject): IndexedObject[] {
  const found: IndexedObject[] = [];
  for (const uid of context.index.dependentUids(owner.metadata.uid ?? '')) {
    const entry = context.index.get(uid);
    const object = entry === undefined ? undefined : context.api.get(entry.key);
    if (entry !== undefined && object?.metadata.uid === uid) found.push({ key: entry.key, object });
  }
  return found;
}

function blocks(object: KubeObject, ownerUid: string): boolean {
  return (object.metadata.ownerReferences ?? []).some(
    (owner) => owner.uid === ownerUid && owner.blockOwnerDeletion === true,
  );
}

function keepOrDelete(context: WorkloadContext, entry: IndexedObject, object: KubeObject): undefined {
  const owners = object.metadata.ownerReferences ?? [];
  if (owners.length === 0) return undefined;
  const states = owners.map((owner) => ({ owner, state: stateOf(context, object, owner) }));
  const gone = states.filter(({ state }) => state === 'dangling' || state === 'waiting');
  if (gone.length === 0) return undefined;
  if (states.some(({ state }) => state === 'solid' || state === 'unknown')) {
    removeOwners(
      context,
      { key: entry.key, object },
      gone.map(({ owner }) => owner.uid),
    );
    return undefined;
  }
  const waiting = states.some(({ state }) => state === 'waiting');
  const propagation = waiting && hasDependents(context, object) ? foreground(context, object, entry) : policyOf(object);
  deleteIt(context, entry, object, propagation);
  return undefined;
}

/** A cycle of objects that wait for each other would never end: a dependent that waits already is no longer awaited. */
function foreground(context: WorkloadContext, object: KubeObject, entry: IndexedObject): 'Foreground' {
  const cyclic = dependentsOf(context, object).some(({ object: dependent }) => {
    const { deletionTimestamp, finalizers = [] } = dependent.metadata;
    return deletionTimestamp !== undefined && finalizers.includes(FOREGROUND);
  });
  if (cyclic) unblock(context, entry, object);
  return 'Foreground';
}

function unblock(context: WorkloadContext, entry: IndexedObject, object: KubeObject): void {
  const ownerReferences = (object.metadata.ownerReferences ?? []).map(({ blockOwnerDeletion: _, ...owner }) => ({
    ...owner,
    blockOwnerDeletion: false,
  }));
  context.api.patch(entry.key, { metadata: { ownerReferences } });
}

function policyOf(object: KubeObject): 'Orphan' | 'Foreground' | 'Background' {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background';
}

function hasDependents(context: WorkloadContext, object: KubeObject): boolean {
  return context.index.dependentUids(object.metadata.uid ?? '').size > 0;
}

type OwnerState = 'solid' | 'dangling' | 'waiting' | 'unknown';

/** Looks the owner up by what the reference says, in the dependent's namespace. A kind that is not served is unknown. */
function stateOf(context: WorkloadContext, object: KubeObject, owner: OwnerReference): OwnerState {
  const resource = context.resourceOf(owner.apiVersion, owner.kind);
  if (resource === undefined) return 'unknown';
  const namespace = namespaceOf(object);
  // A cluster-scoped object cannot have a namespaced owner.
  if (resource.namespaced && namespace === '') return 'unknown';
  const { group, version } = resource;
  const found = context.api.get({
    group,
    version,
    resource: resource.resource,
    name: owner.name,
    ...(resource.namespaced ? { namespace } : {}),
  });
  if (found === undefined || found.metadata.uid !== owner.uid) return 'dangling';
  const { deletionTimestamp, finalizers = [] } = found.metadata;
  return deletionTimestamp !== undefined && finalizers.includes(FOREGROUND) ? 'waiting' : 'solid';
}

function removeOwners(context: WorkloadContext, { key, object }: IndexedObject, uids: readonly string[]): void {
  const rest = (object.metadata.ownerReferences ?? []).filter((owner) => !uids.includes(owner.uid));
  const ownerReferences = rest.length === 0 ? null : rest.map((owner) => ({ ...owner }));
  patch(context, key, { metadata: { ownerReferences } });
}

function removeFinalizer(context: WorkloadContext, entry: IndexedObject, object: KubeObject, name: string): void {
  const rest = (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== name);
  patch(context, entry.key, { metadata: { finalizers: rest.length === 0 ? null : rest } });
}

function patch(
  context: WorkloadContext,
  key: IndexedObject['key'],
  body: Parameters<WorkloadContext['api']['patch']>[1],
) {
  try {
    context.api.patch(key, body);
  } catch (error) {
    if (!isStatusCode(error, 404)) throw error;
  }
}

function deleteIt(
  context: WorkloadContext,
  entry: IndexedObject,
  object: KubeObject,
  propagation: 'Foreground' | 'Background' | 'Orphan',
): void {
  const resource: GroupVersionResource = entry.key;
  context.delete(resource, object, { propagation });
}
