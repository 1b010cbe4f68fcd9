import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '@/lib/json/json';

/** The same value with the keys of every object in order, as Go writes maps. */
export function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const key of Object.keys(value).sort()) setOwn(result, key, sortKeys(value[key] ?? null));
  return result;
}
