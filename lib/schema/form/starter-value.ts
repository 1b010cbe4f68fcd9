import type { JsonObject, JsonValue } from '@/lib/json/json';
import type { JsonSchema } from '../json-schema';
import { fieldControl } from './field-control';

const MAX_DEPTH = 6;

/** The first value of a field that is added: required members, and defaults where there are some. */
export function starterValue(schema: JsonSchema, depth = 0): JsonValue {
  if (schema.default !== undefined && !isEmptyObject(schema)) return schema.default;
  switch (fieldControl(schema, undefined)) {
    case 'choice':
      return schema.enum?.[0] ?? '';
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'list':
      return schema.items === undefined || depth >= MAX_DEPTH ? [] : [starterValue(schema.items, depth + 1)];
    case 'object':
      return requiredMembers(schema, depth);
    case 'map':
    case 'yaml':
      return schema.type === 'array' ? [] : {};
    default:
      return '';
  }
}

/** Kubernetes publishes `default: {}` for structs that are no pointers; their required members count. */
function isEmptyObject(schema: JsonSchema): boolean {
  return typeof schema.default === 'object' && schema.properties !== undefined;
}

/** The required members of an object, with their first values. */
export function requiredMembers(schema: JsonSchema | undefined, depth = 0): JsonObject {
  if (schema === undefined || depth >= MAX_DEPTH) return {};
  const members = (schema.required ?? []).flatMap((name) => {
    const member = schema.properties?.[name];
    return member === undefined ? [] : [[name, starterValue(member, depth + 1)] as const];
  });
  return Object.fromEntries(members);
}
