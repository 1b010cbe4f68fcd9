import { isJsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import type { FieldPath } from '@/lib/kube/ownership/set-fields';

/** A field that an edit changes. */
export interface ChangedField {
  /** As Kubernetes writes paths: `spec.template.spec.containers[0].image`. */
  readonly path: string;
  /** The last key of the path, without indexes. */
  readonly key: string;
  /** The same place, step by step. */
  readonly at: FieldPath;
}

/** The innermost fields in which two values differ, in the order of the first and then of what only the second has. */
export function changedFields(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  at: FieldPath = [],
): ChangedField[] {
  if (jsonEqual(before ?? null, after ?? null)) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((each) => changedFields(before[each], after[each], [...at, each]));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((value, index) => changedFields(value, after[index], [...at, index]));
  }
  const key = at.findLast((step) => typeof step === 'string');
  return [{ path: pathText(at), key: typeof key === 'string' ? key : '', at }];
}

function pathText(at: FieldPath): string {
  return at
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}
