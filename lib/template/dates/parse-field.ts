import { UTC } from '../value/time';
import { type Chunk, nextChunk } from './layout';
import { MONTHS, WEEKDAYS } from './names';
import type { Reading } from './reading';

/** The text after the field, or an error (`range`: the part that is too large). */
export type FieldResult = { readonly rest: string } | { readonly range: string | undefined };

const BAD: FieldResult = { range: undefined };

/** Reads one field of a layout from the start of a text into the reading. */
export function readField(reading: Reading, chunk: Chunk, value: string): FieldResult {
  switch (chunk.field) {
    case 'year': {
      const year = /^[0-9]{2}/.exec(value)?.[0];
      if (year === undefined) return BAD;
      reading.year = Number(year) + (Number(year) >= 69 ? 1900 : 2000);
      return { rest: value.slice(2) };
    }
    case 'longYear': {
      const year = /^[0-9]{4}/.exec(value)?.[0];
      if (year === undefined) return BAD;
      reading.year = Number(year);
      return { rest: value.slice(4) };
    }
    case 'month':
    case 'longMonth':
      return readName(value, MONTHS, chunk.field === 'month', (index) => {
        reading.month = index + 1;
      });
    case 'weekDay':
    case 'longWeekDay':
      return readName(value, WEEKDAYS, chunk.field === 'weekDay', () => undefined);
    case 'underYearDay':
    case 'zeroYearDay':
      return readYearDay(reading, value, chunk.field === 'zeroYearDay');
    case 'PM':
    case 'pm':
      return readHalf(reading, value, chunk.field === 'pm');
    case 'zoneName':
      return readZoneName(reading, value);
    case 'zone':
      return readZone(reading, value, chunk.text);
    case 'fraction0': {
      const width = chunk.text.length;
      if (!/^[.,][0-9]+$/.test(value.slice(0, width)) || value.length < width) return BAD;
      reading.nanosecond = nanoseconds(value.slice(1, width));
      return { rest: value.slice(width) };
    }
    case 'fraction9': {
      const digits = /^[.,]([0-9]+)/.exec(value);
      if (digits === null) return { rest: value };
      reading.nanosecond = nanoseconds(digits[1] ?? '');
      return { rest: value.slice(digits[0].length) };
    }
    default:
      return readNumber(reading, chunk, value);
  }
}

function nanoseconds(digits: string): number {
  return Number(digits.slice(0, 9).padEnd(9, '0'));
}

function readName(value: string, names: readonly string[], short: boolean, set: (index: number) => void): FieldResult {
  for (const [index, name] of names.entries()) {
    const wanted = short ? name.slice(0, 3) : name;
    if (value.slice(0, wanted.length).toLowerCase() !== wanted.toLowerCase()) continue;
    set(index);
    return { rest: value.slice(wanted.length) };
  }
  return BAD;
}

/** Go's getnum: two digits, or one where that is allowed. */
function twoDigits(value: string, fixed: boolean): { number: number; rest: string } | undefined {
  const digits = /^[0-9]{1,2}/.exec(value)?.[0];
  if (digits === undefined || (fixed && digits.length < 2)) return undefined;
  return { number: Number(digits), rest: value.slice(digits.length) };
}

function readYearDay(reading: Reading, value: string, fixed: boolean): FieldResult {
  const trimmed = fixed ? value : value.replace(/^ {1,2}/, '');
  const digits = /^[0-9]{1,3}/.exec(trimmed)?.[0];
  if (digits === undefined || (fixed && digits.length !== 3)) return BAD;
  reading.yearDay = Number(digits);
  return { rest: trimmed.slice(digits.length) };
}

function readHalf(reading: Reading, value: string, lower: boolean): FieldResult {
  const half = value.slice(0, 2);
  if (half === (lower ? 'pm' : 'PM')) reading.isPm = true;
  else if (half === (lower ? 'am' : 'AM')) reading.isAm = true;
  else return BAD;
  return { rest: value.slice(2) };
}

type NumberField = 'month' | 'day' | 'hour' | 'minute' | 'second';

function readNumber(reading: Reading, chunk: Chunk, value: string): FieldResult {
  const field = chunk.field ?? 'day';
  const text = field === 'underDay' && value[0] === ' ' ? value.slice(1) : value;
  const number = twoDigits(text, field.startsWith('zero'));
  if (number === undefined) return BAD;
  const target = targetOf(field);
  reading[target] = number.number;
  const [least, most] = BOUNDS[target];
  if (number.number < least || number.number > (field.includes('our12') ? 12 : most)) return { range: target };
  if (target !== 'second') return { rest: number.rest };
  return readHiddenFraction(reading, chunk, number.rest);
}

const BOUNDS: { readonly [K in NumberField]: readonly [number, number] } = {
  month: [1, 12],
  // Whether the month has that day is checked at the end.
  day: [0, 99],
  hour: [0, 23],
  minute: [0, 59],
  second: [0, 59],
};

function targetOf(field: string): NumberField {
  const lower = field.toLowerCase();
  if (lower.includes('month')) return 'month';
  if (lower.includes('hour')) return 'hour';
  if (lower.includes('minute')) return 'minute';
  return lower.includes('second') ? 'second' : 'day';
}

/** A fraction in the value that the layout does not name. */
function readHiddenFraction(reading: Reading, chunk: Chunk, value: string): FieldResult {
  const digits = /^[.,]([0-9]+)/.exec(value);
  if (digits === null) return { rest: value };
  const next = nextChunk(chunk.rest).field;
  if (next === 'fraction0' || next === 'fraction9') return { rest: value };
  reading.nanosecond = nanoseconds(digits[1] ?? '');
  return { rest: value.slice(digits[0].length) };
}

function readZone(reading: Reading, value: string, text: string): FieldResult {
  if (text.startsWith('Z') && value.startsWith('Z')) {
    reading.location = UTC;
    return { rest: value.slice(1) };
  }
  // The layout's digits define the form of the value's.
  const { length } = text;
  const shown = value.slice(0, length);
  if (shown.length < length || !matchesForm(shown, text)) return BAD;
  const [hours = 0, minutes = 0, seconds = 0] = (shown.slice(1).replaceAll(':', '').match(/../g) ?? []).map(Number);
  if (hours > 24) return { range: 'time zone offset hour' };
  if (minutes > 60) return { range: 'time zone offset minute' };
  if (seconds > 60) return { range: 'time zone offset second' };
  const offset = (hours * 60 + minutes) * 60 + seconds;
  reading.offset = shown[0] === '-' ? -offset : offset;
  return { rest: value.slice(length) };
}

function matchesForm(shown: string, text: string): boolean {
  if (shown[0] !== '+' && shown[0] !== '-') return false;
  return [...shown.slice(1)].every((character, index) =>
    text[index + 1] === ':' ? character === ':' : /[0-9]/.test(character),
  );
}

/** Go's parseTimeZone: three or four capital letters, `GMT+3`, `+03`, and a few longer names. */
function readZoneName(reading: Reading, value: string): FieldResult {
  if (value.startsWith('UTC')) {
    reading.location = UTC;
    return { rest: value.slice(3) };
  }
  const length = zoneNameLength(value);
  if (length === 0) return BAD;
  reading.zoneName = value.slice(0, length);
  return { rest: value.slice(length) };
}

function zoneNameLength(value: string): number {
  if (value.length < 3) return 0;
  if (value.startsWith('ChST') || value.startsWith('MeST')) return 4;
  if (value.startsWith('GMT')) return 3 + signedHours(value.slice(3));
  if (value[0] === '+' || value[0] === '-') return signedHours(value);
  const letters = /^[A-Z]{0,6}/.exec(value)?.[0].length ?? 0;
  if (letters === 5) return value[4] === 'T' ? 5 : 0;
  if (letters === 4) return value[3] === 'T' || value.startsWith('WITA') ? 4 : 0;
  return letters === 3 ? 3 : 0;
}

function signedHours(value: string): number {
  const match = /^[+-]([0-9]+)/.exec(value);
  return match !== null && Number(match[1]) <= 23 ? match[0].length : 0;
}
