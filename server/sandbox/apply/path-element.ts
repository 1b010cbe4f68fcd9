import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { PathElement } from './field-set';
import { itemType } from './node-type';

/** The element of a path for a member of an object. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/**
 * The element of a path for an element of a list: by its keys (missing ones take their default), or by its value in a
 * set. Undefined when it has none of the keys.
 */
export function itemElement(schema: JsonSchema, item: JsonValue): PathElement | undefined {
  if (schema['x-kubernetes-list-type'] === 'set') return `v:${JSON.stringify(item)}`;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const found: JsonObject = {};
  for (const key of [...keys].sort()) {
    const value = isJsonObject(item) ? item[key] : undefined;
    const given = value ?? itemType(schema).properties?.[key]?.default;
    if (given !== undefined && given !== null) found[key] = given;
  }
  return Object.keys(found).length === 0 ? undefined : `k:${JSON.stringify(found)}`;
}

/** A path as Kubernetes prints it: `.spec.containers[name="c"].image`. */
export function printPath(path: readonly PathElement[]): string {
  return path.map(printElement).join('');
}

export function printElement(element: PathElement): string {
  const text = element.slice(2);
  switch (element.slice(0, 2)) {
    case 'f:':
      return `.${text}`;
    case 'v:':
      return `[=${text}]`;
    case 'i:':
      return `[${text}]`;
    default: {
      const keys: unknown = JSON.parse(text);
      const parts = Object.entries(isJsonObject(keys) ? keys : {}).map(
        ([key, value]) => `${key}=${JSON.stringify(value)}`,
      );
      return `[${parts.join(',')}]`;
    }
  }
}
