import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { type JsonSchema, memberSchema } from '@/lib/schema/json-schema';

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
