import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { FieldSet, type PathElement } from './field-set';
import { fieldElement } from './node-type';

/** Fields that have no owner (apiserver managedfields stripMeta). */
const UNOWNED = new FieldSet();
for (const name of ['apiVersion', 'kind', 'metadata']) UNOWNED.insert([fieldElement(name)]);
for (const name of 'name namespace creationTimestamp selfLink uid clusterName generation managedFields resourceVersion'.split(
  ' ',
)) {
  UNOWNED.insert([fieldElement('metadata'), fieldElement(name)]);
}

/** Which part of an object a request may write; the rest is put back by the kind, and so never owned. */
export interface WriteScope {
  /** `status`, `scale` …; empty for the object itself. */
  readonly subresource: string;
  /** The kind has a status subresource, so that the object itself cannot write status. */
  readonly hasStatus: boolean;
}

/** A set without what a request of this scope cannot own. */
export function ownable(set: FieldSet, { subresource, hasStatus }: WriteScope): FieldSet {
  const stripped = set.difference(UNOWNED);
  if (subresource === 'status') return stripped.filterTop((element) => element === STATUS || element === METADATA);
  return hasStatus ? stripped.filterTop((element: PathElement) => element !== STATUS) : stripped;
}

const STATUS = fieldElement('status');
const METADATA = fieldElement('metadata');

/** An object without `metadata.managedFields`; the rest is shared with the original. */
export function withoutManagers(object: JsonObject): JsonObject {
  if (!isJsonObject(object.metadata)) return object;
  const { managedFields: _managers, ...metadata } = object.metadata;
  return { ...object, metadata };
}
