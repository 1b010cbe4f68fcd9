import { formatTime, parseTime } from '@/lib/clock/clock';
import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { canonicalQuantity, QUANTITY_PROBLEM } from '@/lib/kube/quantity';
import { isBase64, isDateTime } from '@/lib/schema/formats';
import { FieldFault } from './decode-error';

/** Reads one value of a Go type, or throws a FieldFault. */
export type ScalarDecoder = (value: JsonValue, field: string) => JsonValue;

/** What Go's encoding/json says of a value of the wrong type; `field` is the path of the field. */
export function typeFault(value: JsonValue, field: string, goType: string): FieldFault {
  const what = typeof value === 'number' ? `number ${value}` : goJsonKind(value);
  const message = `json: cannot unmarshal ${what} into Go struct field .${field} of type ${goType}`;
  return new FieldFault(message, restoreText(value, goType));
}

function goJsonKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** The words of apimachinery's unstructured converter. */
function restoreText(value: JsonValue, goType: string): string {
  const found = Array.isArray(value) ? 'slice' : isJsonObject(value) ? 'map' : goScalar(value);
  if (goType.startsWith('[]')) return `cannot restore slice from ${found}`;
  if (goType.startsWith('map[')) return `cannot restore map from ${found}`;
  if (goType.includes('.')) return `cannot restore struct from: ${found}`;
  return `unrecognized type: ${goType}`;
}

function goScalar(value: JsonValue): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

export const decodeString: ScalarDecoder = (value, field) => {
  if (typeof value !== 'string') throw typeFault(value, field, 'string');
  return value;
};

export const decodeBoolean: ScalarDecoder = (value, field) => {
  if (typeof value !== 'boolean') throw typeFault(value, field, 'bool');
  return value;
};

export const decodeNumber: ScalarDecoder = (value, field) => {
  if (typeof value !== 'number') throw typeFault(value, field, 'float64');
  return value;
};

/** An integer of the format's range. */
export function decodeInteger(format: string | undefined): ScalarDecoder {
  const goType = format === 'int32' ? 'int32' : 'int64';
  const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
  return (value, field) => {
    const fits = typeof value === 'number' && Number.isInteger(value) && value < limit && value >= -limit;
    if (!fits) throw typeFault(value, field, goType);
    return value;
  };
}

export const decodeBytes: ScalarDecoder = (value, field) => {
  if (typeof value !== 'string') throw typeFault(value, field, '[]uint8');
  const compact = value.replaceAll(/[\r\n]/g, '');
  if (!isBase64(compact)) throw new FieldFault(`illegal base64 data at input byte ${illegalByte(compact)}`);
  // Only the last letter before the padding can hold bits that mean nothing; Go writes them as zeros.
  return compact.endsWith('=') ? Buffer.from(compact, 'base64').toString('base64') : compact;
};

function illegalByte(text: string): number {
  const illegal = text.search(/[^A-Za-z0-9+/]/);
  return illegal >= 0 ? illegal : text.length - (text.length % 4);
}

export const decodeQuantity: ScalarDecoder = (value) => {
  const isText = typeof value === 'string' || typeof value === 'number';
  const canonical = isText ? canonicalQuantity(value) : undefined;
  if (canonical === undefined) throw new FieldFault(QUANTITY_PROBLEM);
  return canonical;
};

export const decodeIntOrString: ScalarDecoder = (value, field) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw typeFault(value, field, typeof value === 'number' ? 'int32' : 'string');
};

const CANONICAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** `metav1.Time`: whole seconds in UTC. */
export const decodeTime: ScalarDecoder = (value, field) => {
  if (typeof value === 'string' && CANONICAL_TIME.test(value) && isDateTime(value)) return value;
  return `${utcSeconds(value, field, '2006-01-02T15:04:05Z07:00')}Z`;
};

/** `metav1.MicroTime`: six decimals, no more and no less, in UTC. */
export const decodeMicroTime: ScalarDecoder = (value, field) => {
  const seconds = utcSeconds(value, field, '2006-01-02T15:04:05.000000Z07:00');
  return `${seconds}${String(value).slice(19, 26)}Z`;
};

/** A time in UTC without its fraction: `2024-01-02T03:04:05`. */
function utcSeconds(value: JsonValue, field: string, layout: string): string {
  if (typeof value !== 'string') throw typeFault(value, field, 'string');
  const ms = isDateTime(value) ? parseTime(value) : undefined;
  const utc = ms === undefined ? '' : formatTime(ms);
  const fault = goTimeFault(value, layout) ?? (/^\d{4}-/.test(utc) ? undefined : ': day out of range');
  if (fault !== undefined) throw new FieldFault(`parsing time "${value}"${fault}`);
  return utc.slice(0, 19);
}

/** What Go's time.Parse says of a text that does not fit a layout, behind `parsing time "…"`; undefined when it fits. */
function goTimeFault(value: string, layout: string): string | undefined {
  let rest = value;
  for (const part of layout.match(/\.0+|Z.*|\d+|./g) ?? []) {
    const match = patternOf(part, layout).exec(rest);
    if (match === null) return ` as "${layout}": cannot parse "${rest}" as "${part}"`;
    rest = rest.slice(match[0].length);
  }
  return undefined;
}

function patternOf(part: string, layout: string): RegExp {
  // A layout without a fraction takes any.
  if (part.startsWith('Z')) return layout.includes('.') ? /^(Z|[-+]\d\d:\d\d)$/ : /^(\.\d+)?(Z|[-+]\d\d:\d\d)$/;
  if (part.startsWith('.')) return /^\.\d{6}/;
  return /\d/.test(part) ? new RegExp(`^\\d{${part.length}}`) : new RegExp(`^${part}`);
}
