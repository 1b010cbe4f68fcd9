import { isJsonObject } from '@/lib/json/json';
import { forbidden, invalid, required } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { Faults } from '../base/kind-rules';
import { validateLogicParts } from './validate-value-only';

type Level = 'root' | 'item' | 'field';

/** That a schema is structural (apiextensions schema ValidateStructural). */
export function validateStructural(schema: JsonSchema, path: string, faults: Faults): void {
  validateInvariants(schema, 'root', path, faults);
}

function validateInvariants(schema: JsonSchema, level: Level, path: string, faults: Faults): void {
  if (schema.type === 'array' && schema.items === undefined) {
    faults.push(required(`${path}.items`, 'must be specified'));
  }
  if (isJsonObject(schema.items)) validateInvariants(schema.items as JsonSchema, 'item', `${path}.items`, faults);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    validateInvariants(property, 'field', `${path}.properties[${name}]`, faults);
  }
  const { additionalProperties } = schema;
  if (additionalProperties !== undefined) {
    const field = `${path}.additionalProperties`;
    if (level === 'root') faults.push(forbidden(field, 'must not be used at the root'));
    if (isJsonObject(additionalProperties)) {
      validateInvariants(additionalProperties as JsonSchema, 'field', field, faults);
    }
  }
  validateExtensions(schema, path, faults);
  validateLogicParts(schema, path, faults);
  validateType(schema, level, path, faults);
  validateResource(schema, level, path, faults);
}

function validateExtensions(schema: JsonSchema, path: string, faults: Faults): void {
  if (schema['x-kubernetes-int-or-string'] !== true) return;
  for (const key of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (schema[key] !== true) continue;
    faults.push(invalid(`${path}.${key}`, true, 'must be false if x-kubernetes-int-or-string is true'));
  }
}

const WORDS: { readonly [level in Level]: string } = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function validateType(schema: JsonSchema, level: Level, path: string, faults: Faults): void {
  const type = schema.type ?? '';
  const field = `${path}.type`;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (isEmbedded && type !== 'object') {
    const text = 'must be object if x-kubernetes-embedded-resource is true';
    faults.push(type === '' ? required(field, text) : invalid(field, type, text));
  } else if (
    type === '' &&
    schema['x-kubernetes-int-or-string'] !== true &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true
  ) {
    faults.push(required(field, WORDS[level]));
  }
  if (isEmbedded && schema.additionalProperties !== undefined) {
    const text = 'must not be used if x-kubernetes-embedded-resource is set';
    faults.push(forbidden(`${path}.additionalProperties`, text));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    faults.push(invalid(field, type, 'must be object at the root'));
  }
}

/** apiVersion, kind and metadata of the root and of embedded resources. */
function validateResource(schema: JsonSchema, level: Level, path: string, faults: Faults): void {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const properties = schema.properties ?? {};
  const isResource = level === 'root' || isEmbedded;
  for (const name of ['kind', 'apiVersion']) {
    const property = properties[name];
    if (!isResource || property === undefined || property.type === 'string') continue;
    faults.push(invalid(`${path}.properties[${name}].type`, property.type ?? '', 'must be string'));
  }
  const { metadata } = properties;
  if (metadata !== undefined) {
    const field = `${path}.properties[metadata]`;
    if (isResource && metadata.type !== 'object') {
      faults.push(invalid(`${field}.type`, metadata.type ?? '', 'must be object'));
    }
    if (level === 'root' && saysMoreThanNames(metadata)) {
      const text = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
      faults.push(forbidden(field, text));
    }
  }
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (isEmbedded && !isOpen && Object.keys(properties).length === 0) {
    const text =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    faults.push(required(`${path}.properties`, text));
  }
}

function saysMoreThanNames(metadata: JsonSchema): boolean {
  const { properties = {}, type: _type, default: _default, ...rest } = metadata;
  const names = Object.keys(properties);
  if (names.some((name) => name !== 'name' && name !== 'generateName')) return true;
  return Object.values(rest).some((value) => value !== undefined && value !== false && value !== '');
}
