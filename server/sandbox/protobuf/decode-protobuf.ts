import { rfc3339, rfc3339Micro } from '@/lib/clock/rfc3339';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { type MessageField, messageFields, messageName } from './messages';
import { readFields, WireError } from './wire';

/**
 * Kubernetes' protobuf body: the bytes `k8s\0` and a runtime.Unknown (1: apiVersion and kind, 2: the object's message), as
 * kubectl's typed commands send it. Gives the object as JSON; throws WireError for anything else.
 */
export function decodeProtobuf(body: Uint8Array): JsonObject {
  if (body.length < 4 || !MAGIC.every((byte, index) => body[index] === byte)) {
    throw new WireError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  const envelope = decodeMessage('pkg:runtime.Unknown', body.subarray(4), 0);
  const type = isJsonObject(envelope.typeMeta) ? envelope.typeMeta : {};
  const apiVersion = typeof type.apiVersion === 'string' ? type.apiVersion : '';
  const kind = typeof type.kind === 'string' ? type.kind : '';
  const name = messageName(apiVersion, kind);
  if (messageFields(name) === undefined)
    throw new WireError(`no protobuf message is known for ${apiVersion}, Kind=${kind}`);
  const raw = typeof envelope.raw === 'string' ? Buffer.from(envelope.raw, 'base64') : new Uint8Array();
  return { apiVersion, kind, ...decodeMessage(name, raw, 0) };
}

const MAGIC = [0x6b, 0x38, 0x73, 0x00];

function decodeMessage(name: string, bytes: Uint8Array, depth: number): JsonObject {
  if (depth > limits.depth) throw new WireError(`the object is nested deeper than ${limits.depth} levels`);
  const fields = messageFields(name);
  if (fields === undefined) throw new WireError(`unknown message ${name}`);
  const result: JsonObject = {};
  for (const { number, value } of readFields(bytes)) {
    const field = fields.get(number);
    if (field !== undefined) put(result, field, value, depth);
  }
  return result;
}

function put(result: JsonObject, field: MessageField, value: bigint | Uint8Array, depth: number): void {
  if (field.kind === 'map') {
    const entry = mapEntry(field.type, value, depth);
    const before = result[field.name];
    const map: JsonObject = isJsonObject(before) ? before : {};
    setOwn(map, entry.key, entry.value);
    result[field.name] = map;
    return;
  }
  const decoded = decodeValue(field.type, value, depth + 1);
  if (field.kind === 'list') {
    const before = result[field.name];
    result[field.name] = [...(Array.isArray(before) ? before : []), decoded];
  } else if (INLINE.has(field.name) && isJsonObject(decoded)) {
    Object.assign(result, decoded);
  } else if (decoded !== '') {
    // Go writes empty text whether it was given or not; JSON leaves it out.
    result[field.name] = decoded;
  }
}

/** Members that JSON spreads into their owner (Go's embedded structs). */
const INLINE = new Set([
  'volumeSource',
  'handler',
  'localObjectReference',
  'ephemeralContainerCommon',
  'persistentVolumeSource',
  'ingressRuleValue',
]);

function mapEntry(type: string, value: bigint | Uint8Array, depth: number): { key: string; value: JsonValue } {
  let key = '';
  let decoded: JsonValue = type === 'string' || type === 'bytes' ? '' : {};
  for (const part of readFields(bytesOf(value))) {
    if (part.number === 1) key = textOf(part.value);
    if (part.number === 2) decoded = decodeValue(type, part.value, depth + 1);
  }
  return { key, value: decoded };
}

function decodeValue(type: string, value: bigint | Uint8Array, depth: number): JsonValue {
  switch (type) {
    case 'string':
      return textOf(value);
    case 'bytes':
      return Buffer.from(bytesOf(value)).toString('base64');
    case 'bool':
      return value !== 0n;
    case 'int':
      return Number(BigInt.asIntN(64, numberOf(value)));
    case 'double':
      return Buffer.from(bytesOf(value)).readDoubleLE(0);
    default: {
      const read = special[type];
      return read === undefined ? decodeMessage(type, bytesOf(value), depth) : read(bytesOf(value));
    }
  }
}

/** Messages that JSON writes in a form of their own. */
const special: { readonly [type: string]: (bytes: Uint8Array) => JsonValue } = {
  'meta:meta.v1.Time': (bytes) => timeOf(bytes, rfc3339),
  'meta:meta.v1.MicroTime': (bytes) => timeOf(bytes, rfc3339Micro),
  'pkg:api.resource.Quantity': (bytes) => {
    for (const { number, value } of readFields(bytes)) if (number === 1) return textOf(value);
    return '0';
  },
  'pkg:util.intstr.IntOrString': intOrString,
  'pkg:runtime.RawExtension': rawJson,
  'meta:meta.v1.FieldsV1': rawJson,
  'authentication.v1.ExtraValue': textList,
  'authorization.v1.ExtraValue': textList,
  'meta:meta.v1.Verbs': textList,
};

function timeOf(bytes: Uint8Array, write: (ms: number) => string): JsonValue {
  const [seconds, nanos] = numbers(bytes);
  // Year one is Go's zero time: nothing was said.
  if (seconds === undefined || seconds <= -62_135_596_800) return null;
  return write(seconds * 1000 + Math.trunc((nanos ?? 0) / 1_000_000));
}

function intOrString(bytes: Uint8Array): JsonValue {
  const [type, number] = numbers(bytes);
  if (type !== 1) return number ?? 0;
  for (const field of readFields(bytes)) if (field.number === 3) return textOf(field.value);
  return '';
}

function numbers(bytes: Uint8Array): [number | undefined, number | undefined] {
  const found: [number | undefined, number | undefined] = [undefined, undefined];
  for (const { number, value } of readFields(bytes)) {
    if ((number === 1 || number === 2) && typeof value === 'bigint')
      found[number - 1] = Number(BigInt.asIntN(64, value));
  }
  return found;
}

function rawJson(bytes: Uint8Array): JsonValue {
  for (const { number, value } of readFields(bytes)) if (number === 1) return JSON.parse(textOf(value)) as JsonValue;
  return null;
}

function textList(bytes: Uint8Array): JsonValue {
  const items: JsonValue[] = [];
  for (const { number, value } of readFields(bytes)) if (number === 1) items.push(textOf(value));
  return items;
}

function bytesOf(value: bigint | Uint8Array): Uint8Array {
  if (typeof value === 'bigint') throw new WireError('a number stands where bytes were expected');
  return value;
}

function numberOf(value: bigint | Uint8Array): bigint {
  if (typeof value !== 'bigint') throw new WireError('bytes stand where a number was expected');
  return value;
}

function textOf(value: bigint | Uint8Array): string {
  return Buffer.from(bytesOf(value)).toString('utf8');
}
