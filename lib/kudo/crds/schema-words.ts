import type { JsonObject } from '@/lib/json/json';

/** Short words for OpenAPI schemas, so that a kind's schema reads like its table in the specification. */

export function string(description = ''): JsonObject {
  return { type: 'string', ...described(description) };
}

export function boolean(description = ''): JsonObject {
  return { type: 'boolean', ...described(description) };
}

export function list(items: JsonObject, description = ''): JsonObject {
  return { type: 'array', items, ...described(description) };
}

export function object(description: string, properties: JsonObject): JsonObject {
  return {
    type: 'object',
    ...described(description),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
  };
}

export function map(values: JsonObject, description = ''): JsonObject {
  return { type: 'object', additionalProperties: values, ...described(description) };
}

/** Go writes null for absent lists and maps: accepted and kept. */
export function nullable(schema: JsonObject): JsonObject {
  return { ...schema, nullable: true };
}

/** core/v1 ObjectReference. */
export function objectReference(description: string): JsonObject {
  const members = ['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'];
  return object(description, Object.fromEntries(members.map((member) => [member, string()])));
}

function described(description: string): JsonObject {
  return description === '' ? {} : { description };
}
