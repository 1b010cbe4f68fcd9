import { cloneJson, type JsonObject } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { diffStrategic } from './strategic-diff';
import { mergeMap } from './strategic-merge';

/**
 * The strategic merge patch that brings `current` to `modified`, removes what was in `original` and is not in
 * `modified`, and keeps the fields of others; changes by others to our fields are overwritten (client-go
 * strategicpatch.CreateThreeWayMergePatch with overwrite, as KUDO's Apply and `kubectl apply` use it).
 *
 * @returns an empty object when there is nothing to do
 * @throws PatchError for lists whose elements lack their merge key
 */
export function threeWayStrategicPatch(
  original: JsonObject,
  modified: JsonObject,
  current: JsonObject,
  schema: JsonSchema | undefined,
): JsonObject {
  const changes = diffStrategic(current, modified, schema, 'changes');
  const deletions = diffStrategic(original, modified, schema, 'deletions');
  return mergeMap(cloneJson(deletions), cloneJson(changes), schema, { applyLists: false, dropNulls: false });
}
