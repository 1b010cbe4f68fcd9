import { cloneJson, isJsonObject, type JsonObject, type JsonValue, jsonEqual, setOwn } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { formatGo } from './go-format';
import { elementKey, holdsObjects, orderMerged, placeOf, requiredKey } from './list-order';
import { PatchError } from './patch-error';
import { directives, type FieldPatchMeta, listPatchMeta, mapPatchMeta } from './patch-meta';

/** How a merge is meant: a patch into a document, or a patch into another patch. */
export interface MergeOptions {
  /** Directives for lists act; otherwise they are carried over into the result. */
  readonly applyLists: boolean;
  /** Nulls that delete nothing are dropped; otherwise they are carried over. */
  readonly dropNulls: boolean;
}

const INTO_DOCUMENT: MergeOptions = { applyLists: true, dropNulls: true };

/**
 * Applies a strategic merge patch as kube-apiserver does. Merge keys and strategies come from the schema's
 * `x-kubernetes-patch-*`; without a schema, objects merge and lists are replaced. Neither argument is changed.
 *
 * @throws PatchError 400 for a bad `$retainKeys`, 500 for other bad directives (these are the API's own codes)
 */
export function applyStrategicPatch(target: JsonObject, patch: JsonObject, schema: JsonSchema | undefined): JsonObject {
  return mergeMap(cloneJson(target), cloneJson(patch), schema, INTO_DOCUMENT);
}

/** The merge of one map; `original` is consumed. */
interface MapMerge {
  readonly original: JsonObject;
  readonly schema: JsonSchema | undefined;
  readonly options: MergeOptions;
}

/** Merges `patch` into `original`; both are consumed. */
export function mergeMap(
  original: JsonObject,
  patch: JsonObject,
  schema: JsonSchema | undefined,
  options: MergeOptions,
): JsonObject {
  if (Object.hasOwn(patch, directives.patch)) return replaceByDirective(patch);
  retainKeys(original, patch, options);
  const merge: MapMerge = { original, schema, options };
  mergeOrderedLists(merge, patch);
  for (const [patchKey, value] of Object.entries(patch)) {
    const isDeletion = patchKey.startsWith(directives.deletePrefix);
    if (isDeletion && !options.applyLists) {
      setOwn(original, patchKey, value);
      continue;
    }
    const key = isDeletion ? patchKey.slice(directives.deletePrefix.length) : patchKey;
    mergeMember(merge, key, value, isDeletion);
  }
  return original;
}

function replaceByDirective(patch: JsonObject): JsonObject {
  const { [directives.patch]: directive, ...rest } = patch;
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  throw badPatchType(directive, patch);
}

function badPatchType(directive: JsonValue | undefined, patch: JsonObject): PatchError {
  return new PatchError(500, `unknown patch type: ${formatGo(directive)} in map: ${formatGo(patch)}`);
}

function mergeMember(merge: MapMerge, key: string, value: JsonValue, isDeletion: boolean): void {
  const { original, schema, options } = merge;
  if (value === null) {
    delete original[key];
    if (options.dropNulls) return;
  }
  const before = Object.hasOwn(original, key) ? original[key] : undefined;
  if (isJsonObject(before) && isJsonObject(value)) {
    const meta = mapPatchMeta(schema, key);
    setOwn(original, key, meta.strategy === 'replace' ? value : mergeMap(before, value, meta.schema, options));
  } else if (Array.isArray(before) && Array.isArray(value)) {
    const meta = listPatchMeta(schema, key);
    const change = isDeletion ? deleteFromList : mergeList;
    setOwn(original, key, change(before, value, meta, options));
  } else if (!isDeletion) {
    setOwn(original, key, options.dropNulls ? plainValue(value) : value);
  }
}

/** A patch value as a document: without directives, deleted elements and nulls. */
function plainValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.filter((element) => !(isJsonObject(element) && directives.patch in element)).map(plainValue);
  }
  if (!isJsonObject(value)) return value;
  const plain: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    const isDirective = key === directives.patch || key === directives.retainKeys;
    const isListDirective = key.startsWith(directives.deletePrefix) || key.startsWith(directives.orderPrefix);
    if (!isDirective && !isListDirective && member !== null) setOwn(plain, key, plainValue(member));
  }
  return plain;
}

function retainKeys(original: JsonObject, patch: JsonObject, options: MergeOptions): void {
  if (!Object.hasOwn(patch, directives.retainKeys)) return;
  const list = patch[directives.retainKeys];
  delete patch[directives.retainKeys];
  if (!options.applyLists) {
    const before = original[directives.retainKeys];
    if (before === undefined) original[directives.retainKeys] = list ?? null;
    else if (!jsonEqual(before, list)) throw badRetainKeys();
    return;
  }
  if (!Array.isArray(list)) throw badRetainKeys();
  for (const [key, value] of Object.entries(patch)) {
    const isDirective = key.startsWith(directives.deletePrefix) || key.startsWith(directives.orderPrefix);
    if (value !== null && !isDirective && !list.includes(key)) throw badRetainKeys();
  }
  for (const key of Object.keys(original)) if (!list.includes(key)) delete original[key];
}

function badRetainKeys(): PatchError {
  return new PatchError(400, 'invalid patch format of retainKeys');
}

/** Merges the lists that come with a `$setElementOrder` and takes both out of the patch. */
function mergeOrderedLists(merge: MapMerge, patch: JsonObject): void {
  for (const directive of Object.keys(patch)) {
    if (!directive.startsWith(directives.orderPrefix)) continue;
    const order = patch[directive];
    delete patch[directive];
    if (!merge.options.applyLists) carryOrder(merge.original, directive, order);
    if (!Array.isArray(order)) throw new PatchError(400, 'invalid patch format of setElementOrder list');
    mergeOrderedList(merge, patch, directive.slice(directives.orderPrefix.length), order);
  }
}

function carryOrder(original: JsonObject, directive: string, order: JsonValue | undefined): void {
  const before = original[directive];
  if (before === undefined) original[directive] = order ?? null;
  else if (!jsonEqual(before, order)) throw new PatchError(400, 'invalid patch format of setElementOrder list');
}

function mergeOrderedList(merge: MapMerge, patch: JsonObject, key: string, order: JsonValue[]): void {
  const { original, schema, options } = merge;
  const before = original[key];
  const wanted = patch[key];
  if (!Array.isArray(before) && !Array.isArray(wanted)) return;
  const meta = listPatchMeta(schema, key);
  const { mergeKey } = meta;
  if (Array.isArray(wanted)) checkOrder(wanted, order, mergeKey);
  const serverOrder = Array.isArray(before) ? [...before] : [];
  const merged = !Array.isArray(wanted)
    ? serverOrder
    : Array.isArray(before)
      ? mergeList(before, wanted, meta, options)
      : listOf(options.applyLists ? plainValue(wanted) : wanted);
  delete patch[key];
  original[key] = orderMerged(merged, order, serverOrder, mergeKey);
}

function listOf(value: JsonValue): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Every element that the patch sets must stand in the order, in that order. */
function checkOrder(wanted: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
  const kept = wanted.filter((element) => !(isJsonObject(element) && element[directives.patch] === 'delete'));
  if (kept.length === 0 || order.length === 0) return;
  let next = 0;
  for (const entry of order) {
    const element = kept[next];
    if (element !== undefined && jsonEqual(elementKey(element, mergeKey), elementKey(entry, mergeKey))) next++;
  }
  if (next === kept.length) return;
  const texts = `The order in patch list:\n${formatGo([...wanted])}\n doesn't match $setElementOrder list:\n`;
  throw new PatchError(500, `${texts}${formatGo([...order])}\n`);
}

function mergeList(
  original: JsonValue[],
  patch: JsonValue[],
  meta: FieldPatchMeta,
  options: MergeOptions,
): JsonValue[] {
  // A list that is replaced as a whole is taken as it stands: what looks like a directive in it is none.
  if (meta.strategy !== 'merge') return patch;
  if (original.length === 0 && patch.length === 0) return original;
  if (holdsObjects(original, patch)) return mergeObjectLists(original, patch, meta, options);
  return orderMerged([...new Set([...original, ...patch])], patch, original, '');
}

/** `$deleteFromPrimitiveList`; a list of objects is merged in spite of the directive. */
function deleteFromList(
  original: JsonValue[],
  patch: JsonValue[],
  meta: FieldPatchMeta,
  options: MergeOptions,
): JsonValue[] {
  if (holdsObjects(original, patch)) return mergeObjectLists(original, patch, meta, options);
  return original.filter((element) => !patch.includes(element));
}

function mergeObjectLists(
  original: JsonValue[],
  patch: JsonValue[],
  meta: FieldPatchMeta,
  options: MergeOptions,
): JsonValue[] {
  const { mergeKey } = meta;
  if (mergeKey === '') {
    throw new PatchError(500, `cannot merge lists without merge key for ${meta.schema?.component ?? meta.key}`);
  }
  const { kept, additions } = applyElementDirectives(original, patch, mergeKey);
  return orderMerged(mergeElements(kept, additions, meta, options), additions, kept, mergeKey);
}

/** Deletes and replaces by the `$patch` of single elements; the rest of the patch is returned as additions. */
function applyElementDirectives(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  mergeKey: string,
): { kept: JsonValue[]; additions: JsonValue[] } {
  let kept = [...original];
  const additions: JsonValue[] = [];
  let replaces = false;
  for (const element of patch) {
    if (!isJsonObject(element) || !Object.hasOwn(element, directives.patch)) additions.push(element);
    else if (element[directives.patch] === 'delete') {
      const key = requiredKey(element, mergeKey);
      kept = kept.filter((other) => !jsonEqual(elementKey(other, mergeKey), key));
    } else if (element[directives.patch] === 'replace') replaces = true;
    else if (element[directives.patch] === 'merge') {
      throw new PatchError(500, 'merging lists cannot yet be specified in the patch');
    } else throw badPatchType(element[directives.patch], element);
  }
  return replaces ? { kept: additions, additions: [] } : { kept, additions };
}

function mergeElements(
  kept: readonly JsonValue[],
  additions: readonly JsonValue[],
  { mergeKey, schema }: FieldPatchMeta,
  options: MergeOptions,
): JsonValue[] {
  const merged = [...kept];
  for (const addition of additions) {
    requiredKey(addition, mergeKey);
    const place = placeOf(merged, addition, mergeKey);
    const before = merged[place];
    if (isJsonObject(before) && isJsonObject(addition)) merged[place] = mergeMap(before, addition, schema, options);
    else merged.push(options.dropNulls ? plainValue(addition) : addition);
  }
  return merged;
}
