import { cloneJson, isJsonObject } from '@/lib/json/json';
import { invalid } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { validateBySchema } from '@/lib/schema/validate-by-schema';
import { validateRules } from '../../cel/validate-rules';
import { pruneBySchema } from '../../schema/prune-by-schema';
import type { Faults } from '../base/kind-rules';

/**
 * Every default must be valid by its own schema and rules and hold no field that the schema lacks (apiextensions
 * schema/defaulting ValidateDefaults). A default of null counts as none; below `additionalProperties` nothing is checked.
 */
export function validateDefaults(schema: JsonSchema, path: string, faults: Faults): void {
  if (schema.default !== undefined && schema.default !== null) validateDefault(schema, `${path}.default`, faults);
  if (isJsonObject(schema.items)) validateDefaults(schema.items as JsonSchema, `${path}.items`, faults);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    validateDefaults(property, `${path}.properties[${name}]`, faults);
  }
}

function validateDefault(schema: JsonSchema, path: string, faults: Faults): void {
  const value = schema.default ?? null;
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  if (pruneBySchema(cloneJson(value), schema, isResource ? 'root' : 'part').length > 0) {
    faults.push(invalid(path, value, 'must not have unknown fields'));
  }
  const problems = validateBySchema(value, schema);
  faults.push(...problems.map((fault) => located(fault, path)));
  if (problems.length > 0) return;
  // Rules that do not compile are reported by validateRuleTexts.
  const rules = validateRules(schema);
  if (rules === undefined) return;
  faults.push(...rules(value).map((fault) => located(fault, path)));
}

/** Texts of faults name the place within the default, fields the whole one. */
function located(fault: Faults[number], path: string): Faults[number] {
  const inner = fault.field.replace(/^\./, '');
  return { ...fault, field: inner === '' || inner === '<nil>' ? path : `${path}.${inner}` };
}
