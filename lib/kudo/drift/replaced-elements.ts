import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { listPatchMeta } from '@/lib/kube/patch/patch-meta';
import { type JsonSchema, memberSchema } from '@/lib/schema/json-schema';

/**
 * What was applied, plus the elements of live lists that replaced ours: somebody changed their merge key (the port of a Service). A
 * three-way merge would take them for additions of others and keep both; as part of what was applied it removes them.
 */
export function withReplacedElements(
  original: JsonObject,
  wanted: JsonObject,
  live: JsonObject,
  schema: JsonSchema | undefined,
): JsonObject {
  const result: JsonObject = { ...original };
  for (const [key, value] of Object.entries(wanted)) {
    const now = Object.hasOwn(live, key) ? live[key] : undefined;
    const was = Object.hasOwn(original, key) ? original[key] : undefined;
    if (isJsonObject(value) && isJsonObject(now)) {
      result[key] = withReplacedElements(isJsonObject(was) ? was : {}, value, now, memberSchema(schema, key));
    } else if (Array.isArray(value) && Array.isArray(now)) {
      result[key] = inList(Array.isArray(was) ? was : [], value, now, listPatchMeta(schema, key));
    }
  }
  return result;
}

function inList(
  original: readonly JsonValue[],
  wanted: readonly JsonValue[],
  live: readonly JsonValue[],
  { mergeKey, schema }: ReturnType<typeof listPatchMeta>,
): JsonValue[] {
  if (mergeKey === '') return [...original];
  const keyOf = (element: JsonValue | undefined) => (isJsonObject(element) ? element[mergeKey] : undefined);
  const find = (list: readonly JsonValue[], key: JsonValue | undefined) => list.find((one) => keyOf(one) === key);
  const result = original.map((element) => {
    const key = keyOf(element);
    const [ours, now] = [find(wanted, key), find(live, key)];
    return isJsonObject(element) && isJsonObject(ours) && isJsonObject(now)
      ? withReplacedElements(element, ours, now, schema)
      : element;
  });
  if (wanted.length !== live.length) return result;
  const known = new Set(wanted.map(keyOf));
  for (const [index, element] of wanted.entries()) {
    const other = live[index];
    const isReplaced = find(live, keyOf(element)) === undefined && !known.has(keyOf(other));
    if (isReplaced && other !== undefined && keyOf(other) !== undefined) result.push(other);
  }
  return result;
}
