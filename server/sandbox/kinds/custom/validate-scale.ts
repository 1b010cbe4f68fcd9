import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { FieldError } from '../strategy';

const MAX = 2_147_483_647;

/**
 * What is behind the subresource scale of a custom resource (Kubernetes apiextensions customresource/validator.go,
 * ValidateScaleSpec and ValidateScaleStatus); told with the path of the definition, its dot included.
 *
 * @param part through `/status` only what lies there is checked
 */
export function validateScale(object: JsonObject, scale: JsonValue | undefined, part?: 'status'): FieldError[] {
  if (!isJsonObject(scale)) return [];
  const errors: FieldError[] = [];
  const fault = (field: string, shown: string, text: string) =>
    errors.push({ field, type: 'FieldValueInvalid', message: `Invalid value: ${shown}: ${text}` });
  for (const key of part === undefined ? ['specReplicasPath', 'statusReplicasPath'] : ['statusReplicasPath']) {
    const path = scale[key];
    if (typeof path !== 'string') continue;
    const count = nested(object, path);
    if (typeof count === 'string') fault(path, '0', count);
    else if (count === undefined) continue;
    else if (typeof count.value !== 'number' || !Number.isInteger(count.value)) {
      fault(path, '0', `${path} accessor error: ${shownIn(count.value)}, expected int64`);
    } else if (count.value < 0) fault(path, String(count.value), 'should be a non-negative integer');
    else if (count.value > MAX) fault(path, String(count.value), `should be less than or equal to ${MAX}`);
  }
  const path = scale.labelSelectorPath;
  if (typeof path !== 'string' || path === '') return errors;
  const selector = nested(object, path);
  if (typeof selector === 'string') fault(path, '""', selector);
  else if (selector !== undefined && typeof selector.value !== 'string') {
    fault(path, '""', `${path} accessor error: ${shownIn(selector.value)}, expected string`);
  }
  return errors;
}

/** The value at a path, undefined where nothing is, or why the path cannot be walked (unstructured NestedFieldNoCopy). */
function nested(object: JsonObject, path: string): { readonly value: JsonValue } | string | undefined {
  let current: JsonValue = object;
  const names = path.replace(/^\./, '').split('.');
  for (const [index, name] of names.entries()) {
    if (current === null) return undefined;
    if (!isJsonObject(current)) {
      const at = names.slice(0, index + 1).join('.');
      return `.${at} accessor error: ${shownIn(current)}, expected map[string]interface{}`;
    }
    const next: JsonValue | undefined = current[name];
    if (next === undefined) return undefined;
    current = next;
  }
  return { value: current };
}

/** A value as Go's `%v is of the type %T` prints it. */
function shownIn(value: JsonValue): string {
  if (value === null) return '<nil> is of the type <nil>';
  if (typeof value === 'string') return `${value} is of the type string`;
  if (typeof value === 'boolean') return `${value} is of the type bool`;
  if (typeof value === 'number') return `${value} is of the type ${Number.isInteger(value) ? 'int64' : 'float64'}`;
  return Array.isArray(value) ? `[] is of the type []interface {}` : 'map[] is of the type map[string]interface {}';
}
