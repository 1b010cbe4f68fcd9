import { rfc3339, rfc3339Micro } from '@/lib/clock/rfc3339';
import { isJsonObject, type JsonObject, type JsonValue, numberAt, setOwn, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { type MessageField, type MessageFields, messageFields, messageName } from './messages';
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
  const apiVersion = stringAt(envelope, 'typeMeta', 'apiVersion') ?? '';
  const kind = stringAt(envelope, 'typeMeta', 'kind') ?? '';
  const name = messageName(apiVersion, kind);
  if (messageFields(name) === undefined)
    throw new WireError(`no protobuf message is known for ${apiVersion}, Kind=${kind}`);
  return { apiVersion, kind, ...decodeMessage(name, Buffer.from(stringAt(envelope, 'raw') ?? '', 'base64'), 0) };
}

const MAGIC = [0x6b, 0x38, 0x73, 0x00];

function decodeMessage(name: string, bytes: Uint8Array, depth: number): JsonObject {
  const fields = messageFields(name);
  if (fields === undefined) throw new WireError(`unknown message ${name}`);
  return decodeFields(fields, bytes, depth);
}

function decodeFields(fields: MessageFields, bytes: Uint8Array, depth: number): JsonObject {
  if (depth > limits.depth) throw new WireError(`the object is nested deeper than ${limits.depth} levels`);
  const result: JsonObject = {};
  for (const { number, value } of readFields(bytes)) {
    const field = fields.get(number);
    if (field !== undefined) put(result, field, value, depth + 1);
  }
  return result;
}

/** Members that JSON spreads into their owner (Go's embedded structs). */
const INLINE = new Set(
  `volumeSource handler localObjectReference ephemeralContainerCommon persistentVolumeSource
  ingressRuleValue`.split(/\s+/),
);

function put(result: JsonObject, { name, kind, type }: MessageField, value: bigint | Uint8Array, depth: number): void {
  const before = result[name];
  if (kind === 'map') {
    const map: JsonObject = isJsonObject(before) ? before : {};
    const entry = decodeFields(entryFields(type), bytesOf(value), depth);
    setOwn(map, stringAt(entry, 'key') ?? '', entry.value ?? (type === 'string' || type === 'bytes' ? '' : {}));
    result[name] = map;
    return;
  }
  const decoded = decodeValue(type, value, depth);
  if (kind === 'list') {
    result[name] = [...(Array.isArray(before) ? before : []), decoded];
  } else if (INLINE.has(name) && isJsonObject(decoded)) {
    Object.assign(result, decoded);
  } else if (decoded !== '') {
    // Go writes empty text whether it was given or not; JSON leaves it out.
    result[name] = decoded;
  }
}

/** A map is a list of messages of two fields. */
function entryFields(type: string): MessageFields {
  return new Map([
    [1, { name: 'key', kind: 'one', type: 'string' }],
    [2, { name: 'value', kind: 'one', type }],
  ]);
}

function decodeValue(type: string, value: bigint | Uint8Array, depth: number): JsonValue {
  switch (type) {
    case 'string':
      return Buffer.from(bytesOf(value)).toString('utf8');
    case 'bytes':
      return Buffer.from(bytesOf(value)).toString('base64');
    case 'bool':
    case 'int':
      if (typeof value !== 'bigint') throw new WireError('bytes stand where a number was expected');
      return type === 'bool' ? value !== 0n : Number(BigInt.asIntN(64, value));
    default: {
      const message = decodeMessage(type, bytesOf(value), depth);
      const short = type.split('.').at(-1) ?? '';
      return Object.hasOwn(FORMS, short) ? (FORMS[short]?.(message) ?? null) : message;
    }
  }
}

/** Messages that JSON writes in a form of their own. */
const FORMS: { readonly [message: string]: (message: JsonObject) => JsonValue } = {
  Time: (message) => timeOf(message, rfc3339),
  MicroTime: (message) => timeOf(message, rfc3339Micro),
  Quantity: (message) => message.string ?? '0',
  IntOrString: ({ type, intVal, strVal }) => (type === 1 ? (strVal ?? '') : (intVal ?? 0)),
  RawExtension: ({ raw }) => rawJson(raw),
  FieldsV1: ({ Raw }) => rawJson(Raw),
  ExtraValue: ({ items }) => items ?? [],
};

function timeOf(message: JsonObject, write: (ms: number) => string): JsonValue {
  const seconds = numberAt(message, 'seconds');
  // Year one is Go's zero time: nothing was said.
  if (seconds === undefined || seconds <= -62_135_596_800) return null;
  return write(seconds * 1000 + Math.trunc((numberAt(message, 'nanos') ?? 0) / 1_000_000));
}

function rawJson(base64: JsonValue | undefined): JsonValue {
  return typeof base64 === 'string' ? (JSON.parse(Buffer.from(base64, 'base64').toString('utf8')) as JsonValue) : null;
}

function bytesOf(value: bigint | Uint8Array): Uint8Array {
  if (typeof value === 'bigint') throw new WireError('a number stands where bytes were expected');
  return value;
}
