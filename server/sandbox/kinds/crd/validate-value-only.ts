import { isJsonObject, jsonEqual } from '@/lib/json/json';
import { forbidden, invalid } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { patternProblem } from '@/lib/schema/safe-pattern';
import type { Faults } from '../kind-rules';

/** `anyOf: [{type: integer}, {type: string}]` is how int-or-string is written. */
const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

/** What stands in allOf, anyOf, oneOf and not of a structural schema only judges values (validateValueValidation). */
export function validateLogicParts(schema: JsonSchema, path: string, faults: Faults): void {
  const [first] = schema.allOf ?? [];
  visitLogic(schema, path, faults, {
    anyOf: isIntOrString(schema.anyOf),
    firstAnyOf: isIntOrString(first?.anyOf),
  });
}

function isIntOrString(parts: readonly JsonSchema[] | undefined): boolean {
  return parts !== undefined && jsonEqual(JSON.parse(JSON.stringify(parts)), INT_OR_STRING);
}

interface Skip {
  readonly anyOf: boolean;
  readonly firstAnyOf: boolean;
}
const NOTHING: Skip = { anyOf: false, firstAnyOf: false };

function visitLogic(schema: JsonSchema, path: string, faults: Faults, skip: Skip): void {
  if (!skip.anyOf) {
    for (const [index, part] of (schema.anyOf ?? []).entries()) visitPart(part, `${path}.anyOf[${index}]`, faults);
  }
  for (const [index, part] of (schema.allOf ?? []).entries()) {
    visitPart(part, `${path}.allOf[${index}]`, faults, { anyOf: skip.firstAnyOf && index === 0, firstAnyOf: false });
  }
  for (const [index, part] of (schema.oneOf ?? []).entries()) visitPart(part, `${path}.oneOf[${index}]`, faults);
  if (schema.not !== undefined) visitPart(schema.not, `${path}.not`, faults);
  const problem = schema.pattern === undefined ? undefined : patternProblem(schema.pattern);
  if (problem !== undefined) {
    const text = `must be a valid regular expression, but isn't: ${problem}`;
    faults.push(invalid(`${path}.pattern`, schema.pattern, text));
  }
}

/** Keys that shape an object, with what they have to be in here. */
const SHAPING = [
  ['type', 'empty'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  ['x-kubernetes-preserve-unknown-fields', 'false'],
  ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty'],
] as const;

function visitPart(schema: JsonSchema, path: string, faults: Faults, skip: Skip = NOTHING): void {
  visitLogic(schema, path, faults, skip);
  if (isJsonObject(schema.items)) visitPart(schema.items as JsonSchema, `${path}.items`, faults);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    visitPart(property, `${path}.properties[${name}]`, faults);
  }
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    faults.push(forbidden(`${path}.additionalProperties`, 'must be undefined to be structural'));
  }
  for (const [key, wanted] of SHAPING) {
    if (shapes(schema[key], wanted)) faults.push(forbidden(`${path}.${key}`, `must be ${wanted} to be structural`));
  }
  // Nothing in here may restrict metadata, which is the API's own.
  if (schema.properties?.metadata !== undefined) {
    faults.push(forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
}

function shapes(value: unknown, wanted: string): boolean {
  if (value === undefined || value === null) return false;
  if (wanted === 'false') return value === true;
  if (wanted === 'empty') return Array.isArray(value) ? value.length > 0 : value !== '';
  return true;
}
