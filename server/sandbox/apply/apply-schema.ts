import { type JsonObject, setOwn } from '@/lib/json/json';
import { objectMetaSchema } from '@/lib/kube/builtin/builtin';
import type { JsonSchema } from '@/lib/schema/json-schema';

const rooted = new WeakMap<JsonSchema, JsonSchema>();

/** The schema of a CustomResourceDefinition's version with what every object has: apiVersion, kind and full metadata. */
export function customApplySchema(schema: JsonSchema): JsonSchema {
  let known = rooted.get(schema);
  if (known === undefined) {
    const text: JsonSchema = { type: 'string' };
    known = {
      ...schema,
      type: 'object',
      properties: { ...schema.properties, apiVersion: text, kind: text, metadata: objectMetaSchema() },
    };
    rooted.set(schema, known);
  }
  return known;
}

/**
 * A new object of a built-in kind before any field is set: what its Go type has by itself. Fields that exist
 * already are not owned by whoever creates the object.
 */
export function emptyObject(schema: JsonSchema): JsonObject {
  const empty = zeroOf(schema);
  delete empty.apiVersion;
  delete empty.kind;
  return empty;
}

/** Custom resources begin as nothing but metadata. */
export function emptyCustomObject(): JsonObject {
  return { metadata: {} };
}

function zeroOf(schema: JsonSchema): JsonObject {
  const result: JsonObject = {};
  const required = new Set(schema.required ?? []);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.type === 'object' && property.properties !== undefined && isEmptyDefault(property.default)) {
      setOwn(result, name, zeroOf(property));
    } else if (property.default !== undefined) setOwn(result, name, structuredClone(property.default));
    else if (required.has(name) && (property.type === 'array' || property.type === 'object'))
      setOwn(result, name, null);
  }
  return result;
}

function isEmptyDefault(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
