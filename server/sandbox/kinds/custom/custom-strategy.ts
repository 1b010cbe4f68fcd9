import { arrayAt, cloneJson, getAt, isJsonObject, type JsonObject, jsonEqual } from '@/lib/json/json';
import { objectMetaSchema } from '@/lib/kube/builtin/builtin';
import type { KubeObject } from '@/lib/kube/object';
import { validateRules } from '@/lib/schema/cel/validate-rules';
import { invalid } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { validateBySchema } from '@/lib/schema/validate-by-schema';
import { validateListSets } from '@/lib/schema/validate-list-sets';
import { defaultBySchema, pruneNulls } from '../../schema/default-by-schema';
import { pruneBySchema } from '../../schema/prune-by-schema';
import { asJson, keepAllButStatus, restore } from '../base/access';
import type { FieldError, KindStrategy, StrategyContext } from '../base/strategy';
import { DecodeError, FieldFault } from '../decode/decode-error';
import { decoderOf } from '../decode/typed-decoder';

/** The strategy of one version of a CustomResourceDefinition (apiextensions-apiserver pkg/registry/customresource). */
export function customStrategy(crd: KubeObject, name: string): KindStrategy {
  const { schema, inner, hasStatus } = versionOf(crd, name);
  return {
    decode: (object) => decodeCustom(object, schema),

    applyDefaults: (object) => applyDefaults(object, inner),

    prepareForCreate(object) {
      if (hasStatus) delete object.status;
      object.metadata.generation = 1;
    },

    prepareForUpdate(object, old, { subresource }) {
      if (subresource === 'status') {
        keepAllButStatus(asJson(object), asJson(old));
        const { resourceVersion, managedFields } = object.metadata;
        object.metadata = { ...old.metadata };
        if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
        if (managedFields !== undefined) object.metadata.managedFields = managedFields;
      } else if (hasStatus) restore(asJson(object), asJson(old), 'status');
    },

    validateCreate: (object, context) => validate(asJson(object), undefined, schema, context),

    validateUpdate: (object, old, context) => validate(asJson(object), asJson(old), schema, context),

    bumpsGeneration(object, old) {
      const ignored = hasStatus ? ['metadata', 'status'] : ['metadata'];
      const keys = new Set([...Object.keys(object), ...Object.keys(old)]);
      const differs = (before: KubeObject) =>
        [...keys].some((key) => !ignored.includes(key) && !jsonEqual(object[key], before[key]));
      if (!differs(old)) return false;
      // A default that came with a later schema is no change.
      const defaulted = cloneJson(old);
      applyDefaults(defaulted, inner);
      return differs(defaulted);
    },
  };
}

function applyDefaults(object: KubeObject, inner: JsonSchema): void {
  pruneNulls(asJson(object), inner);
  defaultBySchema(asJson(object), inner);
}

interface Version {
  readonly schema: JsonSchema;
  /** Without what it says of `metadata`, which has its own defaults. */
  readonly inner: JsonSchema;
  readonly hasStatus: boolean;
}

/** The parts of `spec.versions[]`; the definition was validated, so the schema is one. */
function versionOf(crd: KubeObject, version: string): Version {
  const found = arrayAt(crd, 'spec', 'versions').find((each) => getAt(each, 'name') === version);
  const given = getAt(found, 'schema', 'openAPIV3Schema');
  const schema = isJsonObject(given) ? (given as JsonSchema) : { 'x-kubernetes-preserve-unknown-fields': true };
  const { metadata: _metadata, ...properties } = schema.properties ?? {};
  return {
    schema,
    inner: { ...schema, properties },
    hasStatus: isJsonObject(getAt(found, 'subresources', 'status')),
  };
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

/** By the schema, then lists of sets and maps, then rules (customresource/strategy.go). */
function validate(
  object: JsonObject,
  old: JsonObject | undefined,
  schema: JsonSchema,
  { subresource, warn }: StrategyContext,
): FieldError[] {
  const errors =
    subresource === 'status' ? statusErrors(object, old, schema) : validateBySchema(object, schema, '', old);
  // Lists that were wrong before may stay so.
  const listErrors =
    old === undefined || validateListSets(old, schema).length === 0 ? validateListSets(object, schema) : [];
  const found = [...errors, ...listErrors];
  const rules = validateRules(schema);
  if (rules === undefined) return found;
  if (found.some((error) => BLOCKING.has(error.type))) return [...found, invalid('<nil>', null, NOT_CHECKED)];
  const excused = (error: FieldError) => warn?.(`${error.field}: ${error.message}`);
  return [...found, ...rules(object, old, excused)];
}

/** Through `/status` only the status is checked by the schema, with paths that begin at it. */
function statusErrors({ status }: JsonObject, old: JsonObject | undefined, schema: JsonSchema): FieldError[] {
  const ofStatus = schema.properties?.status;
  if (ofStatus === undefined || status === undefined) return [];
  return validateBySchema(status, ofStatus, '', old?.status).map((error) => ({
    ...error,
    field: error.field === '' || error.field === '<nil>' ? 'status' : `status.${error.field}`,
  }));
}
