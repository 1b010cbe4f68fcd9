import { isJsonObject } from '@/lib/json/json';
import { invalid, notSupported, required } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { Faults } from '../base/kind-rules';

const TYPES = ['atomic', 'set', 'map'];
const ATOMIC = 'must be atomic as item of a list with x-kubernetes-list-type=set';

/** `x-kubernetes-list-type` and `x-kubernetes-list-map-keys` of one schema (apiextensions validation). */
export function validateListTypes(schema: JsonSchema, path: string, faults: Faults): void {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const items = isJsonObject(schema.items) ? (schema.items as JsonSchema) : undefined;
  if (listType !== undefined) {
    const text = 'must be array if x-kubernetes-list-type is specified';
    if (schema.type === undefined || schema.type === '') faults.push(required(`${path}.type`, text));
    else if (schema.type !== 'array') faults.push(invalid(`${path}.type`, schema.type, text));
    else if (listType === 'set' && items !== undefined) validateSetItems(items, path, faults);
    if (!TYPES.includes(listType)) faults.push(notSupported(`${path}.x-kubernetes-list-type`, listType, TYPES));
  }
  if (listType === 'map') validateMapItems(keys, path, faults);
  if (items !== undefined && listType === 'map') validateKeys(items, keys, path, faults);
}

function validateSetItems(items: JsonSchema, path: string, faults: Faults): void {
  const itemType = items['x-kubernetes-list-type'];
  // The API server prints the list type of the items, which objects lack.
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    faults.push(invalid(`${path}.items.x-kubernetes-map-type`, itemType ?? null, ATOMIC));
  }
}

function validateMapItems(keys: readonly string[], path: string, faults: Faults): void {
  const field = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) faults.push(required(field, 'must not be empty if x-kubernetes-list-type is map'));
}

/** A key is required or has a default. */
function validateKeys(items: JsonSchema, keys: readonly string[], path: string, faults: Faults): void {
  const key = 'this property is in x-kubernetes-list-map-keys, so it';
  for (const name of keys) {
    const property = items.properties?.[name];
    if (property === undefined) continue;
    const field = `${path}.items.properties[${name}]`;
    if (property.default === undefined && items.required?.includes(name) !== true) {
      faults.push(required(`${field}.default`, `${key} must have a default or be a required property`));
    }
  }
}
