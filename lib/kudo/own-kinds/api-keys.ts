import { isJsonObject, type JsonObject } from '@/lib/json/json';
import type { Fields } from '@/lib/kudo/package/fields';

export function reportStrangeKeys(fields: Fields, known: readonly string[]): void {
  const lower = new Set(known.map((key) => key.toLowerCase()));
  for (const key of fields.names()) {
    if (!lower.has(key.toLowerCase()))
      fields.problem(key, `"api" has no key "${key}" here; known are ${known.join(', ')}`);
  }
}

/** A map as it is written; undefined, with a problem, for anything else. */
export function readMap(fields: Fields, key: string): JsonObject | undefined {
  const found = fields.any(key);
  if (found === undefined || isJsonObject(found)) return found;
  fields.problem(key, `"${key}" must be a map`);
  return undefined;
}
