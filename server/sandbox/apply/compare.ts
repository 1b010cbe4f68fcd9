import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { FieldSet, type PathElement } from './field-set';
import { itemType, memberTypeOrDeduced, nodeType } from './node-type';
import { fieldElement, itemElement } from './path-element';

/** What changed from one object to another, as sets of fields. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two objects of a schema (structured-merge-diff TypedValue.Compare). */
export function compareObjects(before: JsonValue, after: JsonValue, schema: JsonSchema): Comparison {
  const comparison = { added: new FieldSet(), modified: new FieldSet(), removed: new FieldSet() };
  compare(before, after, schema, [], comparison);
  return comparison;
}

function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  schema: JsonSchema,
  path: readonly PathElement[],
  into: Comparison,
): void {
  if (before === after) return;
  const type = nodeType(schema, after ?? before);
  if (type === 'list' ? bothEmptyLists(before, after) : type === 'map' && bothEmptyMaps(before, after)) {
    leaf(before, after, path, into);
    return;
  }
  if (type === 'atomic' || (type === 'map' && !fitsMap(before, after))) {
    leaf(before, after, path, into);
    return;
  }
  if (type === 'list') compareLists(listOf(before), listOf(after), schema, path, into);
  else compareMaps(mapOf(before), mapOf(after), schema, path, into);
  if (path.length === 0) return;
  if (before === undefined) into.added.insert(path);
  else if (after === undefined) into.removed.insert(path);
}

function leaf(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: readonly PathElement[],
  into: Comparison,
): void {
  if (before === undefined) into.added.insert(path);
  else if (after === undefined) into.removed.insert(path);
  else if (!jsonEqual(before, after)) into.modified.insert(path);
}

/** False when one side is something else than an object or nothing; then the value counts as one. */
function fitsMap(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  return isMapOrNothing(before) && isMapOrNothing(after);
}

function isMapOrNothing(side: JsonValue | undefined): boolean {
  return side === undefined || side === null || isJsonObject(side);
}

function compareMaps(
  before: JsonObject,
  after: JsonObject,
  schema: JsonSchema,
  path: readonly PathElement[],
  into: Comparison,
): void {
  const member = (name: string): void => {
    // Most members are the same on both sides: they cost no schema and no path.
    if (before[name] === after[name]) return;
    compare(before[name], after[name], memberTypeOrDeduced(schema, name).schema, [...path, fieldElement(name)], into);
  };
  for (const name of Object.keys(before)) member(name);
  for (const name of Object.keys(after)) if (!Object.hasOwn(before, name)) member(name);
}

function compareLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  schema: JsonSchema,
  path: readonly PathElement[],
  into: Comparison,
): void {
  const mine = indexItems(before, schema);
  const theirs = indexItems(after, schema);
  for (const element of new Set([...mine.keys(), ...theirs.keys()])) {
    compare(mine.get(element), theirs.get(element), itemType(schema), [...path, element], into);
  }
}

/** The elements of a list by their path elements; of doubles the last one. */
export function indexItems(list: readonly JsonValue[], schema: JsonSchema): Map<PathElement, JsonValue> {
  const index = new Map<PathElement, JsonValue>();
  for (const item of list) {
    const element = itemElement(schema, item);
    if (element !== undefined) index.set(element, item);
  }
  return index;
}

function bothEmptyLists(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return listOf(a).length === 0 && listOf(b).length === 0;
}

function bothEmptyMaps(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return Object.keys(mapOf(a)).length === 0 && Object.keys(mapOf(b)).length === 0;
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

export function mapOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
