import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { Faults } from '../kind-rules';
import { forEachPart } from './schema-parts';
import { validateListTypes } from './validate-list-types';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
/** Keys of JSON schema that the API reads and then refuses. */
const UNSUPPORTED = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const;
const META = ['metadata', 'kind', 'apiVersion'];

interface Place {
  readonly isRoot: boolean;
  /** Inside apiVersion, kind or metadata of a resource. */
  readonly inMeta: boolean;
  /** Why no default may stand here. */
  readonly noDefaults?: string;
}

/** What OpenAPI v3 in Kubernetes allows in a schema (apiextensions ValidateCustomResourceDefinitionOpenAPISchema). */
export function validateAllowed(schema: JsonSchema, path: string, faults: Faults): void {
  visit(schema, path, { isRoot: true, inMeta: false }, faults);
}

function visit(schema: JsonSchema, path: string, place: Place, faults: Faults): void {
  validateKeys(schema, path, place, faults);
  if (schema.uniqueItems === true) {
    const text = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    faults.push(forbidden(`${path}.uniqueItems`, text));
  }
  const { additionalProperties } = schema;
  const closes = isJsonObject(additionalProperties) || additionalProperties === false;
  if (closes && Object.keys(schema.properties ?? {}).length > 0) {
    faults.push(forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'));
  }
  forEachPart(schema, path, (part, partPath) => visit(part, partPath, within(schema, part, place), faults));
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    faults.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  }
  validateMapType(schema, path, faults);
  validateListTypes(schema, path, faults);
}

/** What is known of the place of a part, by the schema around it. */
function within(schema: JsonSchema, part: JsonSchema, place: Place): Place {
  const inside: Place = { ...place, isRoot: false };
  if (part === schema.additionalProperties) {
    return place.inMeta ? { ...inside, noDefaults: 'inside additionalProperties applying to object metadata' } : inside;
  }
  const name = Object.entries(schema.properties ?? {}).find(([, each]) => each === part)?.[0];
  const isResource = place.isRoot || schema['x-kubernetes-embedded-resource'] === true;
  if (name === undefined || !isResource || !META.includes(name)) return inside;
  return { ...inside, inMeta: true, ...(place.isRoot && { noDefaults: `in top-level ${name}` }) };
}

function validateKeys(schema: JsonSchema, path: string, place: Place, faults: Faults): void {
  const { type } = schema;
  if (type !== undefined && type !== '' && !TYPES.includes(type)) {
    faults.push(notSupported(`${path}.type`, type, TYPES));
  }
  if (schema.default !== undefined && schema.default !== null && place.noDefaults !== undefined) {
    faults.push(forbidden(`${path}.default`, `must not be set ${place.noDefaults}`));
  }
  for (const key of UNSUPPORTED) {
    if (isGiven(schema, key)) faults.push(forbidden(`${path}.${key}`, `${key} is not supported`));
  }
  if (type === 'null') {
    faults.push(forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    faults.push(forbidden(`${path}.items`, 'items must be a schema object and not an array'));
  }
  if (place.inMeta && schema['x-kubernetes-embedded-resource'] === true) {
    faults.push(forbidden(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'));
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
  const text = 'must be object if x-kubernetes-map-type is specified';
  if (schema.type === undefined || schema.type === '') faults.push(required(`${path}.type`, text));
  else if (schema.type !== 'object') faults.push(invalid(`${path}.type`, schema.type, text));
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
