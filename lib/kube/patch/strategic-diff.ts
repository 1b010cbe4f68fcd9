import { isJsonObject, type JsonObject, type JsonValue, jsonEqual, setOwn } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { elementKey, holdsObjects, placeOf, requiredKey, sameOrder, sortByOrder } from './list-order';
import { directives, listPatchMeta, mapPatchMeta } from './patch-meta';

/** Which half of a difference is wanted: what was added or changed, or what was taken away. */
export type DiffHalf = 'changes' | 'deletions';

/**
 * One half of the strategic merge patch from `original` to `modified`, with `$setElementOrder` and `$retainKeys` where
 * the strategies ask for them (Kubernetes apimachinery strategicpatch, diffMaps).
 */
export function diffStrategic(
  original: JsonObject,
  modified: JsonObject,
  schema: JsonSchema | undefined,
  half: DiffHalf,
): JsonObject {
  return diffMaps(original, modified, schema, half, false);
}

function diffMaps(
  original: JsonObject,
  modified: JsonObject,
  schema: JsonSchema | undefined,
  half: DiffHalf,
  retainKeys: boolean,
): JsonObject {
  const patch: JsonObject = {};
  for (const [key, after] of Object.entries(modified)) {
    const before = Object.hasOwn(original, key) ? original[key] : undefined;
    diffMember(patch, key, before, after, schema, half);
  }
  const dropped = Object.keys(original).filter((key) => !Object.hasOwn(modified, key));
  if (half === 'deletions') for (const key of dropped) setOwn(patch, key, null);
  if (!retainKeys) return patch;
  const retained = Object.keys(modified).filter((key) => modified[key] !== null);
  const changes = Object.keys(patch).length > 0 || dropped.some((key) => original[key] !== null);
  if (retained.length > 0 && changes) patch[directives.retainKeys] = retained.sort();
  return patch;
}

function diffMember(
  patch: JsonObject,
  key: string,
  before: JsonValue | undefined,
  after: JsonValue,
  schema: JsonSchema | undefined,
  half: DiffHalf,
): void {
  if (isJsonObject(before) && isJsonObject(after)) {
    const meta = mapPatchMeta(schema, key);
    if (meta.strategy === 'replace') {
      if (half === 'changes' && !jsonEqual(before, after)) setOwn(patch, key, after);
      return;
    }
    const inner = diffMaps(before, after, meta.schema, half, meta.retainKeys);
    if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && listPatchMeta(schema, key).strategy === 'merge') {
    diffMergedList(patch, key, before, after, schema, half);
    return;
  }
  if (half === 'changes' && (before === undefined || !jsonEqual(before, after))) setOwn(patch, key, after);
}

function diffMergedList(
  patch: JsonObject,
  key: string,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  schema: JsonSchema | undefined,
  half: DiffHalf,
): void {
  if (before.length === 0) {
    if (after.length > 0 && half === 'changes') setOwn(patch, key, [...after]);
    return;
  }
  if (holdsObjects(before, after)) diffObjectList(patch, key, before, after, schema, half);
  else diffScalarList(patch, key, before, after, half);
}

function diffObjectList(
  patch: JsonObject,
  key: string,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  schema: JsonSchema | undefined,
  half: DiffHalf,
): void {
  const { mergeKey, schema: elements, retainKeys } = listPatchMeta(schema, key);
  const changed: JsonValue[] = [];
  for (const element of after) {
    const other = before[placeOf(before, element, mergeKey)];
    if (other === undefined) {
      if (half === 'changes') changed.push(element);
    } else if (isJsonObject(other) && isJsonObject(element)) {
      const inner = diffMaps(other, element, elements, half, retainKeys);
      if (Object.keys(inner).length > 0) changed.push({ ...inner, [mergeKey]: requiredKey(element, mergeKey) });
    }
  }
  const list = sortByOrder(changed, after, mergeKey);
  if (half === 'deletions') {
    for (const element of before) {
      if (placeOf(after, element, mergeKey) >= 0) continue;
      list.push({ [directives.patch]: 'delete', [mergeKey]: requiredKey(element, mergeKey) });
    }
  }
  if (list.length > 0) setOwn(patch, key, list);
  if (list.length > 0 || (half === 'changes' && !sameOrder(before, after, mergeKey))) {
    patch[`${directives.orderPrefix}${key}`] = after.map((element) => ({
      [mergeKey]: elementKey(element, mergeKey) ?? null,
    }));
  }
}

function diffScalarList(
  patch: JsonObject,
  key: string,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  half: DiffHalf,
): void {
  const additions = after.filter((element) => !before.includes(element));
  const deletions = before.filter((element) => !after.includes(element));
  if (half === 'changes' && additions.length > 0) setOwn(patch, key, additions);
  if (half === 'deletions' && deletions.length > 0) patch[`${directives.deletePrefix}${key}`] = deletions;
  if (half === 'changes' ? !jsonEqual(before, after) : deletions.length > 0) {
    patch[`${directives.orderPrefix}${key}`] = [...after];
  }
}
