import { jsonEqual } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { badRequest, conflict, invalid } from '../errors/status';
import { objectKey, type StoredObject } from '../store/collection';
import type { WriteContext } from './context';
import { inVersion } from './convert';
import { createObject, dropDuplicateOwners, settleNamespace } from './create';
import { createsOnUpdate, needsVersion, repeatedMetadataChecks, reportsMetadataOnce } from './kind-traits';
import { trackUpdate } from './managed-fields';
import { refuseEscalation } from './refuse-escalation';
import { findStored, getStored, type ObjectPlace, type Registry, refuseInvalid } from './registry';
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
  const { info, namespace, name } = place;
  const given = object.metadata.name ?? '';
  if (given === '') throw badRequest('name must be provided');
  if (given !== name) {
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  }
  settleNamespace(info, namespace, object);
  const existing = findStored(registry, place);
  if (existing === undefined && createsOnUpdate(info) && context.subresource === undefined) {
    context.authorizeCreate?.();
    return { stored: createObject(registry, info, namespace, object, context), created: true };
  }
  const current = existing ?? getStored(registry, place);
  checkVersion(place, object, current.object);
  return { stored: writeUpdate(registry, place, current, object, context), created: false };
}

function checkVersion(place: ObjectPlace, object: KubeObject, current: KubeObject): void {
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
  if (resourceVersion === '' || resourceVersion === '0') {
    if (!needsVersion(info)) return;
    throw invalid({ group: info.group, kind: info.resource }, name, [
      {
        field: 'metadata.resourceVersion',
        type: 'FieldValueInvalid',
        message: 'Invalid value: 0: must be specified for an update',
      },
    ]);
  }
  if (resourceVersion !== current.metadata.resourceVersion) {
    throw conflict(
      info,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }
}

/**
 * The common end of PUT and PATCH: fields that clients cannot set are kept, the kind's own preparation and validation run,
 * an unchanged object is not written, and an object without finalizers that waits for deletion goes.
 */
export function writeUpdate(
  registry: Registry,
  place: ObjectPlace,
  current: StoredObject,
  given: KubeObject,
  context: WriteContext,
): StoredObject {
  const { info, namespace, name } = place;
  const old = inVersion(info, current).object;
  const { subresource } = context;
  const seen = { operation: 'UPDATE', info, namespace, name, subresource, object: given, old } as const;
  const object = context.gate?.pass(seen) ?? given;
  const strategyContext = strategyContextOf(registry, context);
  keepServerFields(object, old);
  refuseEscalation(registry, info, object, context, old);
  info.strategy.prepareForUpdate(object, old, strategyContext);
  keepGeneration(place, object, old, subresource);
  dropDuplicateOwners(object, context);
  trackUpdate(registry, info, object, old, context);
  const metadataErrors = validateMetadataUpdate(info, object, old);
  // Kubernetes checks metadata twice, in the registry and in most kinds' strategies, and reports both.
  refuseInvalid(info, name, [
    ...metadataErrors,
    ...info.strategy.validateUpdate(object, old, strategyContext),
    ...(reportsMetadataOnce(info) ? [] : metadataErrors),
    ...repeatedMetadataChecks(info).flatMap(() => validateMetadata(info, object)),
  ]);
  context.onValid?.();
  object.metadata.resourceVersion = current.object.metadata.resourceVersion ?? '';
  if (isFinished(place, object)) {
    if (!context.dryRun) registry.store.remove(info.storage, objectKey(namespace, name));
    return asStored(object, current.revision);
  }
  if (jsonEqual(object, old)) return asStored(object, current.revision);
  if (context.dryRun) return asStored(object, current.revision);
  return putObject(registry, place, object);
}

function asStored(object: KubeObject, revision: number): StoredObject {
  const { kind, apiVersion, ...rest } = object;
  return { object, revision, json: JSON.stringify({ kind, apiVersion, ...rest }) };
}

/** Absent means unchanged for what only the server sets; a given other value is refused by the validation. */
function keepServerFields(object: KubeObject, old: KubeObject): void {
  const next = object.metadata as Record<string, unknown>;
  const before = old.metadata as Record<string, unknown>;
  delete next.selfLink;
  for (const field of ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'generateName']) {
    const value = next[field];
    if ((value === undefined || value === null || value === '') && before[field] !== undefined)
      next[field] = before[field];
  }
  if (before.creationTimestamp !== undefined) next.creationTimestamp = before.creationTimestamp;
}

function keepGeneration({ info }: ObjectPlace, object: KubeObject, old: KubeObject, subresource?: string): void {
  const { generation } = old.metadata;
  if (subresource !== 'status' && info.strategy.bumpsGeneration(object, old)) {
    object.metadata.generation = (generation ?? 0) + 1;
  } else if (generation === undefined) {
    delete object.metadata.generation;
  } else {
    object.metadata.generation = generation;
  }
}

/** True when nothing keeps a deleted object any more. Namespaces are also kept by `spec.finalizers`. */
function isFinished({ info }: ObjectPlace, object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds !== 0 || finalizers.length > 0) return false;
  if (info.group !== '' || info.resource !== 'namespaces') return true;
  const spec = object.spec as { finalizers?: unknown[] } | undefined;
  return (spec?.finalizers ?? []).length === 0;
}
