import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { FieldSet, type PathElement } from './field-set';
import { fieldElement, itemElement, itemType, memberTypeOrDeduced, nodeType } from './node-type';

/** The fields that a configuration sets (structured-merge-diff TypedValue.ToFieldSet). */
export function toFieldSet(value: JsonValue, schema: JsonSchema): FieldSet {
  const set = new FieldSet();
  collect(value, schema, [], set);
  return set;
}

function collect(value: JsonValue, schema: JsonSchema, path: readonly PathElement[], set: FieldSet): void {
  const type = nodeType(schema, value);
  if (type === 'atomic') set.insert(path);
  else if (type === 'list') {
    if (!Array.isArray(value)) return;
    for (const item of value) {
      const element = itemElement(schema, item);
      if (element === undefined) continue;
      collect(item, itemType(schema), [...path, element], set);
      set.insert([...path, element]);
    }
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const { schema: inner, named } = memberTypeOrDeduced(schema, name);
      const below = [...path, fieldElement(name)];
      collect(member, inner, below, set);
      const empty = member === null || (isJsonObject(member) && Object.keys(member).length === 0);
      if (empty || !named) set.insert(below);
    }
  }
}

/** Adds every named field on the way to a member of the set (structured-merge-diff EnsureNamedFieldsAreMembers). */
export function withNamedFields(set: FieldSet, schema: JsonSchema): FieldSet {
  return set.mapInner((element, below) => {
    if (!element.startsWith('f:')) return { isMember: false, below: withNamedFields(below, itemType(schema)) };
    const { named, schema: inner } = memberTypeOrDeduced(schema, element.slice(2));
    return { isMember: named, below: withNamedFields(below, inner) };
  });
}

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
