/** JSON as plain data. All data that enters or leaves the product has these types. */
export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** True for a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON object that a text holds; undefined for every other text. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Structural equality of two JSON values. Order of keys does not count, order of array members does.
 * A key with the value `undefined` counts as absent.
 */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  return definedKeysEqual(a, b);
}

function definedKeysEqual(a: JsonObject, b: JsonObject): boolean {
  let defined = 0;
  for (const key of Object.keys(a)) {
    const member = a[key];
    if (member === undefined) continue;
    defined++;
    if (!Object.hasOwn(b, key) || !jsonEqual(member, b[key])) return false;
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) defined--;
  return defined === 0;
}

/**
 * A deep copy that shares nothing with the original. Keys with the value `undefined` are left out.
 * A key named `__proto__` is copied as an own key and never changes a prototype.
 */
export function cloneJson<T>(value: T): T {
  return cloneValue(value) as T;
}

function cloneValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cloneValue);
  if (!isJsonObject(value)) return value;
  // A spread copies all members at once, `__proto__` as an own one; most of them are strings and need no deep copy.
  const copy: { [key: string]: unknown } = { ...value };
  for (const key of Object.keys(copy)) {
    const member = copy[key];
    if (typeof member === 'object' && member !== null) copy[key] = cloneValue(member);
    else if (member === undefined) delete copy[key];
  }
  return copy;
}

/** Sets an own property whatever its name, `__proto__` included. */
export function setOwn(target: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** The value at a path of keys, or undefined when any part is absent or not an object. Own properties only. */
export function getAt(value: unknown, ...path: readonly (string | number)[]): JsonValue | undefined {
  let current: unknown = value;
  for (const part of path) {
    if (Array.isArray(current) && typeof part === 'number') current = current[part];
    else if (isJsonObject(current) && Object.hasOwn(current, String(part))) current = current[String(part)];
    else return undefined;
  }
  return current as JsonValue | undefined;
}

/** The string at a path, or undefined when there is none. */
export function stringAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = getAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** The number at a path, or undefined when there is none. */
export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | undefined {
  const found = getAt(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

/** The array at a path, or an empty one. */
export function arrayAt(value: unknown, ...path: readonly (string | number)[]): readonly JsonValue[] {
  const found = getAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The object at a path, or an empty one. */
export function objectAt(value: unknown, ...path: readonly (string | number)[]): JsonObject {
  const found = getAt(value, ...path);
  return isJsonObject(found) ? found : {};
}
