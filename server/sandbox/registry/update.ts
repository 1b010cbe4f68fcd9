import { arrayAt, jsonEqual } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { invalid } from '@/lib/schema/field-error';
import { conflict, invalidStatus } from '../errors/status';
import { objectKey, type StoredObject } from '../store/collection';
import type { WriteContext } from './context';
import { asStored, inVersion } from './convert';
import { createObject, dropDuplicateOwners, settleNamespace } from './create';
import { createsOnUpdate, needsVersion, reportsMetadataOnce } from './kind-traits';
import { trackUpdate } from './managed-fields';
import { refuseEscalation } from './refuse-escalation';
import {
  checkVersion,
  findStored,
  getStored,
  type ObjectPlace,
  type Registry,
  refuseInvalid,
  refuseOtherName,
  type StoredChange,
} from './registry';
import { putObject } from './store-write';
import { strategyContextOf } from './strategy-context';
import { validateMetadata, validateMetadataUpdate } from './validate-metadata';

export interface WriteResult {
  readonly stored: StoredObject;
  readonly created: boolean;
}

/** PUT of a decoded and defaulted object that the caller gives away. */
export function replaceObject(
  registry: Registry,
  place: ObjectPlace,
  object: KubeObject,
  context: WriteContext,
): WriteResult {
  const { info, namespace } = place;
  refuseOtherName(place, object.metadata.name);
  settleNamespace(info, namespace, object);
  const existing = findStored(registry, place);
  if (existing === undefined && createsOnUpdate(info) && context.subresource === undefined) {
    context.authorizeCreate?.();
    return { stored: createObject(registry, place, object, context), created: true };
  }
  const current = existing ?? getStored(registry, place);
  checkIdentity(place, object, current.object);
  return { stored: writeUpdate(registry, place, { current, object }, context), created: false };
}

/** 409 for another object or version, 422 without a version for kinds that need one. */
function checkIdentity(place: ObjectPlace, object: KubeObject, current: KubeObject): void {
  const { info, name } = place;
  const { uid, resourceVersion = '' } = object.metadata;
  if (uid !== undefined && uid !== '' && uid !== current.metadata.uid) {
    const key = `/registry/${info.resource}/${place.namespace ?? ''}/${name}`;
    throw conflict(
      info,
      name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`,
    );
  }
  if (resourceVersion !== '' && resourceVersion !== '0') checkVersion(place, resourceVersion, current);
  else if (needsVersion(info)) {
    const error = invalid('metadata.resourceVersion', 0, 'must be specified for an update');
    throw invalidStatus({ group: info.group, kind: info.resource }, name, [error]);
  }
}

/**
 * The common end of PUT and PATCH: fields that clients cannot set are kept, the kind's own preparation and validation run,
 * an unchanged object is not written, and an object without finalizers that waits for deletion goes.
 */
export function writeUpdate(
  registry: Registry,
  place: ObjectPlace,
  { current, object: given }: StoredChange,
  context: WriteContext,
): StoredObject {
  const { info, namespace, name } = place;
  const old = inVersion(info, current).object;
  const { subresource } = context;
  const seen = { operation: 'UPDATE', info, namespace, name, subresource, object: given, old } as const;
  const object = context.gate?.pass(seen) ?? given;
  const strategyContext = strategyContextOf(registry, context);
  keepServerFields(object, old);
  refuseEscalation(registry, info, { object, old }, context);
  info.strategy.prepareForUpdate(object, old, strategyContext);
  keepGeneration(place, object, old, subresource);
  dropDuplicateOwners(object, context);
  trackUpdate(registry, info, { object, old }, context);
  const metadataErrors = validateMetadataUpdate(info, object, old);
  // Kubernetes checks metadata twice, in the registry and in most kinds' strategies, and reports both.
  refuseInvalid(info, name, [
    ...metadataErrors,
    ...info.strategy.validateUpdate(object, old, strategyContext),
    ...(reportsMetadataOnce(info) ? [] : metadataErrors),
    // ConfigMaps are validated whole by two more checks of every update.
    ...(info.storage === 'configmaps' ? [1, 2].flatMap(() => validateMetadata(info, object)) : []),
  ]);
  context.onValid?.();
  object.metadata.resourceVersion = current.object.metadata.resourceVersion ?? '';
  if (isFinished(place, object)) {
    if (!context.dryRun) registry.store.remove(info.storage, objectKey(namespace, name));
    return asStored(object, current.revision);
  }
  if (context.dryRun || jsonEqual(object, old)) return asStored(object, current.revision);
  return putObject(registry, place, object);
}

/** Absent means unchanged for what only the server sets; a given other value is refused by the validation. */
function keepServerFields(object: KubeObject, old: KubeObject): void {
  const next = object.metadata as Record<string, unknown>;
  const before = old.metadata as Record<string, unknown>;
  delete next.selfLink;
  for (const field of ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'generateName']) {
    if ((next[field] ?? '') === '' && before[field] !== undefined) next[field] = before[field];
  }
  if (before.creationTimestamp !== undefined) next.creationTimestamp = before.creationTimestamp;
}

function keepGeneration({ info }: ObjectPlace, object: KubeObject, old: KubeObject, subresource?: string): void {
  const { generation } = old.metadata;
  const grows = subresource !== 'status' && info.strategy.bumpsGeneration(object, old);
  const next = grows ? (generation ?? 0) + 1 : generation;
  if (next === undefined) delete object.metadata.generation;
  else object.metadata.generation = next;
}

/** True when nothing keeps a deleted object any more. Namespaces are also kept by `spec.finalizers`. */
function isFinished({ info }: ObjectPlace, object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds !== 0 || finalizers.length > 0) return false;
  return info.storage !== 'namespaces' || arrayAt(object, 'spec', 'finalizers').length === 0;
}
