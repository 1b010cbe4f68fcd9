import { isJsonObject } from '@/lib/json/json';
import { required } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { Faults } from '../kind-rules';

/**
 * Every field and item that the logic of a schema judges has to be specified outside of it too (apiextensions
 * validateStructuralCompleteness). Only the logic at the root of the schema is followed, as the API server does.
 */
export function validateComplete(schema: JsonSchema, path: string, faults: Faults): void {
  visitLogic(schema, schema, path, path, faults);
}

function visitLogic(logic: JsonSchema, schema: JsonSchema, path: string, logicPath: string, faults: Faults): void {
  if (logic.not !== undefined) visit(logic.not, schema, path, `${logicPath}.not`, faults);
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, part] of (logic[key] ?? []).entries()) {
      visit(part, schema, path, `${logicPath}.${key}[${index}]`, faults);
    }
  }
}

function visit(part: JsonSchema, schema: JsonSchema | undefined, path: string, partPath: string, faults: Faults): void {
  if (schema === undefined) {
    faults.push(required(path, `because it is defined in ${partPath}`));
    return;
  }
  visitLogic(part, schema, path, partPath, faults);
  if (isJsonObject(part.items)) {
    visit(part.items as JsonSchema, schema.items, `${path}.items`, `${partPath}.items`, faults);
  }
  for (const [name, property] of Object.entries(part.properties ?? {})) {
    const key = `properties[${name}]`;
    visit(property, schema.properties?.[name], `${path}.${key}`, `${partPath}.${key}`, faults);
  }
}
