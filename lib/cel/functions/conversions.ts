import { parseGoDuration } from '@/lib/template/dates/duration';
import { daysFromCivil } from '@/lib/template/dates/zone';
import { formatGoFloat } from '@/lib/template/format/float';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listTypeOf,
  mapTypeOf,
  NULL,
  opaqueType,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
} from '../cel-type';
import { textLength } from '../text-length';
import { CelDuration, CelError, CelMap, CelTimestamp, CelUint, type CelValue, isCelList, typeNameOf } from '../values';
import { asInt, asTimestamp, asUint } from './arithmetic';
import { timestampText } from './calendar';
import type { FunctionTable } from './function';

const SECOND = 1_000_000_000n;

const refused = (from: string, to: string) => new CelError(`type conversion error from '${from}' to '${to}'`);

function toInt([value]: readonly CelValue[]): CelValue | undefined {
  if (typeof value === 'bigint') return value;
  if (value instanceof CelUint) return asInt(value.value, 'integer');
  if (value instanceof CelDuration) return value.nanos;
  if (value instanceof CelTimestamp) return (value.nanos - mod(value.nanos)) / SECOND;
  if (typeof value === 'number') return asInt(whole(value, 'integer', 2 ** 63, -(2 ** 63)));
  if (typeof value !== 'string') return undefined;
  if (!/^[+-]?\d+$/.test(value)) throw refused('string', 'int');
  const number = BigInt(value.replace(/^\+/, ''));
  if (BigInt.asIntN(64, number) !== number) throw refused('string', 'int');
  return number;
}

const mod = (nanos: bigint) => ((nanos % SECOND) + SECOND) % SECOND;

function whole(value: number, type: string, above: number, below: number): bigint {
  if (Number.isNaN(value) || value >= above || value <= below) throw new CelError(`${type} overflow`);
  return BigInt(Math.trunc(value));
}

function toUint([value]: readonly CelValue[]): CelValue | undefined {
  if (value instanceof CelUint) return value;
  if (typeof value === 'bigint') return asUint(value);
  if (typeof value === 'number') return asUint(value < 0 ? -1n : whole(value, 'unsigned integer', 2 ** 64, -1));
  if (typeof value !== 'string') return undefined;
  if (!/^\d+$/.test(value) || BigInt(value) >= 1n << 64n) throw refused('string', 'uint');
  return new CelUint(BigInt(value));
}

const FLOAT = /^[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)$/;
const ENDLESS = /^([+-]?)(?:inf|infinity)$/i;

function toDouble([value]: readonly CelValue[]): CelValue | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof CelUint) return Number(value.value);
  if (typeof value !== 'string') return undefined;
  const endless = ENDLESS.exec(value);
  if (endless !== null) return endless[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^nan$/i.test(value)) return Number.NaN;
  const number = Number(value);
  if (!FLOAT.test(value) || !Number.isFinite(number)) throw refused('string', 'double');
  return number;
}

const TRUE = ['1', 't', 'T', 'true', 'TRUE', 'True'];
const FALSE = ['0', 'f', 'F', 'false', 'FALSE', 'False'];

function toBool([value]: readonly CelValue[]): CelValue | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (!TRUE.includes(value) && !FALSE.includes(value)) throw refused('string', 'bool');
  return TRUE.includes(value);
}

function toBytes([value]: readonly CelValue[]): CelValue | undefined {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? new TextEncoder().encode(value) : undefined;
}

function toText([value]: readonly CelValue[]): CelValue | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return formatGoFloat(value, 'g', -1);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelTimestamp) return timestampText(value);
  if (value instanceof CelDuration) return durationText(value);
  return value instanceof Uint8Array ? bytesText(value) : undefined;
}

function bytesText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

/** Seconds as a fraction: `90s`, `0.5s`. */
export function durationText({ nanos }: CelDuration): string {
  const seconds = Number(nanos / SECOND) + Number(nanos % SECOND) / 1e9;
  return `${formatGoFloat(seconds, 'f', -1)}s`;
}

/** A duration in Go's format, such as `1h30m`; undefined for any other text. */
export function readDuration(text: string): CelDuration | undefined {
  const nanos = parseGoDuration(text.replaceAll('µ', '\xc2\xb5').replaceAll('μ', '\xce\xbc'), '');
  return typeof nanos === 'string' ? undefined : new CelDuration(nanos);
}

function toDuration([value]: readonly CelValue[]): CelValue | undefined {
  if (value instanceof CelDuration) return value;
  if (typeof value !== 'string') return undefined;
  const span = readDuration(value);
  if (span === undefined) throw refused('string', 'google.protobuf.Duration');
  return span;
}

const RFC3339 =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** A timestamp of RFC 3339; undefined for any other text. */
export function readTimestamp(text: string): CelTimestamp | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [, , , , , , , fraction = '', sign, hours = '0', minutes = '0'] = match;
  const days = daysFromCivil(year, month, day);
  const nextMonth = month === 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1);
  if (days >= nextMonth || second === 60 || /[tz]/.test(text)) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60);
  const seconds = BigInt(days) * 86_400n + BigInt(hour * 3600 + minute * 60 + second - offset);
  return new CelTimestamp(seconds * SECOND + BigInt(fraction.slice(0, 9).padEnd(9, '0')));
}

function toTimestamp([value]: readonly CelValue[]): CelValue | undefined {
  if (value instanceof CelTimestamp) return value;
  if (typeof value === 'bigint') return asTimestamp(value * SECOND);
  if (typeof value !== 'string') return undefined;
  if (!RFC3339.test(value)) throw new CelError(`invalid RFC 3339 timestamp ${JSON.stringify(value)}`);
  const time = readTimestamp(value);
  if (time === undefined) throw refused('string', 'google.protobuf.Timestamp');
  return asTimestamp(time.nanos);
}

const TYPES = new Map<string, CelType>(
  [BOOL, BYTES, DOUBLE, DURATION, INT, NULL, STRING, TIMESTAMP, TYPE, UINT, listTypeOf(DYN), mapTypeOf(DYN, DYN)].map(
    (type) => [type.name, type],
  ),
);

function typeOfValue([value]: readonly CelValue[]): CelValue | undefined {
  if (value === undefined) return undefined;
  const name = typeNameOf(value);
  return TYPES.get(name) ?? opaqueType(name);
}

function size([value]: readonly CelValue[]): CelValue | undefined {
  if (typeof value === 'string') return BigInt(textLength(value));
  if (value === undefined || value === null || typeof value !== 'object') return undefined;
  if (value instanceof Uint8Array || isCelList(value)) return BigInt(value.length);
  return value instanceof CelMap ? BigInt(value.size) : undefined;
}

/** `int(x)` and its siblings. */
export const CONVERSIONS: FunctionTable = [
  ['int', toInt],
  ['uint', toUint],
  ['double', toDouble],
  ['bool', toBool],
  ['bytes', toBytes],
  ['string', toText],
  ['duration', toDuration],
  ['timestamp', toTimestamp],
  ['dyn', ([value]) => value],
  ['type', typeOfValue],
  ['size', size],
];
