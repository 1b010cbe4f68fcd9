import { isJsonObject, type JsonObject, type JsonValue, jsonEqual, setOwn } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { elementKey, holdsObjects, placeOf, requiredKey, sameOrder, sortByOrder } from './list-order';
import { directives, type FieldPatchMeta, listPatchMeta, mapPatchMeta } from './patch-meta';

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
  return diffMaps(original, modified, { schema, retainKeys: false }, half);
}

/** The difference of two maps as it grows; one per map. */
interface MapDiff {
  readonly patch: JsonObject;
  readonly schema: JsonSchema | undefined;
  readonly half: DiffHalf;
}

function diffMaps(
  original: JsonObject,
  modified: JsonObject,
  { schema, retainKeys }: Pick<FieldPatchMeta, 'schema' | 'retainKeys'>,
  half: DiffHalf,
): JsonObject {
  const patch: JsonObject = {};
  const diff: MapDiff = { patch, schema, half };
  for (const [key, after] of Object.entries(modified)) {
    diffMember(diff, key, Object.hasOwn(original, key) ? original[key] : undefined, after);
  }
  const dropped = Object.keys(original).filter((key) => !Object.hasOwn(modified, key));
  if (half === 'deletions') for (const key of dropped) setOwn(patch, key, null);
  if (!retainKeys) return patch;
  const retained = Object.keys(modified).filter((key) => modified[key] !== null);
  const changes = Object.keys(patch).length > 0 || dropped.some((key) => original[key] !== null);
  if (retained.length > 0 && changes) patch[directives.retainKeys] = retained.sort();
  return patch;
}

function diffMember(diff: MapDiff, key: string, before: JsonValue | undefined, after: JsonValue): void {
  const { patch, schema, half } = diff;
  if (isJsonObject(before) && isJsonObject(after)) {
    const meta = mapPatchMeta(schema, key);
    if (meta.strategy === 'replace') {
      if (half === 'changes' && !jsonEqual(before, after)) setOwn(patch, key, after);
      return;
    }
    const inner = diffMaps(before, after, meta, half);
    if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && listPatchMeta(schema, key).strategy === 'merge') {
    diffMergedList(diff, key, before, after);
    return;
  }
  if (half === 'changes' && (before === undefined || !jsonEqual(before, after))) setOwn(patch, key, after);
}

function diffMergedList(diff: MapDiff, key: string, before: readonly JsonValue[], after: readonly JsonValue[]): void {
  if (before.length === 0) {
    if (after.length > 0 && diff.half === 'changes') setOwn(diff.patch, key, [...after]);
    return;
  }
  if (holdsObjects(before, after)) diffObjectList(diff, key, before, after);
  else diffScalarList(diff, key, before, after);
}

function diffObjectList(diff: MapDiff, key: string, before: readonly JsonValue[], after: readonly JsonValue[]): void {
  const { patch, schema, half } = diff;
  const meta = listPatchMeta(schema, key);
  const { mergeKey } = meta;
  const list = sortByOrder(changedElements(before, after, meta, half), after, mergeKey);
  if (half === 'deletions') addDeletions(list, before, after, mergeKey);
  if (list.length > 0) setOwn(patch, key, list);
  if (list.length > 0 || (half === 'changes' && !sameOrder(before, after, mergeKey))) {
    patch[`${directives.orderPrefix}${key}`] = after.map((element) => ({
      [mergeKey]: elementKey(element, mergeKey) ?? null,
    }));
  }
}

/** Patches of the elements that both lists have, and the elements that were added. */
function changedElements(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  meta: FieldPatchMeta,
  half: DiffHalf,
): JsonValue[] {
  const { mergeKey } = meta;
  const changed: JsonValue[] = [];
  for (const element of after) {
    const other = before[placeOf(before, element, mergeKey)];
    if (other === undefined) {
      if (half === 'changes') changed.push(element);
    } else if (isJsonObject(other) && isJsonObject(element)) {
      const inner = diffMaps(other, element, meta, half);
      if (Object.keys(inner).length > 0) changed.push({ ...inner, [mergeKey]: requiredKey(element, mergeKey) });
    }
  }
  return changed;
}

/** Adds the directives that delete the elements that `after` lacks. */
function addDeletions(
  list: JsonValue[],
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  mergeKey: string,
): void {
  for (const element of before) {
    if (placeOf(after, element, mergeKey) >= 0) continue;
    list.push({ [directives.patch]: 'delete', [mergeKey]: requiredKey(element, mergeKey) });
  }
}

function diffScalarList(
  { patch, half }: MapDiff,
  key: string,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): void {
  const additions = after.filter((element) => !before.includes(element));
  const deletions = before.filter((element) => !after.includes(element));
  if (half === 'changes' && additions.length > 0) setOwn(patch, key, additions);
  if (half === 'deletions' && deletions.length > 0) patch[`${directives.deletePrefix}${key}`] = deletions;
  if (half === 'changes' ? !jsonEqual(before, after) : deletions.length > 0) {
    patch[`${directives.orderPrefix}${key}`] = [...after];
  }
}
