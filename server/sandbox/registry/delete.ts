import { rfc3339 } from '@/lib/clock/rfc3339';
import { cloneJson, jsonEqual, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { objectKey, type StoredObject } from '../store/collection';
import type { WriteContext } from './context';
import { asStored } from './convert';
import { CRD_STORAGE, terminated } from './crd-names';
import { orphansByDefault } from './kind-traits';
import { checkPreconditions, getStored, type ObjectPlace, type Registry, type StoredChange } from './registry';

/** `DeleteOptions` of meta/v1, checked. */
export interface DeleteRequest {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface DeleteResult {
  /** The last state, or the state that waits for its finalizers. */
  readonly stored: StoredObject;
  readonly gone: boolean;
}

/** Deletes an object, or marks it when finalizers, its grace period or a propagation policy keep it for a while. */
export function deleteObject(
  registry: Registry,
  place: ObjectPlace,
  request: DeleteRequest,
  context: WriteContext,
): DeleteResult {
  const current = getStored(registry, place);
  checkPreconditions(place, current.object, request);
  const { subresource } = context;
  const seen = { operation: 'DELETE', ...place, subresource, object: undefined, old: current.object } as const;
  context.gate?.pass(seen);
  context.onValid?.();
  if (place.info.group === '' && place.info.resource === 'namespaces') {
    return deleteNamespace(registry, place, current, context);
  }
  if (place.info.storage === CRD_STORAGE) {
    // A definition is marked and waits for its objects (apiextensions-apiserver pkg/registry/customresourcedefinition).
    return keepMarked(registry, place, { current, object: terminated(current.object, registry.clock.now()) }, context);
  }
  if (
    place.info.storage === 'jobs.batch' &&
    request.propagationPolicy === undefined &&
    request.orphanDependents === undefined
  ) {
    context.warnings.push(
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
    );
  }
  const object = cloneJson(current.object);
  const finalizers = finalizersFor(place, object, request);
  if (finalizers.length > 0) object.metadata.finalizers = finalizers;
  else delete object.metadata.finalizers;
  const grace = gracePeriod(place, object, request);
  const keep = finalizers.length > 0 || grace > 0;
  if (!keep) return removeNow(registry, place, { current, object }, context);
  mark(registry, object, current.object, grace);
  return keepMarked(registry, place, { current, object }, context);
}

/** The finalizers after a deletion request (registry store deletionFinalizersForGarbageCollection). */
function finalizersFor({ info }: ObjectPlace, object: KubeObject, request: DeleteRequest): string[] {
  const before = object.metadata.finalizers ?? [];
  const { orphanDependents, propagationPolicy } = request;
  const said = orphanDependents !== undefined || propagationPolicy !== undefined;
  const orphan = said
    ? orphanDependents === true || propagationPolicy === 'Orphan'
    : before.includes('orphan') || (!before.includes('foregroundDeletion') && orphansByDefault(info));
  const foreground = said ? propagationPolicy === 'Foreground' : before.includes('foregroundDeletion');
  const kept = before.filter((each) => each !== 'orphan' && each !== 'foregroundDeletion');
  if (orphan) kept.push('orphan');
  if (foreground) kept.push('foregroundDeletion');
  return kept;
}

const POD_GRACE_SECONDS = 30;

/** Seconds until the object may go: only pods that run on a node are stopped gracefully (registry/core/pod CheckGracefulDelete). */
function gracePeriod({ info }: ObjectPlace, object: KubeObject, request: DeleteRequest): number {
  if (info.group !== '' || info.resource !== 'pods') return 0;
  const spec = object.spec as { nodeName?: string; terminationGracePeriodSeconds?: number } | undefined;
  const phase = stringAt(object, 'status', 'phase');
  const asked = request.gracePeriodSeconds;
  let period = asked ?? spec?.terminationGracePeriodSeconds ?? POD_GRACE_SECONDS;
  if (period < 0) period = 1;
  if ((spec?.nodeName ?? '') === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
  const pending = object.metadata.deletionGracePeriodSeconds;
  if (object.metadata.deletionTimestamp !== undefined && pending !== undefined) {
    return asked === undefined ? pending : Math.min(pending, period);
  }
  return period;
}

function mark(registry: Registry, object: KubeObject, before: KubeObject, grace: number): void {
  const { metadata } = object;
  const already = before.metadata.deletionTimestamp !== undefined;
  if (already && before.metadata.deletionGracePeriodSeconds === grace) return;
  metadata.deletionTimestamp = rfc3339(registry.clock.now() + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
  if (!already && (metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1;
}

function removeNow(
  registry: Registry,
  place: ObjectPlace,
  { current, object }: StoredChange,
  context: WriteContext,
): DeleteResult {
  const isPod = place.info.group === '' && place.info.resource === 'pods';
  if (isPod) mark(registry, object, current.object, 0);
  if (context.dryRun) return { stored: asStored(object, current.revision), gone: true };
  const { info, namespace, name } = place;
  if (isPod && !jsonEqual(object, current.object)) registry.store.put(info.storage, objectKey(namespace, name), object);
  const last = registry.store.remove(info.storage, objectKey(namespace, name));
  return { stored: last ?? current, gone: true };
}

/** A namespace is marked and waits for the finalizers of its spec (registry/core/namespace). */
function deleteNamespace(
  registry: Registry,
  place: ObjectPlace,
  current: StoredObject,
  context: WriteContext,
): DeleteResult {
  const object = cloneJson(current.object);
  const spec = object.spec as { finalizers?: string[] } | undefined;
  const free = (spec?.finalizers ?? []).length === 0 && (object.metadata.finalizers ?? []).length === 0;
  if (object.metadata.deletionTimestamp !== undefined && free) {
    const last = context.dryRun ? current : registry.store.remove('namespaces', place.name);
    return { stored: last ?? current, gone: true };
  }
  object.metadata.deletionTimestamp ??= rfc3339(registry.clock.now());
  object.status = { ...(object.status as object | undefined), phase: 'Terminating' };
  return keepMarked(registry, place, { current, object }, context);
}

/** Writes an object that waits for its end, unless nothing changed. */
function keepMarked(
  registry: Registry,
  { info, namespace, name }: ObjectPlace,
  { current, object }: StoredChange,
  context: WriteContext,
): DeleteResult {
  if (jsonEqual(object, current.object)) return { stored: current, gone: false };
  if (context.dryRun) return { stored: asStored(object, current.revision), gone: false };
  return { stored: registry.store.put(info.storage, objectKey(namespace, name), object), gone: false };
}
