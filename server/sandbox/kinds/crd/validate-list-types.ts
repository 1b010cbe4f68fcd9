import { isJsonObject } from '@/lib/json/json';
import { forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { Faults } from '../kind-rules';

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
  if (keys.length > 0 && listType !== 'map') {
    const text = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const field = `${path}.x-kubernetes-list-type`;
    faults.push(listType === undefined ? required(field, text) : invalid(field, listType, text));
  }
  if (listType === 'map') validateMapItems(items, keys, path, faults);
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return;
  if (items.nullable === true) {
    faults.push(forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  }
  if (listType === 'map') validateKeys(items, keys, path, faults);
}

function validateSetItems(items: JsonSchema, path: string, faults: Faults): void {
  const itemType = items['x-kubernetes-list-type'];
  if (items.type === 'array' && itemType !== undefined && itemType !== 'atomic') {
    faults.push(invalid(`${path}.items.x-kubernetes-list-type`, itemType, ATOMIC));
  }
  // The API server prints the list type of the items, which objects lack.
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    faults.push(invalid(`${path}.items.x-kubernetes-map-type`, itemType ?? null, ATOMIC));
  }
}

function validateMapItems(items: JsonSchema | undefined, keys: readonly string[], path: string, faults: Faults): void {
  const field = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) faults.push(required(field, 'must not be empty if x-kubernetes-list-type is map'));
  if (items === undefined) {
    faults.push(required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'));
    return;
  }
  if (items.type !== 'object') {
    const text = "must be object if parent array's x-kubernetes-list-type is map";
    faults.push(invalid(`${path}.items.type`, items.type ?? '', text));
    return;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = items.properties?.[key];
    if (property === undefined) faults.push(invalid(field, keys, 'entries must all be names of item properties'));
    else if (property.type === 'array' || property.type === 'object') {
      const text = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      faults.push(invalid(`${path}.items.properties[${key}].type`, items.type, text));
    }
    if (seen.has(key)) faults.push(invalid(field, keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
}

/** A key is always there: required or with a default, and never null. */
function validateKeys(items: JsonSchema, keys: readonly string[], path: string, faults: Faults): void {
  const key = 'this property is in x-kubernetes-list-map-keys, so it';
  for (const name of keys) {
    const property = items.properties?.[name];
    if (property === undefined) continue;
    const field = `${path}.items.properties[${name}]`;
    if (property.default === undefined && items.required?.includes(name) !== true) {
      faults.push(required(`${field}.default`, `${key} must have a default or be a required property`));
    }
    if (property.nullable === true) faults.push(forbidden(`${field}.nullable`, `${key} cannot be nullable`));
  }
}
