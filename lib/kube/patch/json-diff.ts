import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';

/** One operation of a JSON patch (RFC 6902). */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: JsonValue;
}

/** The JSON patch that makes `to` out of `from`: maps member by member, lists as a whole. Empty when they are equal. */
export function jsonDiff(from: JsonObject, to: JsonObject, path = ''): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  for (const key of Object.keys(from)) {
    if (!Object.hasOwn(to, key)) operations.push({ op: 'remove', path: `${path}/${pointer(key)}` });
  }
  for (const [key, value] of Object.entries(to)) {
    const place = `${path}/${pointer(key)}`;
    const before = Object.hasOwn(from, key) ? from[key] : undefined;
    if (before === undefined) operations.push({ op: 'add', path: place, value });
    else if (isJsonObject(before) && isJsonObject(value)) operations.push(...jsonDiff(before, value, place));
    else if (!jsonEqual(before, value)) operations.push({ op: 'replace', path: place, value });
  }
  return operations;
}

function pointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
