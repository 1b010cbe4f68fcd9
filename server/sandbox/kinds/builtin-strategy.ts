import { isJsonObject, type JsonObject, jsonEqual, objectAt } from '@/lib/json/json';
import { builtinResources, builtinSchema } from '@/lib/kube/builtin/builtin';
import type { GroupVersionKind, KubeObject } from '@/lib/kube/object';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { defaultBySchema } from '../schema/default-by-schema';
import { asJson, keepAllButStatus, restore } from './base/access';
import { CheckedField } from './base/checked-field';
import type { KindRules } from './base/kind-rules';
import type { KindStrategy } from './base/strategy';
import { DecodeError, FieldFault } from './decode/decode-error';
import { decoderOf } from './decode/typed-decoder';

/** The strategy of a built-in kind: its schema, the common rules of status and generation, and the kind's own rules. */
export function makeBuiltinStrategy(gvk: GroupVersionKind, rules: KindRules): KindStrategy {
  const schema: JsonSchema = builtinSchema(gvk) ?? {};
  const decode = decoderOf(schema);
  const hasStatus = hasStatusSubresource(gvk);
  const emptyStatus = emptyStatusOf(schema);
  const generationOf = rules.generationOf ?? ['spec'];

  return {
    decode(object) {
      const unknownFields: string[] = [];
      try {
        const decoded = decode(object as unknown as JsonObject, '', unknownFields) as unknown as KubeObject;
        decoded.metadata ??= {};
        return { object: decoded, unknownFields };
      } catch (error) {
        throw error instanceof FieldFault ? new DecodeError(object, error) : error;
      }
    },

    applyDefaults(object) {
      const plain = asJson(object);
      defaultBySchema(plain, schema);
      rules.defaults?.(plain);
    },

    prepareForCreate(object, context) {
      const plain = asJson(object);
      if (hasStatus && rules.keepsStatusOnCreate !== true) {
        if (emptyStatus === undefined) delete plain.status;
        else plain.status = structuredClone(emptyStatus);
      }
      if (rules.hasGeneration === true) object.metadata.generation = 1;
      rules.prepareCreate?.(plain, context);
    },

    prepareForUpdate(object, old, context) {
      const plain = asJson(object);
      if (context.subresource === 'status') {
        keepAllButStatus(plain, asJson(old));
        for (const member of rules.keptByStatus ?? [])
          restore(objectAt(plain, 'metadata'), objectAt(old, 'metadata'), member);
      } else if (hasStatus) {
        restore(plain, asJson(old), 'status');
      }
      rules.prepareUpdate?.(plain, asJson(old), context);
    },

    validateCreate(object, context) {
      const field = new CheckedField([], asJson(object));
      rules.validate?.(field, context);
      rules.validateCreate?.(field, context);
      return field.faults;
    },

    validateUpdate(object, old, context) {
      const field = new CheckedField([], asJson(object));
      if (context.subresource === 'status') {
        rules.validateStatus?.(field, asJson(old), context);
      } else {
        rules.validate?.(field, context);
        rules.validateUpdate?.(field, asJson(old), context);
      }
      return field.faults;
    },

    bumpsGeneration(object, old) {
      if (rules.hasGeneration !== true) return false;
      if (generationOf.some((member) => !jsonEqual(object[member], old[member]))) return true;
      return rules.annotationsMakeGeneration === true && !jsonEqual(annotationsOf(object), annotationsOf(old));
    },
  };
}

function annotationsOf({ metadata }: KubeObject): JsonObject {
  return { ...metadata.annotations };
}

function hasStatusSubresource({ group, version, kind }: GroupVersionKind): boolean {
  return builtinResources.some(
    (type) =>
      type.group === group &&
      type.version === version &&
      type.kind === kind &&
      type.subresourceTypes.some((subresource) => subresource.name === 'status'),
  );
}

function emptyStatusOf(schema: JsonSchema): JsonObject | undefined {
  const holder: JsonObject = {};
  defaultBySchema(holder, schema);
  return isJsonObject(holder.status) ? holder.status : undefined;
}
