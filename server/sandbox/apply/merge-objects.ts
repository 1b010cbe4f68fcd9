import { cloneJson, isJsonObject, type JsonObject, type JsonValue, setOwn } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { indexItems, listOf, mapOf } from './compare';
import type { PathElement } from './field-set';
import { itemElement, itemType, memberTypeOrDeduced, nodeType } from './node-type';

/** A configuration laid over an object: what it sets wins, the rest stays (structured-merge-diff TypedValue.Merge). */
export function mergeObjects(live: JsonValue, applied: JsonValue, schema: JsonSchema): JsonValue {
  return merge(live, applied, schema) ?? null;
}

function merge(live: JsonValue | undefined, applied: JsonValue | undefined, schema: JsonSchema): JsonValue | undefined {
  if (applied === undefined) return live === undefined ? undefined : cloneJson(live);
  const type = nodeType(schema, applied);
  if (type === 'list' && (listOf(live).length > 0 || listOf(applied).length > 0)) {
    return mergeLists(listOf(live), listOf(applied), schema);
  }
  const isMap = type === 'map' && (isJsonObject(applied) || applied === null) && !Array.isArray(live);
  if (isMap && (Object.keys(mapOf(live)).length > 0 || Object.keys(mapOf(applied)).length > 0)) {
    return mergeMaps(mapOf(live), mapOf(applied), schema);
  }
  return cloneJson(applied);
}

function mergeMaps(live: JsonObject, applied: JsonObject, schema: JsonSchema): JsonObject {
  const result: JsonObject = {};
  for (const name of new Set([...Object.keys(live), ...Object.keys(applied)])) {
    const merged = merge(live[name], applied[name], memberTypeOrDeduced(schema, name).schema);
    if (merged !== undefined) setOwn(result, name, merged);
  }
  return result;
}

/**
 * Elements of both lists keep their relative order as far as it goes; where the orders differ, that of the
 * configuration wins.
 */
function mergeLists(live: readonly JsonValue[], applied: readonly JsonValue[], schema: JsonSchema): JsonValue[] {
  const items = itemType(schema);
  const liveIndex = indexItems(live, schema);
  const appliedIndex = indexItems(applied, schema);
  const mine = elementsOf(live, schema);
  const theirs = elementsOf(applied, schema);
  const shared = theirs.filter((element) => liveIndex.has(element));
  const merged = new Set<PathElement>();
  const result: JsonValue[] = [];
  const take = (element: PathElement): void => {
    merged.add(element);
    if (shared[0] === element) shared.shift();
    const value = merge(liveIndex.get(element), appliedIndex.get(element), items);
    if (value !== undefined) result.push(value);
  };
  /** Shared, but another shared element comes first in the configuration. */
  const isLater = (element: PathElement): boolean =>
    appliedIndex.has(element) && shared[0] !== undefined && shared[0] !== element;
  let at = 0;
  let next = 0;
  while (at < mine.length || next < theirs.length) {
    const left = mine[at];
    const right = theirs[next];
    if (left !== undefined && left === right) {
      take(left);
      at++;
      next++;
    } else if (left !== undefined && right !== undefined && isLater(left)) at++;
    else if (left !== undefined && !appliedIndex.has(left)) {
      take(left);
      at++;
    } else {
      if (left !== undefined && merged.has(left)) at++;
      if (right !== undefined) {
        take(right);
        next++;
      }
    }
  }
  return result;
}

function elementsOf(list: readonly JsonValue[], schema: JsonSchema): PathElement[] {
  return list.flatMap((item) => itemElement(schema, item) ?? []);
}
