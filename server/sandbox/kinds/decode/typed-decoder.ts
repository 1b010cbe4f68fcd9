import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '@/lib/json/json';
import { componentSchema } from '@/lib/kube/builtin/builtin';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { dropsZero } from './omitted-zeros';
import {
  decodeBoolean,
  decodeBytes,
  decodeInteger,
  decodeIntOrString,
  decodeMicroTime,
  decodeNumber,
  decodeQuantity,
  decodeString,
  decodeTime,
  typeFault,
} from './scalar-decoders';

/**
 * Reads a value as kube-apiserver's Go types would: unknown fields are noted and left out, nulls and omitted zeros
 * disappear, quantities and times become canonical. The result is always a copy. Undefined means: leave it out.
 */
export type Decoder = (value: JsonValue, path: string, unknown: string[]) => JsonValue;

const APIEXTENSIONS = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';
const SCHEMA_PROPS = `${APIEXTENSIONS}.JSONSchemaProps`;

/** Decoders of components that are more than their schema says. */
const SPECIAL: { readonly [component: string]: Decoder } = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': decodeQuantity,
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': decodeIntOrString,
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': decodeTime,
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': decodeMicroTime,
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': (value) => value,
  'io.k8s.apimachinery.pkg.runtime.RawExtension': (value) => value,
  [`${APIEXTENSIONS}.JSON`]: (value) => value,
  [`${APIEXTENSIONS}.JSONSchemaPropsOrStringArray`]: (value, path, unknown) =>
    Array.isArray(value) ? value : decodeSchemaProps(value, path, unknown),
  [`${APIEXTENSIONS}.JSONSchemaPropsOrBool`]: (value, path, unknown) =>
    typeof value === 'boolean' ? value : decodeSchemaProps(value, path, unknown),
  [`${APIEXTENSIONS}.JSONSchemaPropsOrArray`]: (value, path, unknown) =>
    Array.isArray(value)
      ? value.map((item, index) => decodeSchemaProps(item, `${path}[${index}]`, unknown))
      : decodeSchemaProps(value, path, unknown),
};

function decodeSchemaProps(value: JsonValue, path: string, unknown: string[]): JsonValue {
  const schema = componentSchema(SCHEMA_PROPS);
  return schema === undefined ? value : decoderOf(schema)(value, path, unknown);
}

const decoders = new WeakMap<JsonSchema, Decoder>();

/** The decoder of a schema; made when it is asked for first. */
export function decoderOf(schema: JsonSchema): Decoder {
  const known = decoders.get(schema);
  if (known !== undefined) return known;
  const decoder = makeDecoder(schema);
  decoders.set(schema, decoder);
  return decoder;
}

function makeDecoder(schema: JsonSchema): Decoder {
  const special = schema.component === undefined ? undefined : SPECIAL[schema.component];
  if (special !== undefined) return special;
  switch (schema.type) {
    case 'string':
      return schema.format === 'byte' ? decodeBytes : decodeString;
    case 'integer':
      return decodeInteger(schema.format);
    case 'number':
      return decodeNumber;
    case 'boolean':
      return decodeBoolean;
    case 'array':
      return listDecoder(schema);
    case 'object':
      return schema.properties === undefined ? mapDecoder(schema) : structDecoder(schema);
    default:
      return (value) => value;
  }
}

function listDecoder(schema: JsonSchema): Decoder {
  const items = decoderOf(schema.items ?? {});
  return (value, path, unknown) => {
    if (!Array.isArray(value)) throw typeFault(value, path, `[]${goType(schema.items)}`);
    return value.map((item, index) =>
      item === null ? zeroOf(schema.items) : items(item, `${path}[${index}]`, unknown),
    );
  };
}

function zeroOf(schema: JsonSchema | undefined): JsonValue {
  if (schema?.type === 'string') return '';
  if (schema?.type === 'object') return {};
  return schema?.type === 'integer' || schema?.type === 'number' ? 0 : null;
}

function mapDecoder(schema: JsonSchema): Decoder {
  const members = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  const decode = members === undefined ? undefined : decoderOf(members);
  return (value, path, unknown) => {
    if (!isJsonObject(value)) throw typeFault(value, path, `map[string]${goType(members)}`);
    if (decode === undefined) return value;
    const result: JsonObject = {};
    for (const key of Object.keys(value)) {
      const member = value[key] ?? null;
      setOwn(result, key, member === null ? zeroOf(members) : decode(member, `${path}.${key}`, unknown));
    }
    return result;
  };
}

interface Field {
  readonly decode: Decoder;
  readonly dropsZero: boolean;
}

function structDecoder(schema: JsonSchema): Decoder {
  const component = (schema.component ?? '').split('.').at(-1) ?? '';
  let fields: Map<string, Field> | undefined;
  return (value, path, unknown) => {
    if (!isJsonObject(value)) throw typeFault(value, path, goType(schema));
    fields ??= fieldsOf(schema, component);
    const result: JsonObject = {};
    for (const name of Object.keys(value)) {
      const field = fields.get(name);
      const memberPath = path === '' ? name : `${path}.${name}`;
      if (field === undefined) {
        unknown.push(memberPath);
        continue;
      }
      const member = value[name] ?? null;
      if (member === null) continue;
      const decoded = field.decode(member, memberPath, unknown);
      if (!(field.dropsZero && isZero(decoded))) result[name] = decoded;
    }
    return result;
  };
}

function fieldsOf(schema: JsonSchema, component: string): Map<string, Field> {
  const required = new Set(schema.required ?? []);
  const fields = new Map<string, Field>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    fields.set(name, {
      decode: decoderOf(property),
      dropsZero: dropsZero(component, name, property, required.has(name)),
    });
  }
  return fields;
}

function isZero(value: JsonValue): boolean {
  if (value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** The name of the Go type, well enough for messages. */
function goType(schema: JsonSchema | undefined): string {
  if (schema?.component !== undefined) return schema.component.split('.').slice(-2).join('.');
  switch (schema?.type) {
    case 'integer':
      return schema.format === 'int32' ? 'int32' : 'int64';
    case 'boolean':
      return 'bool';
    case 'number':
      return 'float64';
    case 'array':
      return `[]${goType(schema.items)}`;
    default:
      return schema?.type === 'object' ? 'map[string]string' : 'string';
  }
}
