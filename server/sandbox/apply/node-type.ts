import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { type JsonSchema, memberSchema } from '@/lib/schema/json-schema';
import type { PathElement } from './field-set';

/** How a value is merged: as one, element by element, or member by member (structured-merge-diff schema.Atom). */
export type NodeType = 'atomic' | 'list' | 'map';

/** Schemas that say nothing of a value; its own shape decides: objects member by member, lists as one. */
const DEDUCED: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true };

/** How a value of a schema is merged. `value` decides where the schema does not. */
export function nodeType(schema: JsonSchema, value: JsonValue | undefined): NodeType {
  if (schema['x-kubernetes-int-or-string'] === true) return 'atomic';
  if (schema.type === 'array') {
    const listType = schema['x-kubernetes-list-type'];
    return listType === 'map' || listType === 'set' ? 'list' : 'atomic';
  }
  if (schema.type === 'object') {
    if (schema['x-kubernetes-map-type'] === 'atomic') return 'atomic';
    if (schema.properties !== undefined || schema.additionalProperties !== undefined) return 'map';
    return schema.component === undefined ? 'map' : 'atomic';
  }
  if (schema.type !== undefined && schema.type !== '') return 'atomic';
  const deduces = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return deduces && isJsonObject(value) ? 'map' : 'atomic';
}

/** A member of an object: its schema, and whether the schema names it. Undefined when the schema does not know it. */
export interface MemberType {
  readonly schema: JsonSchema;
  readonly named: boolean;
}

export function memberType(schema: JsonSchema, name: string): MemberType | undefined {
  const named = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
  const found = memberSchema(schema, name);
  if (found !== undefined) return { schema: found, named };
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true) {
    return { schema: DEDUCED, named: false };
  }
  return undefined;
}

/** {@link memberType}, where an unknown member is taken by its shape. */
export function memberTypeOrDeduced(schema: JsonSchema, name: string): MemberType {
  return memberType(schema, name) ?? { schema: DEDUCED, named: false };
}

/** The schema of the elements of a list. */
export function itemType(schema: JsonSchema): JsonSchema {
  return schema.items ?? DEDUCED;
}

/** The element of a path for a member of an object. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/**
 * The element of a path for an element of a list: by its keys (missing ones take their default), or by its value in a
 * set. Undefined when it has none of the keys.
 */
export function itemElement(schema: JsonSchema, item: JsonValue): PathElement | undefined {
  if (schema['x-kubernetes-list-type'] === 'set') return `v:${JSON.stringify(item)}`;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const found: JsonObject = {};
  for (const key of [...keys].sort()) {
    const value = isJsonObject(item) ? item[key] : undefined;
    const given = value ?? itemType(schema).properties?.[key]?.default;
    if (given !== undefined && given !== null) found[key] = given;
  }
  return Object.keys(found).length === 0 ? undefined : `k:${JSON.stringify(found)}`;
}

/** A path as Kubernetes prints it: `.spec.containers[name="c"].image`. */
export function printPath(path: readonly PathElement[]): string {
  return path.map(printElement).join('');
}

export function printElement(element: PathElement): string {
  const text = element.slice(2);
  switch (element.slice(0, 2)) {
    case 'f:':
      return `.${text}`;
    case 'v:':
      return `[=${text}]`;
    case 'i:':
      return `[${text}]`;
    default: {
      const keys: unknown = JSON.parse(text);
      const parts = Object.entries(isJsonObject(keys) ? keys : {}).map(
        ([key, value]) => `${key}=${JSON.stringify(value)}`,
      );
      return `[${parts.join(',')}]`;
    }
  }
}
