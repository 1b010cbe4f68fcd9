import { isJsonObject, type JsonValue, jsonEqual, parseJsonObject } from '@/lib/json/json';

/**
 * A value without one field, so that a server-side apply leaves the field to its manager.
 *
 * @param field as a conflict names it (Kubernetes structured-merge-diff, Path.String): `.spec.containers[name="web"].image`, `.list[="a"]`, `[0]`
 * @returns undefined when the value has no such field
 */
export function leaveOut(value: JsonValue, field: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    const [step = '', index = -1] = elementAt(value, field) ?? [];
    const item = value[index];
    if (item === undefined) return undefined;
    if (step.length === field.length) return value.filter((_, at) => at !== index);
    const inner = leaveOut(item, field.slice(step.length));
    return inner === undefined ? undefined : value.with(index, inner);
  }
  if (!isJsonObject(value)) return undefined;
  const key = keyAt(Object.keys(value), field);
  const member = key === undefined ? undefined : value[key];
  if (key === undefined || member === undefined) return undefined;
  const { [key]: _, ...others } = value;
  const rest = field.slice(key.length + 1);
  if (rest === '') return others;
  const inner = leaveOut(member, rest);
  return inner === undefined ? undefined : { ...value, [key]: inner };
}

/** The longest key that the path goes on with: keys may have dots in them. */
function keyAt(keys: readonly string[], field: string): string | undefined {
  const isNext = (key: string) => field.startsWith(`.${key}`) && /^(?:$|[.[])/.test(field.slice(key.length + 1));
  return keys.filter(isNext).sort((a, b) => b.length - a.length)[0];
}

/** The element that the path goes on with: the characters that name it, and its index. */
function elementAt(list: readonly JsonValue[], field: string): readonly [step: string, index: number] | undefined {
  const [step, inside = ''] = /^\[((?:"(?:[^"\\]|\\.)*"|[^\]"])*)\]/.exec(field) ?? [];
  if (step === undefined) return undefined;
  if (/^\d+$/.test(inside)) return [step, Number(inside)];
  if (inside.startsWith('=')) return [step, list.findIndex((item) => JSON.stringify(item) === inside.slice(1))];
  const keys = parseJsonObject(`{${inside.replace(/(^|,)([A-Za-z][\w-]*)=/g, '$1"$2":')}}`);
  if (keys === undefined) return undefined;
  const index = list.findIndex(
    (item) => isJsonObject(item) && Object.entries(keys).every(([key, wanted]) => jsonEqual(item[key] ?? null, wanted)),
  );
  return [step, index];
}
