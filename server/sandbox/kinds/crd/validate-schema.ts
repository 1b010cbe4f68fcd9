import { invalid } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { Faults } from '../base/kind-rules';
import { notConvertible, validateAllowed } from './validate-allowed';
import { validateDefaults } from './validate-defaults';
import { validateRuleTexts } from './validate-rule-texts';
import { validateStructural } from './validate-structural';

/**
 * The schema of a definition (apiextensions validateCustomResourceDefinitionValidation): that it is structural, or
 * else its defaults; what OpenAPI v3 in Kubernetes allows; and its rules when nothing else is wrong.
 */
export function validateDefinitionSchema(schema: JsonSchema, place: string, faults: Faults): void {
  const before = faults.length;
  const unfit = notConvertible(schema);
  if (unfit === undefined) {
    const structural: Faults = [];
    validateStructural(schema, place, structural);
    // The defaults of a schema that is not structural are not checked.
    if (structural.length === 0) validateDefaults({ ...schema, 'x-kubernetes-embedded-resource': true }, place, faults);
    else faults.push(...structural.sort((a, b) => (sentence(a) < sentence(b) ? -1 : 1)));
  }
  validateAllowed(schema, place, faults);
  if (faults.length > before) return;
  if (unfit !== undefined) faults.push(invalid(place, '', unfit));
  else validateRuleTexts(schema, place, faults);
}

function sentence(fault: Faults[number]): string {
  return `${fault.field}: ${fault.message}`;
}
