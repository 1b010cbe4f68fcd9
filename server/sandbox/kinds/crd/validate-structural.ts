import { type JsonValue, jsonEqual } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { patternProblem } from '@/lib/schema/safe-pattern';
import type { CheckedField } from '../base/checked-field';
import { type SchemaNode, shapingParts } from './schema-parts';

/** That a schema is structural (apiextensions schema ValidateStructural). */
export function validateStructural(node: SchemaNode, isRoot = true): void {
  const { schema, field } = node;
  if (schema.type === 'array' && schema.items === undefined) field.at('items').required('must be specified');
  for (const part of shapingParts(node)) validateStructural(part, false);
  if (isRoot && schema.additionalProperties !== undefined) {
    field.at('additionalProperties').forbidden('must not be used at the root');
  }
  validateExtensions(schema, field);
  validateLogicParts(schema, field);
  validateType(schema, field, isRoot);
  validateResource(schema, field, isRoot);
}

function validateExtensions(schema: JsonSchema, field: CheckedField): void {
  if (schema['x-kubernetes-int-or-string'] !== true) return;
  for (const part of field.given('x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource')) {
    if (part.value === true) part.invalid('must be false if x-kubernetes-int-or-string is true');
  }
}

/** `anyOf: [{type: integer}, {type: string}]` is how int-or-string is written. */
const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

/** Keys that shape an object, with what they have to be in `anyOf`. */
const SHAPING = {
  type: 'empty',
  default: 'undefined',
  title: 'empty',
  description: 'empty',
  nullable: 'false',
  'x-kubernetes-preserve-unknown-fields': 'false',
  'x-kubernetes-embedded-resource': 'false',
  'x-kubernetes-int-or-string': 'false',
  'x-kubernetes-list-map-keys': 'empty',
  'x-kubernetes-list-type': 'undefined',
  'x-kubernetes-map-type': 'undefined',
  'x-kubernetes-validations': 'empty',
} as const;

/** What `anyOf` of a structural schema names only judges values (validateValueValidation). */
function validateLogicParts(schema: JsonSchema, field: CheckedField): void {
  const parts = field.at('anyOf');
  for (const part of jsonEqual(parts.value, INT_OR_STRING) ? [] : parts.items) {
    for (const [key, wanted] of Object.entries(SHAPING)) {
      if (shapes(part.at(key).value, wanted)) part.at(key).forbidden(`must be ${wanted} to be structural`);
    }
  }
  const problem = schema.pattern === undefined ? undefined : patternProblem(schema.pattern);
  if (problem !== undefined) field.at('pattern').invalid(`must be a valid regular expression, but isn't: ${problem}`);
}

function shapes(value: JsonValue | undefined, wanted: string): boolean {
  if (value === undefined || value === null) return false;
  if (wanted === 'false') return value === true;
  return wanted !== 'empty' || (Array.isArray(value) ? value.length > 0 : value !== '');
}

function validateType(schema: JsonSchema, field: CheckedField, isRoot: boolean): void {
  const type = field.at('type');
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (isEmbedded && type.text !== 'object') {
    const text = 'must be object if x-kubernetes-embedded-resource is true';
    if (type.text === '') type.required(text);
    else type.invalid(text);
  } else if (
    type.text === '' &&
    schema['x-kubernetes-int-or-string'] !== true &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true
  ) {
    const ofPart = field.path.endsWith('.items') ? 'for specified array items' : 'for specified object fields';
    type.required(`must not be empty ${isRoot ? 'at the root' : ofPart}`);
  }
  if (isRoot && type.text !== '' && type.text !== 'object') type.invalid('must be object at the root');
  if (isEmbedded && schema.additionalProperties !== undefined) {
    field.at('additionalProperties').forbidden('must not be used if x-kubernetes-embedded-resource is set');
  }
}

/** `apiVersion`, `kind` and `metadata` of a whole resource are given (validateMetadata…). */
function validateResource(schema: JsonSchema, field: CheckedField, isRoot: boolean): void {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (!isRoot && !isEmbedded) return;
  const properties = field.at('properties');
  for (const [name, wanted] of [
    ['apiVersion', 'string'],
    ['kind', 'string'],
    ['metadata', 'object'],
  ] as const) {
    const type = properties.key(name).at('type');
    if (properties.key(name).isGiven && type.text !== wanted) type.invalid(`must be ${wanted}`, type.text);
  }
  if (isRoot && saysMoreThanNames(schema.properties?.metadata ?? {})) {
    const text = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    properties.key('metadata').forbidden(text);
  }
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (isEmbedded && !isOpen && Object.keys(properties.object).length === 0) {
    const text = 'without x-kubernetes-preserve-unknown-fields';
    properties.required(`must not be empty if x-kubernetes-embedded-resource is true ${text}`);
  }
}

function saysMoreThanNames(metadata: JsonSchema): boolean {
  const { properties = {}, type: _type, default: _default, ...rest } = metadata;
  const names = Object.keys(properties);
  if (names.some((name) => name !== 'name' && name !== 'generateName')) return true;
  return Object.values(rest).some((value) => value !== undefined && value !== false && value !== '');
}
