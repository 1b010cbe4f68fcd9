import type { Clock } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import type { Random } from '@/lib/random/random';
import { alreadyExists, badRequest, conflict, invalidStatus, notFound } from '../errors/status';
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

/** A resource in one namespace. `namespace` is undefined for cluster-scoped resources, and for all namespaces. */
export interface ResourcePlace {
  readonly info: ResourceInfo;
  readonly namespace: string | undefined;
}

/** Which object of a resource. */
export interface ObjectPlace extends ResourcePlace {
  readonly name: string;
}

/** What is stored, and what takes its place. */
export interface StoredChange {
  readonly current: StoredObject;
  readonly object: KubeObject;
}

/** What a write makes of an object; `old` is the object before an update. */
export interface WrittenObject {
  readonly object: KubeObject;
  readonly old?: KubeObject;
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
  if (errors.length > 0) throw invalidStatus(info, name, errors);
}

/** 409 unless the object is the one that the preconditions mean. */
export function checkPreconditions(
  { info, name }: ObjectPlace,
  { metadata }: KubeObject,
  wanted: { uid?: string | undefined; resourceVersion?: string | undefined },
): void {
  // Namespaces have their own words for it (registry/core/namespace Delete).
  const isNamespace = info.storage === 'namespaces';
  const named = isNamespace ? info : { group: info.group, resource: info.kind };
  for (const [field, word, what] of PRECONDITIONS) {
    const [want, have] = [wanted[field], metadata[field]];
    if (want === undefined || want === have) continue;
    const text = isNamespace
      ? `Precondition failed: ${word} in precondition: ${want}, ${word} in object meta: ${have}`
      : `the ${word} in the precondition (${want}) does not match the ${word} in record (${have}). The object might have been ${what}`;
    throw conflict(named, name, text);
  }
}

const PRECONDITIONS = [
  ['uid', 'UID', 'deleted and then recreated'],
  ['resourceVersion', 'ResourceVersion', 'modified'],
] as const;

/** 409 unless a write names the present version of its object, or none. */
export function checkVersion({ info, name }: ObjectPlace, given: string | undefined, current: KubeObject): void {
  if (given === undefined || given === '' || given === current.metadata.resourceVersion) return;
  const text = 'the object has been modified; please apply your changes to the latest version and try again';
  throw conflict(info, name, text);
}

/** 400 unless the object has the name of the path; `missing` says that it has none. */
export function refuseOtherName(
  { name }: ObjectPlace,
  given: string | undefined,
  missing = 'name must be provided',
): void {
  if (given === undefined || given === '') throw badRequest(missing);
  if (given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

/** 409 for a create of an object that exists. */
export function refuseExisting(place: ObjectPlace, existing: KubeObject): never {
  const error = alreadyExists(place.info, place.name);
  if (existing.metadata.deletionTimestamp === undefined) throw error;
  error.status.message = `object is being deleted: ${error.status.message}`;
  throw error;
}
