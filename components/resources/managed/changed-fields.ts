import { isJsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';

/** A field that an edit changes. */
export interface ChangedField {
  /** As Kubernetes writes paths: `spec.template.spec.containers[0].image`. */
  readonly path: string;
  /** The last key of the path, without indexes. */
  readonly key: string;
}

/** The innermost fields in which two values differ, in the order of the first and then of what only the second has. */
export function changedFields(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path = '',
  key = '',
): ChangedField[] {
  if (jsonEqual(before ?? null, after ?? null)) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((each) =>
      changedFields(before[each], after[each], path === '' ? each : `${path}.${each}`, each),
    );
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((value, at) => changedFields(value, after[at], `${path}[${at}]`, key));
  }
  return [{ path, key }];
}
