import { GoError } from '../template-error';
import { type GoLocation, type GoTime, GoTime as Time, UTC } from '../value/time';
import { daysIn, timeOf } from './civil';
import { nextChunk } from './layout';
import { readField } from './parse-field';
import { quoteTime as quote } from './quote-time';
import type { Reading } from './reading';
import { fixedZone } from './zone';

/**
 * Go's time.ParseInLocation on byte strings.
 * @throws GoError with Go's message
 */
export function parseGoTime(layout: string, value: string, local: GoLocation): GoTime {
  const failure = (element: string, rest: string, message: string): GoError =>
    new GoError(
      message === ''
        ? `parsing time ${quote(value)} as ${quote(layout)}: cannot parse ${quote(rest)} as ${quote(element)}`
        : `parsing time ${quote(value)}${message}`,
    );
  const reading = emptyReading();
  let left = value;
  for (let pattern = layout; ; ) {
    const chunk = nextChunk(pattern);
    const skipped = skipPrefix(left, chunk.prefix);
    if (skipped === undefined) throw failure(chunk.prefix, left, '');
    left = skipped;
    if (chunk.field === undefined) {
      if (left !== '') throw failure('', left, `: extra text: ${quote(left)}`);
      break;
    }
    const hold = left;
    const result = readField(reading, chunk, left);
    if ('rest' in result) left = result.rest;
    else if (result.range === undefined) throw failure(chunk.text, hold, '');
    else throw failure(chunk.text, left, `: ${result.range} out of range`);
    pattern = chunk.rest;
  }
  completeDate(reading, (message) => failure('', value, message));
  return place(reading, local);
}

function emptyReading(): Reading {
  return {
    year: 0,
    month: -1,
    day: -1,
    yearDay: -1,
    hour: 0,
    minute: 0,
    second: 0,
    nanosecond: 0,
    isPm: false,
    isAm: false,
    location: undefined,
    offset: undefined,
    zoneName: '',
  };
}

/** A run of spaces in the layout matches any run of spaces in the value. */
function skipPrefix(value: string, prefix: string): string | undefined {
  let [left, wanted] = [value, prefix];
  while (wanted !== '') {
    if (wanted[0] === ' ') {
      if (left !== '' && left[0] !== ' ') return undefined;
      wanted = wanted.replace(/^ +/, '');
      left = left.replace(/^ +/, '');
      continue;
    }
    if (left === '' || left[0] !== wanted[0]) return undefined;
    wanted = wanted.slice(1);
    left = left.slice(1);
  }
  return left;
}

function completeDate(reading: Reading, failure: (message: string) => GoError): void {
  if (reading.isPm && reading.hour < 12) reading.hour += 12;
  else if (reading.isAm && reading.hour === 12) reading.hour = 0;
  if (reading.yearDay >= 0) setByYearDay(reading, failure);
  if (reading.month < 0) reading.month = 1;
  if (reading.day < 0) reading.day = 1;
  if (reading.day < 1 || reading.day > daysIn(reading.year, reading.month)) throw failure(': day out of range');
}

function setByYearDay(reading: Reading, failure: (message: string) => GoError): void {
  const isLeap = daysIn(reading.year, 2) === 29;
  if (reading.yearDay < 1 || reading.yearDay > (isLeap ? 366 : 365)) throw failure(': day-of-year out of range');
  let [month, day] = [1, reading.yearDay];
  while (day > daysIn(reading.year, month)) day -= daysIn(reading.year, month++);
  if (reading.month >= 0 && reading.month !== month) throw failure(': day-of-year does not match month');
  if (reading.day >= 0 && reading.day !== day) throw failure(': day-of-year does not match day');
  reading.month = month;
  reading.day = day;
}

function place(reading: Reading, local: GoLocation): GoTime {
  if (reading.location !== undefined) return timeOf(reading, reading.location);
  const asUtc = timeOf(reading, UTC);
  if (reading.offset !== undefined) {
    const seconds = asUtc.seconds - reading.offset;
    const here = local.at(seconds);
    const isLocal =
      here.offset === reading.offset && (reading.zoneName === '' || here.abbreviation === reading.zoneName);
    return new Time(seconds, asUtc.nanoseconds, isLocal ? local : fixedZone(reading.zoneName, reading.offset));
  }
  if (reading.zoneName !== '') {
    const here = local.at(asUtc.seconds);
    if (here.abbreviation === reading.zoneName) return new Time(asUtc.seconds - here.offset, asUtc.nanoseconds, local);
    const hours = reading.zoneName.startsWith('GMT') ? Number(reading.zoneName.slice(3)) : 0;
    const offset = Number.isInteger(hours) ? hours * 3600 : 0;
    return new Time(asUtc.seconds - offset, asUtc.nanoseconds, fixedZone(reading.zoneName, offset));
  }
  return timeOf(reading, local);
}
