import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { FieldSet, type PathElement } from './field-set';
import { fieldElement, itemElement, itemType, memberTypeOrDeduced, type NodeType, nodeType } from './node-type';

/** What changed from one object to another, as sets of fields. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

type Side = JsonValue | undefined;
type Path = readonly PathElement[];

/** Compares two objects of a schema (structured-merge-diff TypedValue.Compare). */
export function compareObjects(before: JsonValue, after: JsonValue, schema: JsonSchema): Comparison {
  const comparison = new Comparer();
  comparison.compare([before, after], schema, []);
  return comparison;
}

class Comparer implements Comparison {
  readonly added = new FieldSet();
  readonly modified = new FieldSet();
  readonly removed = new FieldSet();

  compare([before, after]: readonly [Side, Side], schema: JsonSchema, path: Path): void {
    if (before === after) return;
    const type = nodeType(schema, after ?? before);
    const isWhole = countsAsOne(type, before, after);
    if (!isWhole && type === 'list') this.compareLists(listOf(before), listOf(after), schema, path);
    else if (!isWhole) this.compareMaps(mapOf(before), mapOf(after), schema, path);
    if (path.length === 0 && !isWhole) return;
    if (before === undefined) this.added.insert(path);
    else if (after === undefined) this.removed.insert(path);
    else if (isWhole && !jsonEqual(before, after)) this.modified.insert(path);
  }

  private compareMaps(before: JsonObject, after: JsonObject, schema: JsonSchema, path: Path): void {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      // Most members are the same on both sides: they cost no schema and no path.
      if (before[name] === after[name]) continue;
      const inner = memberTypeOrDeduced(schema, name).schema;
      this.compare([before[name], after[name]], inner, [...path, fieldElement(name)]);
    }
  }

  private compareLists(
    before: readonly JsonValue[],
    after: readonly JsonValue[],
    schema: JsonSchema,
    path: Path,
  ): void {
    const mine = indexItems(before, schema);
    const theirs = indexItems(after, schema);
    for (const element of new Set([...mine.keys(), ...theirs.keys()])) {
      this.compare([mine.get(element), theirs.get(element)], itemType(schema), [...path, element]);
    }
  }
}

/** True for what has no members to compare: atoms, values of another shape than the schema's, and two empty ones. */
function countsAsOne(type: NodeType, before: Side, after: Side): boolean {
  if (type === 'list') return listOf(before).length + listOf(after).length === 0;
  const isMapOrNothing = (side: Side): boolean => side === undefined || side === null || isJsonObject(side);
  if (type === 'atomic' || !isMapOrNothing(before) || !isMapOrNothing(after)) return true;
  return Object.keys(mapOf(before)).length + Object.keys(mapOf(after)).length === 0;
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

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

export function mapOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
