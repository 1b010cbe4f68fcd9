import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { canonicalQuantity, QUANTITY_PROBLEM } from '@/lib/kube/quantity';
import { isBase64, isDateTime } from '@/lib/schema/formats';
import { FieldFault } from './decode-error';
import { goTimeFault } from './go-time';

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
  const [day, clock] = timeParts(value, field, '2006-01-02T15:04:05Z07:00');
  return `${day}T${clock.slice(0, 8)}Z`;
};

/** `metav1.MicroTime`: six decimals, no more and no less, in UTC. */
export const decodeMicroTime: ScalarDecoder = (value, field) => {
  const [day, clock] = timeParts(value, field, '2006-01-02T15:04:05.000000Z07:00');
  return `${day}T${clock.slice(0, 15)}Z`;
};

/** Day and time of day (six decimals) in UTC. */
function timeParts(value: JsonValue, field: string, layout: string): [string, string] {
  if (typeof value !== 'string') throw typeFault(value, field, 'string');
  const fault = goTimeFault(value, layout);
  if (fault !== undefined) throw new FieldFault(`parsing time "${value}"${fault}`);
  const [year, month, day, hour, minute, second] = value.split(/[^\d]/, 6).map(Number);
  const fraction = /\.(\d+)/.exec(value)?.[1] ?? '';
  const seconds = `${two(second ?? 0)}.${fraction.padEnd(6, '0').slice(0, 6)}`;
  const zone = value.slice(-6);
  const isUtc = value.endsWith('Z');
  const offset = isUtc
    ? 0
    : (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))) * (zone.startsWith('-') ? -1 : 1);
  const minutes = (hour ?? 0) * 60 + (minute ?? 0) - offset;
  const days = dayNumber(year ?? 0, month ?? 0, day ?? 0) + Math.floor(minutes / 1440);
  const rest = ((minutes % 1440) + 1440) % 1440;
  return [dayText(days), `${two(Math.floor(rest / 60))}:${two(rest % 60)}:${seconds}`];
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Days since 1 March of year 0 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"). */
function dayNumber(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
}

function dayText(days: number): string {
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthShifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthShifted + 2) / 5) + 1;
  const month = monthShifted < 10 ? monthShifted + 3 : monthShifted - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}
