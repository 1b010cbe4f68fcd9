import { cloneJson, isJsonObject, type JsonObject, type JsonValue, jsonEqual, setOwn } from '@/lib/json/json';

/**
 * Applies a JSON merge patch (RFC 7386) as kube-apiserver does: also inside arrays of the patch, members of objects
 * that are null are dropped. Neither argument is changed.
 */
export function applyMergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return withoutNulls(patch);
  const result: JsonObject = isJsonObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else setOwn(result, key, applyMergePatch(Object.hasOwn(result, key) ? (result[key] ?? null) : null, value));
  }
  return result;
}

/** The smallest merge patch that turns `from` into `to`. Lists are replaced whole. An empty object when nothing differs. */
export function createMergePatch(from: JsonObject, to: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const [key, after] of Object.entries(to)) {
    const before = Object.hasOwn(from, key) ? from[key] : undefined;
    if (before !== undefined && jsonEqual(before, after)) continue;
    if (isJsonObject(before) && isJsonObject(after)) setOwn(patch, key, createMergePatch(before, after));
    else setOwn(patch, key, cloneJson(after));
  }
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) setOwn(patch, key, null);
  return patch;
}

/**
 * The merge patch that brings `current` to `modified` and removes what was in `original` and is not in `modified`;
 * fields of others stay (client-go jsonmergepatch.CreateThreeWayJSONMergePatch).
 */
export function threeWayMergePatch(original: JsonObject, modified: JsonObject, current: JsonObject): JsonObject {
  const additions = keepChanges(createMergePatch(current, modified));
  const deletions = keepNulls(createMergePatch(original, modified));
  return combine(deletions, additions);
}

/** The first of `apiVersion`, `kind` and `metadata.name` that a patch would set: such a patch must not be sent. */
export function identityChangedBy(patch: JsonObject): string | undefined {
  if (Object.hasOwn(patch, 'apiVersion')) return 'apiVersion';
  if (Object.hasOwn(patch, 'kind')) return 'kind';
  return isJsonObject(patch.metadata) && Object.hasOwn(patch.metadata, 'name') ? 'metadata.name' : undefined;
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) if (member !== null) setOwn(copy, key, withoutNulls(member));
  return copy;
}

/** A patch without its deletions. An empty object that was set explicitly stays, one that became empty goes. */
function keepChanges(patch: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) continue;
    if (!isJsonObject(value) || Object.keys(value).length === 0) {
      setOwn(kept, key, value);
      continue;
    }
    const inner = keepChanges(value);
    if (Object.keys(inner).length > 0) setOwn(kept, key, inner);
  }
  return kept;
}

/** Only the deletions of a patch. */
function keepNulls(patch: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) setOwn(kept, key, null);
    if (!isJsonObject(value)) continue;
    const inner = keepNulls(value);
    if (Object.keys(inner).length > 0) setOwn(kept, key, inner);
  }
  return kept;
}

/** Two patches as one: what the second says wins. */
function combine(first: JsonObject, second: JsonObject): JsonObject {
  const result: JsonObject = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const before = Object.hasOwn(result, key) ? result[key] : undefined;
    setOwn(result, key, isJsonObject(before) && isJsonObject(value) ? combine(before, value) : value);
  }
  return result;
}
