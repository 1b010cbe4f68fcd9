import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { objectMetaSchema } from '@/lib/kube/builtin/builtin';
import { printed } from '@/lib/schema/field-error';
import { type JsonSchema, memberSchema } from '@/lib/schema/json-schema';
import { FieldFault } from '../decode/decode-error';
import { decoderOf } from '../decode/typed-decoder';

const embedding = new WeakMap<JsonSchema, boolean>();

/**
 * Reads the metadata of every embedded resource as ObjectMeta, in place: unknown fields go, a wrong type is a fault
 * (apiextensions-apiserver pkg/apiserver/schema/objectmeta).
 */
export function decodeEmbedded(value: JsonValue, schema: JsonSchema, path: string, unknown: string[]): void {
  if (!holdsEmbedded(schema)) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const [index, item] of value.entries()) decodeEmbedded(item, items, `${path}[${index}]`, unknown);
    return;
  }
  if (!isJsonObject(value)) return;
  if (schema['x-kubernetes-embedded-resource'] === true && value.metadata !== undefined) {
    value.metadata = decodeMetadata(value.metadata, `${path}.metadata`, unknown);
  }
  for (const [name, member] of Object.entries(value)) {
    const inner = memberSchema(schema, name);
    if (inner !== undefined) decodeEmbedded(member, inner, path === '' ? name : `${path}.${name}`, unknown);
  }
}

function decodeMetadata(metadata: JsonValue, path: string, unknown: string[]): JsonValue {
  try {
    return decoderOf(objectMetaSchema())(metadata, path, unknown);
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error;
    throw new FieldFault(`${path}: Invalid value: ${printed(metadata)}: ${error.message}`);
  }
}

function holdsEmbedded(schema: JsonSchema): boolean {
  const known = embedding.get(schema);
  if (known !== undefined) return known;
  const { items, additionalProperties } = schema;
  const result =
    schema['x-kubernetes-embedded-resource'] === true ||
    Object.values(schema.properties ?? {}).some(holdsEmbedded) ||
    (items !== undefined && holdsEmbedded(items)) ||
    (typeof additionalProperties === 'object' && holdsEmbedded(additionalProperties));
  embedding.set(schema, result);
  return result;
}
