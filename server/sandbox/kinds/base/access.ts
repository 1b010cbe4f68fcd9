import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/** The object at a member, made when it is absent. */
export function ensureObject(owner: JsonObject, key: string): JsonObject {
  const found = owner[key];
  if (isJsonObject(found)) return found;
  const made: JsonObject = {};
  owner[key] = made;
  return made;
}

/** The object at a member, or undefined. */
export function objectOf(owner: JsonObject | undefined, key: string): JsonObject | undefined {
  const found = owner?.[key];
  return isJsonObject(found) ? found : undefined;
}

/** The objects of a list at a member, with nothing else. */
export function objectsOf(owner: JsonObject | undefined, key: string): JsonObject[] {
  const found = owner?.[key];
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
}

/** The texts of a list at a member. */
export function textsOf(owner: JsonObject | undefined, key: string): string[] {
  const found = owner?.[key];
  return Array.isArray(found) ? found.filter((each) => typeof each === 'string') : [];
}

/** The text at a member, or the empty one. */
export function textOf(owner: JsonObject | undefined, key: string): string {
  const found = owner?.[key];
  return typeof found === 'string' ? found : '';
}

export function numberOf(owner: JsonObject | undefined, key: string): number | undefined {
  const found = owner?.[key];
  return typeof found === 'number' ? found : undefined;
}

/** Sets members that are absent. */
export function fill(owner: JsonObject | undefined, values: { readonly [key: string]: JsonValue }): void {
  if (owner === undefined) return;
  for (const [key, value] of Object.entries(values)) {
    if (owner[key] === undefined) owner[key] = typeof value === 'object' ? structuredClone(value) : value;
  }
}

/** A value as Kubernetes prints its internal Go structs into messages: the names of fields begin with a capital. */
export function asInternal(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(asInternal);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.charAt(0).toUpperCase() + key.slice(1), asInternal(member)]),
  );
}

/** Decoded objects are plain JSON; the two types differ in name only. */
export function asJson(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}

/** Through `/status` nothing but status changes; metadata is left to the caller. */
export function keepAllButStatus(object: JsonObject, old: JsonObject): void {
  for (const key of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (!['status', 'metadata', 'apiVersion', 'kind'].includes(key)) restore(object, old, key);
  }
}

/** Sets a member to what it was before. */
export function restore(object: JsonObject, old: JsonObject, key: string): void {
  if (old[key] === undefined) delete object[key];
  else object[key] = old[key];
}
