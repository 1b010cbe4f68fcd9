import { cloneJson, isJsonObject } from '@/lib/json/json';
import { compileRules } from '@/lib/schema/cel/compile-rule';
import { validateRules } from '@/lib/schema/cel/validate-rules';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { validateBySchema } from '@/lib/schema/validate-by-schema';
import { pruneBySchema } from '../../schema/prune-by-schema';
import { asInternal } from '../base/access';
import type { CheckedField } from '../base/checked-field';
import type { FieldError } from '../base/strategy';
import { allParts, nodeOf, type SchemaNode, shapingParts } from './schema-parts';
import { validateStructural } from './validate-structural';

/**
 * The schema of a definition (apiextensions validateCustomResourceDefinitionValidation): that it is structural, or
 * else its defaults; what OpenAPI v3 in Kubernetes allows; and its rules when nothing else is wrong.
 */
export function validateDefinitionSchema({ faults, object, path }: CheckedField): void {
  const found: FieldError[] = [];
  const schema = object as JsonSchema;
  const node = nodeOf(schema, found, path);
  validateAllowed(node);
  // A schema with keys that Kubernetes does not read is not judged further.
  if (!found.some(({ message }) => message.endsWith('is not supported'))) {
    const before = found.length;
    validateStructural(node);
    // The defaults of a schema that is not structural are not checked.
    const whole = { ...schema, 'x-kubernetes-embedded-resource': true };
    if (found.length === before) validateDefaults(nodeOf(whole, found, path));
  }
  if (found.length === 0) validateRuleTexts(node, { isRoot: true, correlates: true });
  faults.push(...found);
}

/** Keys of JSON schema that the API reads and then refuses. */
const UNSUPPORTED = ['id', '$schema', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

/** What OpenAPI v3 in Kubernetes allows in a schema (apiextensions ValidateCustomResourceDefinitionOpenAPISchema). */
function validateAllowed(node: SchemaNode): void {
  const { schema, field } = node;
  if (schema.type !== '') field.at('type').oneOf(['array', 'boolean', 'integer', 'number', 'object', 'string']);
  for (const key of UNSUPPORTED) {
    const value = field.at(key).value ?? '';
    const isEmpty = value === '' || (isJsonObject(value) && Object.keys(value).length === 0);
    if (!isEmpty) field.at(key).forbidden(`${key} is not supported`);
  }
  const { additionalProperties, properties = {} } = schema;
  const closes = isJsonObject(additionalProperties) || additionalProperties === false;
  if (closes && Object.keys(properties).length > 0) {
    field.at('additionalProperties').forbidden('additionalProperties and properties are mutual exclusive');
  }
  for (const part of allParts(node)) validateAllowed(part);
  field.at('x-kubernetes-map-type').oneOf(['atomic', 'granular']);
  validateListType(schema, field);
}

/** `x-kubernetes-list-type` and `x-kubernetes-list-map-keys` of one schema (apiextensions validation). */
function validateListType(schema: JsonSchema, field: CheckedField): void {
  const listType = field.at('x-kubernetes-list-type');
  if (!listType.isGiven) return;
  const type = field.at('type');
  const text = 'must be array if x-kubernetes-list-type is specified';
  if (type.text === '') type.required(text);
  else if (type.text !== 'array') type.invalid(text);
  listType.oneOf(['atomic', 'set', 'map']);
  const items = schema.items ?? {};
  if (listType.text === 'set' && items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    const atomic = 'must be atomic as item of a list with x-kubernetes-list-type=set';
    // The API server prints the list type of the items, which objects lack.
    field.at('items', 'x-kubernetes-map-type').invalid(atomic, null);
  }
  if (listType.text !== 'map') return;
  const keys = field.at('x-kubernetes-list-map-keys');
  if (keys.items.length === 0) keys.required('must not be empty if x-kubernetes-list-type is map');
  for (const name of keys.texts) {
    const property = field.at('items', 'properties').key(name);
    if (!property.isGiven || property.at('default').isGiven || items.required?.includes(name) === true) continue;
    const needed = 'must have a default or be a required property';
    property.at('default').required(`this property is in x-kubernetes-list-map-keys, so it ${needed}`);
  }
}

/**
 * Every default must be valid by its own schema and rules and hold no field that the schema lacks (apiextensions
 * schema/defaulting ValidateDefaults). A default of null counts as none; below `additionalProperties` nothing is checked.
 */
function validateDefaults(node: SchemaNode): void {
  const { schema, field } = node;
  const { value = null, path } = field.at('default');
  for (const part of shapingParts(node)) if (part.schema !== schema.additionalProperties) validateDefaults(part);
  if (value === null) return;
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  if (pruneBySchema(cloneJson(value), schema, isResource ? 'root' : 'part').length > 0) {
    field.at('default').invalid('must not have unknown fields');
  }
  const problems = validateBySchema(value, schema);
  // Rules that do not compile are reported by validateRuleTexts.
  const broken = problems.length > 0 ? problems : (validateRules(schema)?.(value) ?? []);
  for (const fault of broken) {
    const inner = fault.field.replace(/^\./, '');
    field.faults.push({ ...fault, field: inner === '' || inner === '<nil>' ? path : `${path}.${inner}` });
  }
}

interface Place {
  readonly isRoot: boolean;
  /** The value of an update can be found in the old object. */
  readonly correlates: boolean;
}

/** The rules of a schema: their texts, types, and that old values can be found (apiextensions schema/cel). */
function validateRuleTexts(node: SchemaNode, place: Place): void {
  const { schema, field } = node;
  const { items: written } = field.at('x-kubernetes-validations');
  const compiled = written.length === 0 ? [] : compileRules(schema, place.isRoot);
  for (const [index, each] of compiled.entries()) {
    const rule = written[index];
    if (rule === undefined) continue;
    const breaks = (text: string) => (text.trim().includes('\n') ? ['must not contain line breaks'] : []);
    rule.at('message').check(breaks);
    if (rule.at('rule').text.trim() === '') continue;
    const shown = asInternal(rule.object);
    if (each.problem !== undefined) rule.at('rule').invalid(each.problem, shown);
    if (each.messageProblem !== undefined) rule.at('messageExpression').invalid(each.messageProblem, shown);
    if (each.isTransition && !place.correlates) {
      const text = 'oldSelf cannot be used on the uncorrelatable portion of the schema within';
      rule.at('rule').invalid(`${text} ${field.path}`);
    }
  }
  const listIsMap = schema['x-kubernetes-list-type'] === 'map';
  for (const part of allParts(node)) {
    const correlates = place.correlates && (part.schema !== schema.items || listIsMap);
    validateRuleTexts(part, { isRoot: false, correlates });
  }
}
