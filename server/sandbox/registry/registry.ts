import type { Clock } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import type { Random } from '@/lib/random/random';
import { alreadyExists, conflict, invalid, notFound } from '../errors/status';
import type { FieldError } from '../kinds/base/strategy';
import { objectKey, type StoredObject } from '../store/collection';
import type { ObjectStore } from '../store/object-store';

import type { PostReview } from './post-review';
import type { ResourceInfo } from './resource-info';
import type { ResourceTable } from './resource-table';

/** What the verbs of the registry share. */
export interface Registry {
  readonly store: ObjectStore;
  readonly table: ResourceTable;
  readonly clock: Clock;
  readonly random: Random;
  /** Stands in the place of the network to webhooks. */
  readonly postReview?: PostReview | undefined;
}

/** Which object of a resource. `namespace` is undefined for cluster-scoped resources. */
export interface ObjectPlace {
  readonly info: ResourceInfo;
  readonly namespace: string | undefined;
  readonly name: string;
}

export function findStored(registry: Registry, place: ObjectPlace): StoredObject | undefined {
  return registry.store.get(place.info.storage, objectKey(place.namespace, place.name));
}

/** The stored object, or 404. */
export function getStored(registry: Registry, place: ObjectPlace): StoredObject {
  const stored = findStored(registry, place);
  if (stored === undefined) throw notFound(place.info, place.name);
  return stored;
}

/** Throws 422 when there are errors. */
export function refuseInvalid(info: ResourceInfo, name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(info, name, errors);
}

/** 409 unless the object is the one that the preconditions mean. */
export function checkPreconditions(
  place: ObjectPlace,
  object: KubeObject,
  wanted: { uid?: string | undefined; resourceVersion?: string | undefined },
): void {
  const { uid, resourceVersion } = object.metadata;
  if (place.info.group === '' && place.info.resource === 'namespaces') {
    checkNamespacePreconditions(place, object, wanted);
    return;
  }
  const named = { group: place.info.group, resource: place.info.kind };
  if (wanted.uid !== undefined && wanted.uid !== uid) {
    const text = `the UID in the precondition (${wanted.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflict(named, place.name, text);
  }
  if (wanted.resourceVersion !== undefined && wanted.resourceVersion !== resourceVersion) {
    const text = `the ResourceVersion in the precondition (${wanted.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    throw conflict(named, place.name, text);
  }
}

/** Namespaces have their own words for it (registry/core/namespace Delete). */
function checkNamespacePreconditions(
  place: ObjectPlace,
  object: KubeObject,
  wanted: { uid?: string | undefined; resourceVersion?: string | undefined },
): void {
  const { uid, resourceVersion } = object.metadata;
  if (wanted.uid !== undefined && wanted.uid !== uid) {
    const text = `Precondition failed: UID in precondition: ${wanted.uid}, UID in object meta: ${uid}`;
    throw conflict(place.info, place.name, text);
  }
  if (wanted.resourceVersion !== undefined && wanted.resourceVersion !== resourceVersion) {
    const text = `Precondition failed: ResourceVersion in precondition: ${wanted.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`;
    throw conflict(place.info, place.name, text);
  }
}

/** 409 for a create of an object that exists. */
export function refuseExisting(place: ObjectPlace, existing: KubeObject): never {
  const error = alreadyExists(place.info, place.name);
  if (existing.metadata.deletionTimestamp === undefined) throw error;
  error.status.message = `object is being deleted: ${error.status.message}`;
  throw error;
}
