import { isJsonObject, type JsonValue } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { FieldSet, type PathElement } from './field-set';
import { itemType, memberTypeOrDeduced, nodeType } from './node-type';
import { fieldElement, itemElement } from './path-element';

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
  return set.withMembers(
    (element) => element.startsWith('f:') && memberTypeOrDeduced(schema, element.slice(2)).named,
    (element, below) => {
      const inner = element.startsWith('f:') ? memberTypeOrDeduced(schema, element.slice(2)).schema : itemType(schema);
      return withNamedFields(below, inner);
    },
  );
}
