import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
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
  if (schema['x-kubernetes-embedded-resource'] === true) checkTypeMeta(value, path);
  if (schema['x-kubernetes-embedded-resource'] === true && value.metadata === null) value.metadata = {};
  else if (schema['x-kubernetes-embedded-resource'] === true && value.metadata !== undefined) {
    value.metadata = decodeMetadata(value.metadata, `${path}.metadata`, unknown);
  }
  for (const [name, member] of Object.entries(value)) {
    const inner = memberSchema(schema, name);
    if (inner !== undefined) decodeEmbedded(member, inner, path === '' ? name : `${path}.${name}`, unknown);
  }
}

function checkTypeMeta(resource: JsonObject, path: string): void {
  for (const name of ['apiVersion', 'kind']) {
    const value = resource[name];
    if (value === undefined || typeof value === 'string') continue;
    throw new FieldFault(`${path}.${name}: Invalid value: ${printed(value)}: must be a string`);
  }
}

/** Go's own JSON package reads embedded metadata, which names the struct instead of the place. */
function inStruct(problem: string, path: string): string {
  const at = `Go struct field .${path}`;
  return problem
    .replace(`${at} of type`, 'Go value of type')
    .replace(/ unmarshal (\w+) \S+ into Go struct/, ' unmarshal $1 into Go struct')
    .replace(/Go struct field \.\S+?\.metadata\.(\w+)\S* of type/, 'Go struct field ObjectMeta.$1 of type');
}

function decodeMetadata(metadata: JsonValue, path: string, unknown: string[]): JsonValue {
  try {
    return decoderOf(objectMetaSchema())(metadata, path, unknown);
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error;
    throw new FieldFault(`${path}: Invalid value: ${printed(metadata)}: ${inStruct(error.message, path)}`);
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
