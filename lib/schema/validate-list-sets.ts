import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { duplicate, invalid, printed, type SchemaFieldError } from './field-error';
import type { JsonSchema } from './json-schema';

/**
 * Lists of type set that hold a value twice, and lists of type map that hold a key twice (Kubernetes apiextensions
 * schema/listtype). Each value is told once, at its second place, however often it comes.
 */
export function validateListSets(value: JsonValue, schema: JsonSchema, path = ''): SchemaFieldError[] {
  const errors: SchemaFieldError[] = [];
  visit(value, schema, path, errors);
  return errors;
}

function visit(value: JsonValue, schema: JsonSchema, path: string, errors: SchemaFieldError[]): void {
  if (Array.isArray(value)) visitList(value, schema, path, errors);
  else if (isJsonObject(value)) visitMembers(value, schema, path, errors);
}

function visitList(list: readonly JsonValue[], schema: JsonSchema, path: string, errors: SchemaFieldError[]): void {
  const { items, 'x-kubernetes-list-type': listType } = schema;
  if (listType === 'set') {
    for (const index of repeated(list)) errors.push(duplicate(`${path}[${index}]`, list[index]));
  } else if (listType === 'map') errors.push(...validateMap(list, schema, path));
  if (items === undefined) return;
  for (const [index, item] of list.entries()) visit(item, items, `${path}[${index}]`, errors);
}

function visitMembers(object: JsonObject, schema: JsonSchema, path: string, errors: SchemaFieldError[]): void {
  const { properties, additionalProperties } = schema;
  for (const [name, member] of Object.entries(object)) {
    if (isJsonObject(additionalProperties))
      visit(member, additionalProperties as JsonSchema, `${path}[${name}]`, errors);
    const property = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property !== undefined) visit(member, property, path === '' ? name : `${path}.${name}`, errors);
  }
}

function validateMap(list: readonly JsonValue[], schema: JsonSchema, path: string): SchemaFieldError[] {
  const odd = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (odd >= 0) {
    return [invalid(`${path}[${odd}]`, list[odd], 'must be an object for an array of list-type map')];
  }
  const identities = list.map((item) => keysOf(item, schema['x-kubernetes-list-map-keys'] ?? []));
  return repeated(identities).map((index) => duplicate(`${path}[${index}]`, identities[index]));
}

function keysOf(item: JsonValue, keys: readonly string[]): JsonObject {
  const found: JsonObject = {};
  for (const key of keys) if (isJsonObject(item) && item[key] !== undefined) found[key] = item[key];
  return found;
}

/** Where values come for the second time. */
function repeated(list: readonly JsonValue[]): number[] {
  const seen = new Map<string, number>();
  const found: number[] = [];
  for (const [index, value] of list.entries()) {
    const identity = printed(value);
    const times = seen.get(identity) ?? 0;
    if (times === 1) found.push(index);
    seen.set(identity, times + 1);
  }
  return found;
}
