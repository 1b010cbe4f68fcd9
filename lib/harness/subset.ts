import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';

/** The first place where an object is not what is expected of it. */
export interface SubsetDifference {
  /** Keys and list positions from the object down. */
  readonly path: readonly (string | number)[];
  /** KUTTL's sentence, without the path. */
  readonly message: string;
  readonly expected: JsonValue;
  /** Undefined when the key is missing. */
  readonly actual: JsonValue | undefined;
}

/**
 * The first difference, in the order of the expectation, that makes `expected` no subset of `actual`; undefined when all of it
 * holds (KUTTL utils/subset.go). Maps may have more keys; lists have the same length and are compared by position; scalars are
 * equal with their type.
 */
export function firstDifference(
  expected: JsonValue,
  actual: JsonValue,
  path: readonly (string | number)[] = [],
): SubsetDifference | undefined {
  const differs = (message: string): SubsetDifference => ({ path, message, expected, actual });
  if (isJsonObject(expected) && isJsonObject(actual)) return mapDifference(expected, actual, path);
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length)
      return differs(`slice length mismatch: ${expected.length} != ${actual.length}`);
    return firstOf(expected.entries(), ([index, member]) =>
      firstDifference(member, actual[index] ?? null, [...path, index]),
    );
  }
  const [wantedType, foundType] = [goType(expected), goType(actual)];
  const areNumbers = typeof expected === 'number' && typeof actual === 'number';
  if (wantedType !== foundType && !areNumbers) return differs(`type mismatch: ${wantedType} != ${foundType}`);
  return expected === actual ? undefined : differs(valueMismatch(expected, actual));
}

function mapDifference(
  expected: JsonObject,
  actual: JsonObject,
  path: readonly (string | number)[],
): SubsetDifference | undefined {
  return firstOf(Object.entries(expected), ([key, member]) => {
    const at = [...path, key];
    const found = Object.hasOwn(actual, key) ? actual[key] : undefined;
    return found === undefined
      ? { path: at, message: 'key is missing from map', expected: member, actual: undefined }
      : firstDifference(member, found, at);
  });
}

function firstOf<T>(items: Iterable<T>, find: (item: T) => SubsetDifference | undefined): SubsetDifference | undefined {
  for (const item of items) {
    const difference = find(item);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function valueMismatch(expected: JsonValue, actual: JsonValue): string {
  return `value mismatch, expected: ${String(expected)} != actual: ${String(actual)}`;
}

/** Go's name of the type that a JSON value is decoded to. */
function goType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return 'map[string]interface {}';
  }
}

/** `.a.b`: keys alone, as KUTTL writes paths. */
export function keyPath(path: readonly (string | number)[]): string {
  return path.map((part) => (typeof part === 'number' ? '' : `.${part}`)).join('');
}

/** `.a.b[2].c`: with list positions, as `kubectl explain` and JSONPath write them. */
export function fullPath(path: readonly (string | number)[]): string {
  return path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
}
