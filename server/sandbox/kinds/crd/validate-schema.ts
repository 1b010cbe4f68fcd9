import { isJsonObject } from '@/lib/json/json';
import { forbidden, invalid } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { Faults } from '../kind-rules';
import { notConvertible, validateAllowed } from './validate-allowed';
import { validateDefaults } from './validate-defaults';
import { validateRuleTexts } from './validate-rule-texts';
import { validateStructural } from './validate-structural';

/** What stands at the root beside a status subresource; anything else would be lost for the status. */
const BESIDE_STATUS =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';

/**
 * The schema of a definition (apiextensions validateCustomResourceDefinitionValidation): that it is structural, or
 * else its defaults; what OpenAPI v3 in Kubernetes allows; and its rules when nothing else is wrong.
 *
 * @param hasStatus some version has the status subresource
 */
export function validateDefinitionSchema(schema: JsonSchema, place: string, faults: Faults, hasStatus: boolean): void {
  const before = faults.length;
  if (hasStatus) validateRootBesideStatus(schema, place, faults);
  if (schema.nullable === true) faults.push(forbidden(`${place}.nullable`, 'nullable cannot be true at the root'));
  const unfit = notConvertible(schema);
  if (unfit === undefined) {
    const structural: Faults = [];
    validateStructural(schema, place, structural);
    // The defaults of a schema that is not structural are not looked at.
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

function validateRootBesideStatus(schema: JsonSchema, place: string, faults: Faults): void {
  if (schema.type !== undefined && schema.type !== '' && schema.type !== 'object') {
    const text = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    faults.push(invalid(`${place}.type`, schema.type, text));
    return;
  }
  const allowed = BESIDE_STATUS.split(' ');
  const others = Object.entries(schema).some(([key, value]) => isSet(value) && !allowed.includes(goName(key)));
  if (!others) return;
  const text = `only [${BESIDE_STATUS}] fields are allowed at the root of the schema if the status subresource is enabled`;
  faults.push(invalid(place, schema, text));
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return !(isJsonObject(value) && Object.keys(value).length === 0);
}

/** `x-kubernetes-list-type` is the field XListType in Go, `maxItems` is MaxItems. */
function goName(key: string): string {
  const words = key.replace(/^x-kubernetes-/, 'x-').split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
