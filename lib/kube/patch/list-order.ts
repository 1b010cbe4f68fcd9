import { isJsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import { formatGo } from './go-format';
import { PatchError } from './patch-error';

/**
 * The order of lists in strategic merge patches (Kubernetes apimachinery strategicpatch). Elements are told apart by
 * their merge key when they are objects, by value when they are scalars (empty merge key).
 */

/** The identity of an element: its merge key's value, or itself. */
export function elementKey(element: JsonValue, mergeKey: string): JsonValue | undefined {
  if (mergeKey === '') return element;
  return isJsonObject(element) && Object.hasOwn(element, mergeKey) ? element[mergeKey] : undefined;
}

/** {@link elementKey}, where an element without the key is an error. */
export function requiredKey(element: JsonValue, mergeKey: string): JsonValue {
  const key = elementKey(element, mergeKey);
  if (key === undefined) {
    throw new PatchError(500, `map: ${formatGo(element)} does not contain declared merge key: ${mergeKey}`);
  }
  return key;
}

/** The place of an element in a list, or -1. */
export function placeOf(list: readonly JsonValue[], element: JsonValue, mergeKey: string): number {
  const key = elementKey(element, mergeKey);
  return list.findIndex((other) => jsonEqual(elementKey(other, mergeKey), key));
}

/**
 * Puts a merged list into order: elements named in `patchOrder` as they stand there, those that only the server has
 * between them by `serverOrder`, as well as both can be had.
 */
export function orderMerged(
  merged: readonly JsonValue[],
  patchOrder: readonly JsonValue[],
  serverOrder: readonly JsonValue[],
  mergeKey: string,
): JsonValue[] {
  const ofPatch = merged.filter((element) => placeOf(patchOrder, element, mergeKey) >= 0);
  const serverOnly = merged.filter((element) => placeOf(patchOrder, element, mergeKey) < 0);
  return interleave(
    sortByOrder(serverOnly, serverOrder, mergeKey),
    sortByOrder(ofPatch, patchOrder, mergeKey),
    serverOrder,
    mergeKey,
  );
}

/** The elements in the order of another list; those that it lacks go last, in the order in which they came. */
export function sortByOrder(list: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): JsonValue[] {
  const rank = (element: JsonValue) => {
    const place = placeOf(order, element, mergeKey);
    return place < 0 ? order.length : place;
  };
  return list
    .map((element) => ({ element, place: rank(element) }))
    .sort((a, b) => a.place - b.place)
    .map(({ element }) => element);
}

function interleave(
  serverOnly: readonly JsonValue[],
  ofPatch: readonly JsonValue[],
  serverOrder: readonly JsonValue[],
  mergeKey: string,
): JsonValue[] {
  const result: JsonValue[] = [];
  let next = 0;
  for (const element of ofPatch) {
    const place = placeOf(serverOrder, element, mergeKey);
    while (place >= 0 && next < serverOnly.length) {
      const candidate = serverOnly[next];
      if (candidate === undefined) break;
      const candidatePlace = placeOf(serverOrder, candidate, mergeKey);
      if (candidatePlace < 0 || candidatePlace >= place) break;
      result.push(candidate);
      next++;
    }
    result.push(element);
  }
  return [...result, ...serverOnly.slice(next)];
}

/** True when the elements that both lists have stand in the same order, and every element is in both. */
export function sameOrder(a: readonly JsonValue[], b: readonly JsonValue[], mergeKey: string): boolean {
  return a.length === b.length && a.every((element, index) => placeOf(b, element, mergeKey) === index);
}

/** True when the elements of the two lists are objects; lists of lists and mixed lists are errors. */
export function holdsObjects(...lists: readonly (readonly JsonValue[])[]): boolean {
  const types = new Set(lists.flat().map(typeName));
  if (types.has('array')) throw new PatchError(500, 'lists of lists are not supported');
  if (types.size > 1) {
    throw new PatchError(500, `list element types are not identical: ${formatGo(lists as JsonValue)}`);
  }
  return types.has('object');
}

function typeName(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'int64' : 'float64') : typeof value;
}
