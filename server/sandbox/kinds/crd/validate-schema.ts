import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { safePattern } from '@/lib/schema/safe-pattern';
import type { Faults } from '../kind-rules';
import { forEachPart } from './schema-parts';
import { validateDefaults } from './validate-defaults';
import { validateRuleTexts } from './validate-rule-texts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const UNSUPPORTED = ['$ref', 'definitions', 'dependencies', 'id', 'patternProperties', 'additionalItems'] as const;

/**
 * The schema of a definition: what OpenAPI v3 in Kubernetes allows, then that it is structural, then its defaults and
 * rules; each step only when the one before found nothing (apiextensions validation and schema packages).
 */
export function validateDefinitionSchema(schema: JsonSchema, place: string, faults: Faults): void {
  const before = faults.length;
  const root = 'openAPIV3Schema';
  validateAllowed(schema, place, faults);
  if (!hasType(schema) && faults.length === before)
    faults.push(required(`${place}.type`, 'must not be empty at the root'));
  else if (schema.type !== undefined && schema.type !== 'object' && TYPES.includes(schema.type)) {
    faults.push(invalid(`${place}.type`, schema.type, 'must be object at the root'));
  }
  if (faults.length === before) validateStructural(schema, place, faults, { level: root });
  if (faults.length === before) validateDefaults(schema, place, faults);
  if (faults.length === before) validateRuleTexts(schema, place, faults);
}

function validateAllowed(schema: JsonSchema, path: string, faults: Faults): void {
  for (const key of UNSUPPORTED) {
    const value: unknown = (schema as { readonly [key: string]: unknown })[key];
    if (value !== undefined) faults.push(forbidden(`${path}.${key}`, `${key} is not supported`));
  }
  if (schema.type !== undefined && !TYPES.includes(schema.type)) {
    faults.push(notSupported(`${path}.type`, schema.type, TYPES));
  }
  if (schema.uniqueItems === true) {
    const text = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    faults.push(forbidden(`${path}.uniqueItems`, text));
  }
  if (schema.properties !== undefined && isJsonObject(schema.additionalProperties)) {
    faults.push(forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'));
  }
  if (schema.type === 'array' && schema.items === undefined)
    faults.push(required(`${path}.items`, 'must be specified'));
  if (Array.isArray(schema.items)) {
    faults.push(forbidden(`${path}.items`, 'items must be a schema object and not an array'));
  }
  if (schema.pattern !== undefined && safePattern(schema.pattern) === undefined) {
    const text = `must be a valid regular expression, but isn't: error parsing regexp: ${schema.pattern}`;
    faults.push(invalid(`${path}.pattern`, schema.pattern, text));
  }
  validateListType(schema, path, faults);
  forEachPart(schema, path, (part, partPath) => validateAllowed(part, partPath, faults));
}

function validateListType(schema: JsonSchema, path: string, faults: Faults): void {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (listType !== undefined) {
    if (schema.type !== 'array') {
      faults.push(invalid(`${path}.type`, schema.type ?? '', 'must be array if x-kubernetes-list-type is specified'));
    } else if (!['atomic', 'set', 'map'].includes(listType)) {
      faults.push(notSupported(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']));
    }
  }
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType !== undefined && mapType !== 'atomic' && mapType !== 'granular') {
    faults.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
  }
  if (listType === 'set' && schema.items?.type === 'object' && schema.items['x-kubernetes-map-type'] !== 'atomic') {
    const text = 'must be atomic as item of a list with x-kubernetes-list-type=set';
    faults.push(invalid(`${path}.items.x-kubernetes-map-type`, schema.items['x-kubernetes-map-type'] ?? null, text));
  }
  if (listType !== 'map') {
    if (keys.length > 0) {
      faults.push(
        invalid(
          `${path}.x-kubernetes-list-type`,
          listType ?? null,
          'must be map if x-kubernetes-list-map-keys is non-empty',
        ),
      );
    }
    return;
  }
  if (keys.length === 0) {
    const text = 'must not be empty if x-kubernetes-list-type is map';
    faults.push(required(`${path}.x-kubernetes-list-map-keys`, text));
  }
  for (const [index, key] of keys.entries()) {
    const property = schema.items?.properties?.[key];
    if (property === undefined) {
      const text = 'entries must all be names of item properties';
      faults.push(invalid(`${path}.x-kubernetes-list-map-keys[${index}]`, key, text));
    } else if (property.default === undefined && schema.items?.required?.includes(key) !== true) {
      const text =
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      faults.push(required(`${path}.items.properties[${key}].default`, text));
    }
  }
}

interface Place {
  readonly level: string;
}

function hasType(schema: JsonSchema): boolean {
  return (
    (schema.type !== undefined && schema.type !== '') ||
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true
  );
}

function validateStructural(schema: JsonSchema, path: string, faults: Faults, { level }: Place): void {
  if (level !== 'openAPIV3Schema' && !hasType(schema)) {
    faults.push(required(`${path}.type`, `must not be empty for specified ${level}`));
  }
  if (schema['x-kubernetes-embedded-resource'] === true) validateEmbedded(schema, path, faults);
  if (level === 'openAPIV3Schema' || schema['x-kubernetes-embedded-resource'] === true) {
    validateMetadata(schema, path, faults);
  }
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, part] of (schema[key] ?? []).entries()) {
      if (!isIntOrString(schema, key, part)) validateValueOnly(part, `${path}.${key}[${index}]`, faults);
    }
  }
  if (schema.not !== undefined) validateValueOnly(schema.not, `${path}.not`, faults);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    validateStructural(property, `${path}.properties[${name}]`, faults, { level: 'object fields' });
  }
  if (schema.items !== undefined) validateStructural(schema.items, `${path}.items`, faults, { level: 'array items' });
  if (isJsonObject(schema.additionalProperties)) {
    validateStructural(schema.additionalProperties as JsonSchema, `${path}.additionalProperties`, faults, {
      level: 'object fields',
    });
  }
}

/** `anyOf: [{type: integer}, {type: string}]` is how int-or-string is written. */
function isIntOrString(schema: JsonSchema, key: string, part: JsonSchema): boolean {
  return (
    schema['x-kubernetes-int-or-string'] === true && key !== 'oneOf' && (part.type !== undefined || key === 'allOf')
  );
}

function validateEmbedded(schema: JsonSchema, path: string, faults: Faults): void {
  if (schema.type !== 'object') {
    faults.push(invalid(`${path}.type`, schema.type ?? '', 'must be object if x-kubernetes-embedded-resource is true'));
  }
  const empty = Object.keys(schema.properties ?? {}).length === 0;
  if (empty && schema['x-kubernetes-preserve-unknown-fields'] !== true) {
    const text =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    faults.push(required(`${path}.properties`, text));
  }
}

function validateMetadata(schema: JsonSchema, path: string, faults: Faults): void {
  const metadata = schema.properties?.metadata;
  if (metadata === undefined) return;
  const field = `${path}.properties[metadata]`;
  if (metadata.type !== 'object') faults.push(invalid(`${field}.type`, metadata.type ?? '', 'must be object'));
  const others = Object.keys(metadata.properties ?? {}).some((name) => name !== 'name' && name !== 'generateName');
  if (others) {
    const text = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    faults.push(forbidden(field, text));
  }
}

/** Inside logic only values are judged: nothing there may shape the object. */
function validateValueOnly(schema: JsonSchema, path: string, faults: Faults): void {
  const empty = ['type', 'title', 'description', 'default', 'additionalProperties', 'nullable'] as const;
  for (const key of empty) {
    const value: JsonValue | JsonSchema | undefined = schema[key] as JsonValue | undefined;
    if (value !== undefined && value !== false && value !== '') {
      faults.push(forbidden(`${path}.${key}`, 'must be empty to be structural'));
    }
  }
  for (const key of [
    'x-kubernetes-preserve-unknown-fields',
    'x-kubernetes-embedded-resource',
    'x-kubernetes-int-or-string',
  ] as const) {
    if (schema[key] === true) faults.push(forbidden(`${path}.${key}`, 'must be false to be structural'));
  }
  forEachPart(schema, path, (part, partPath) => validateValueOnly(part, partPath, faults));
}
