import { isJsonObject } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';

/** Calls for every schema right below this one. */
export function forEachPart(schema: JsonSchema, path: string, visit: (part: JsonSchema, path: string) => void): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    visit(property, `${path}.properties[${name}]`);
  }
  if (isJsonObject(schema.items)) visit(schema.items as JsonSchema, `${path}.items`);
  if (isJsonObject(schema.additionalProperties)) {
    visit(schema.additionalProperties as JsonSchema, `${path}.additionalProperties`);
  }
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, part] of (schema[key] ?? []).entries()) visit(part, `${path}.${key}[${index}]`);
  }
  if (schema.not !== undefined) visit(schema.not, `${path}.not`);
}
