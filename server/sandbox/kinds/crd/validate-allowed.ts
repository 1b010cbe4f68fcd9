import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { forbidden, notSupported } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { Faults } from '../base/kind-rules';
import { forEachPart } from './schema-parts';
import { validateListTypes } from './validate-list-types';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
/** Keys of JSON schema that the API reads and then refuses. */
const UNSUPPORTED = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const;

/** What OpenAPI v3 in Kubernetes allows in a schema (apiextensions ValidateCustomResourceDefinitionOpenAPISchema). */
export function validateAllowed(schema: JsonSchema, path: string, faults: Faults): void {
  validateKeys(schema, path, faults);
  const { additionalProperties } = schema;
  const closes = isJsonObject(additionalProperties) || additionalProperties === false;
  if (closes && Object.keys(schema.properties ?? {}).length > 0) {
    faults.push(forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'));
  }
  forEachPart(schema, path, (part, partPath) => validateAllowed(part, partPath, faults));
  validateMapType(schema, path, faults);
  validateListTypes(schema, path, faults);
}

function validateKeys(schema: JsonSchema, path: string, faults: Faults): void {
  const { type } = schema;
  if (type !== undefined && type !== '' && !TYPES.includes(type)) {
    faults.push(notSupported(`${path}.type`, type, TYPES));
  }
  for (const key of UNSUPPORTED) {
    if (isGiven(schema, key)) faults.push(forbidden(`${path}.${key}`, `${key} is not supported`));
  }
}

function isGiven(schema: JsonSchema, key: string): boolean {
  const value = (schema as JsonObject)[key];
  if (value === undefined || value === null) return false;
  if (key === 'id') return value !== '';
  return !(isJsonObject(value) && Object.keys(value).length === 0 && key !== 'dependencies');
}

function validateMapType(schema: JsonSchema, path: string, faults: Faults): void {
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return;
  if (mapType !== 'atomic' && mapType !== 'granular') {
    faults.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
  }
}

/** Why a schema cannot even be read as a structural one (NewStructural); undefined when it can. */
export function notConvertible(schema: JsonSchema): string | undefined {
  for (const key of ['id', '$schema', '$ref', 'patternProperties', 'dependencies', 'additionalItems', 'definitions']) {
    const value = (schema as JsonObject)[key];
    const empty = value === '' || (isJsonObject(value) && Object.keys(value).length === 0);
    if (isGiven(schema, key) && !empty) return `OpenAPIV3Schema '${key.replace('$schema', 'schema')}' is not supported`;
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  let found: string | undefined;
  forEachPart(schema, '', (part) => {
    found ??= notConvertible(part);
  });
  return found;
}
