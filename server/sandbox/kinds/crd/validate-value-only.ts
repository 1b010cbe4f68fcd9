import { jsonEqual } from '@/lib/json/json';
import { forbidden, invalid } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { patternProblem } from '@/lib/schema/safe-pattern';
import type { Faults } from '../base/kind-rules';

/** `anyOf: [{type: integer}, {type: string}]` is how int-or-string is written. */
const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

/** What `anyOf` of a structural schema names only judges values (validateValueValidation). */
export function validateLogicParts(schema: JsonSchema, path: string, faults: Faults): void {
  if (!isIntOrString(schema.anyOf)) {
    for (const [index, part] of (schema.anyOf ?? []).entries()) visitPart(part, `${path}.anyOf[${index}]`, faults);
  }
  const problem = schema.pattern === undefined ? undefined : patternProblem(schema.pattern);
  if (problem !== undefined) {
    const text = `must be a valid regular expression, but isn't: ${problem}`;
    faults.push(invalid(`${path}.pattern`, schema.pattern, text));
  }
}

function isIntOrString(parts: readonly JsonSchema[] | undefined): boolean {
  return parts !== undefined && jsonEqual(JSON.parse(JSON.stringify(parts)), INT_OR_STRING);
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

function visitPart(schema: JsonSchema, path: string, faults: Faults): void {
  for (const [key, wanted] of SHAPING) {
    if (shapes(schema[key], wanted)) faults.push(forbidden(`${path}.${key}`, `must be ${wanted} to be structural`));
  }
}

function shapes(value: unknown, wanted: string): boolean {
  if (value === undefined || value === null) return false;
  if (wanted === 'false') return value === true;
  if (wanted === 'empty') return Array.isArray(value) ? value.length > 0 : value !== '';
  return true;
}
