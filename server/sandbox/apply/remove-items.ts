import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { FieldSet } from './field-set';
import { itemType, memberTypeOrDeduced, nodeType } from './node-type';
import { fieldElement, itemElement } from './path-element';

/**
 * An object without the fields of a set (structured-merge-diff TypedValue.RemoveItems). What becomes empty by it
 * becomes null.
 */
export function removeItems(value: JsonValue, set: FieldSet, schema: JsonSchema): JsonValue {
  if (set.isEmpty()) return value;
  const type = nodeType(schema, value);
  if (type === 'list' && Array.isArray(value)) return removeFromList(value, set, schema);
  if (type === 'map' && isJsonObject(value)) return removeFromMap(value, set, schema);
  return value;
}

function removeFromList(list: readonly JsonValue[], set: FieldSet, schema: JsonSchema): JsonValue {
  const kept: JsonValue[] = [];
  for (const item of list) {
    const element = itemElement(schema, item);
    if (element !== undefined && set.has(element)) continue;
    const below = element === undefined ? undefined : set.below(element);
    kept.push(below === undefined ? item : removeItems(item, below, itemType(schema)));
  }
  return kept.length > 0 ? kept : null;
}

function removeFromMap(map: JsonObject, set: FieldSet, schema: JsonSchema): JsonValue {
  const kept: JsonObject = {};
  for (const [name, member] of Object.entries(map)) {
    const element = fieldElement(name);
    if (set.has(element)) continue;
    const below = set.below(element);
    const inner = memberTypeOrDeduced(schema, name).schema;
    setOwn(kept, name, below === undefined ? member : removeItems(member, below, inner));
  }
  return Object.keys(kept).length > 0 ? kept : null;
}
