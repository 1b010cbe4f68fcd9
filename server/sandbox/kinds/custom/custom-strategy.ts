import { cloneJson, getAt, isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import { objectMetaSchema } from '@/lib/kube/builtin/builtin';
import type { KubeObject } from '@/lib/kube/object';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { validateBySchema } from '@/lib/schema/validate-by-schema';
import { validateListSets } from '@/lib/schema/validate-list-sets';
import { validateRules } from '../../cel/validate-rules';
import { defaultBySchema, pruneNulls } from '../../schema/default-by-schema';
import { pruneBySchema } from '../../schema/prune-by-schema';
import type { FieldError, KindStrategy, StrategyContext } from '../base/strategy';
import { DecodeError, FieldFault } from '../decode/decode-error';
import { decoderOf } from '../decode/typed-decoder';

/** The strategy of one version of a CustomResourceDefinition (apiextensions-apiserver pkg/registry/customresource). */
export function customStrategy(crd: KubeObject, name: string): KindStrategy {
  const version = versionOf(crd, name);
  const { schema, hasStatus } = version;
  return {
    decode: (object) => decodeCustom(object, schema),

    applyDefaults: (object) => applyDefaults(object, schema),

    prepareForCreate(object) {
      if (hasStatus) delete object.status;
      object.metadata.generation = 1;
    },

    prepareForUpdate(object, old, { subresource }) {
      if (subresource === 'status') keepAllButStatus(asJson(object), asJson(old));
      else if (hasStatus) restore(asJson(object), asJson(old), 'status');
    },

    validateCreate(object, { warn }) {
      return validate(asJson(object), undefined, version, warn);
    },

    validateUpdate(object, old, { subresource, warn }) {
      const check = subresource === 'status' ? validateStatus : validate;
      return check(asJson(object), asJson(old), version, warn);
    },

    bumpsGeneration(object, old) {
      const ignored = hasStatus ? ['metadata', 'status'] : ['metadata'];
      const keys = new Set([...Object.keys(object), ...Object.keys(old)]);
      const differs = (before: KubeObject) =>
        [...keys].some((key) => !ignored.includes(key) && !jsonEqual(object[key], before[key]));
      if (!differs(old)) return false;
      // A default that came with a later schema is no change.
      const defaulted = cloneJson(old);
      applyDefaults(defaulted, schema);
      return differs(defaulted);
    },
  };
}

function applyDefaults(object: KubeObject, schema: JsonSchema): void {
  const { metadata, ...rest } = asJson(object);
  const { metadata: _schema, ...properties } = schema.properties ?? {};
  const inner = schema.properties === undefined ? schema : withProperties(schema, properties);
  pruneNulls(rest, inner);
  defaultBySchema(rest, inner);
  for (const key of Object.keys(object)) if (key !== 'metadata' && !Object.hasOwn(rest, key)) delete object[key];
  Object.assign(object, rest, { metadata });
}

interface Version {
  readonly schema: JsonSchema;
  readonly hasStatus: boolean;
}

/** The parts of `spec.versions[]`; the definition was validated, so the schema is one. */
function versionOf(crd: KubeObject, version: string): Version {
  const versions = getAt(crd, 'spec', 'versions');
  const found = Array.isArray(versions) ? versions.find((each) => getAt(each, 'name') === version) : undefined;
  const schema = getAt(found, 'schema', 'openAPIV3Schema');
  return {
    schema: isJsonObject(schema) ? (schema as JsonSchema) : { 'x-kubernetes-preserve-unknown-fields': true },
    hasStatus: isJsonObject(getAt(found, 'subresources', 'status')),
  };
}

const withoutMetadata = new WeakMap<JsonSchema, JsonSchema>();

/** The schema with other properties; always the same object for the same schema, so that caches hold. */
function withProperties(schema: JsonSchema, properties: { [name: string]: JsonSchema }): JsonSchema {
  const known = withoutMetadata.get(schema);
  if (known !== undefined) return known;
  const made = { ...schema, properties };
  withoutMetadata.set(schema, made);
  return made;
}

function decodeCustom(object: KubeObject, schema: JsonSchema): { object: KubeObject; unknownFields: string[] } {
  const unknownFields: string[] = [];
  const plain = cloneJson(asJson(object));
  try {
    plain.metadata = decoderOf(objectMetaSchema())(plain.metadata ?? {}, 'metadata', unknownFields);
    const pruned = pruneBySchema(plain, schema, 'root');
    unknownFields.push(...pruned);
  } catch (error) {
    throw error instanceof FieldFault ? new DecodeError(object, error) : error;
  }
  return { object: plain as unknown as KubeObject, unknownFields: unknownFields.sort() };
}

type Warn = StrategyContext['warn'];

function validate(object: JsonObject, old: JsonObject | undefined, version: Version, warn: Warn): FieldError[] {
  const { schema } = version;
  const errors = [...validateBySchema(object, schema, '', old)];
  return validateRest(errors, object, old, schema, warn);
}

/** Through `/status` only the status is checked by the schema, with paths that begin at it. */
function validateStatus(object: JsonObject, old: JsonObject | undefined, version: Version, warn: Warn): FieldError[] {
  const { schema } = version;
  const status = schema.properties?.status;
  const errors =
    status === undefined || object.status === undefined
      ? []
      : validateBySchema(object.status, status, '', old?.status).map(locatedInStatus);
  return validateRest(errors, object, old, schema, warn);
}

function locatedInStatus(error: FieldError): FieldError {
  return { ...error, field: error.field === '' || error.field === '<nil>' ? 'status' : `status.${error.field}` };
}

/** What comes after the schema: lists of sets and maps, rules (customresource/strategy.go). */
function validateRest(
  errors: FieldError[],
  object: JsonObject,
  old: JsonObject | undefined,
  schema: JsonSchema,
  warn: Warn,
): FieldError[] {
  // Lists that were wrong before may stay so.
  if (old === undefined || validateListSets(old, schema).length === 0) errors.push(...validateListSets(object, schema));
  return withRules(errors, object, old, schema, warn);
}

/** Faults after which rules are not worth checking. */
const BLOCKING = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

function withRules(
  errors: FieldError[],
  object: JsonObject,
  old: JsonObject | undefined,
  schema: JsonSchema,
  warn: Warn,
): FieldError[] {
  const rules = validateRules(schema);
  if (rules === undefined) return errors;
  if (errors.some((error) => BLOCKING.has(error.type))) {
    return [...errors, { field: '<nil>', type: 'FieldValueInvalid', message: `Invalid value: null: ${NOT_CHECKED}` }];
  }
  const excused = (error: FieldError) => warn?.(`${error.field}: ${error.message}`);
  return [...errors, ...rules(object, old, excused)];
}

/** Through `/status` everything stays as it was but the status. */
function keepAllButStatus(object: JsonObject, old: JsonObject): void {
  for (const key of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (key !== 'status' && key !== 'metadata' && key !== 'apiVersion' && key !== 'kind') restore(object, old, key);
  }
  const { resourceVersion, managedFields } = metadataOf(object);
  const metadata: JsonObject = { ...metadataOf(old) };
  if (resourceVersion !== undefined) metadata.resourceVersion = resourceVersion;
  if (managedFields !== undefined) metadata.managedFields = managedFields;
  object.metadata = metadata;
}

function metadataOf(object: JsonObject): JsonObject {
  return isJsonObject(object.metadata) ? object.metadata : {};
}

function restore(object: JsonObject, old: JsonObject, key: string): void {
  const before: JsonValue | undefined = old[key];
  if (before === undefined) delete object[key];
  else object[key] = before;
}

function asJson(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}
