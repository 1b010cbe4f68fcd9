import { loadLocation } from '@/lib/template/dates/zone';
import { CelDuration, CelError, CelTimestamp, type CelValue } from '../values';
import type { CelFunction, FunctionTable } from './function';

const SECOND = 1_000_000_000n;
const DAY = 86_400n;

/** Parts of a moment in some place. */
interface Parts {
  readonly year: number;
  /** 0 is January. */
  readonly month: number;
  /** 1 is the first. */
  readonly day: number;
  /** 0 is the first of January. */
  readonly yearDay: number;
  /** 0 is Sunday. */
  readonly weekDay: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly milliseconds: number;
}

const floorDivide = (a: bigint, b: bigint) => (a < 0n ? -((-a + b - 1n) / b) : a / b);

/** Seconds east of UTC in a place at a moment. @throws CelError for a place that nobody knows */
function offsetOf(place: string, seconds: bigint): bigint {
  const fixed = /^([+-]?)(\d{1,2}):(\d{2})$/.exec(place);
  if (fixed !== null) {
    const [, sign = '', hours = '0', minutes = '0'] = fixed;
    const offset = BigInt(hours) * 3600n + BigInt(minutes) * 60n;
    return sign === '-' ? -offset : offset;
  }
  if (place.includes(':'))
    throw new CelError(`strconv.Atoi: parsing ${JSON.stringify(place.split(':')[0])}: invalid syntax`);
  if (place === '' || place === 'UTC') return 0n;
  const location = loadLocation(place);
  if (location === undefined) throw new CelError(`unknown time zone ${place}`);
  return BigInt(location.at(Number(seconds)).offset);
}

function partsOf({ nanos }: CelTimestamp, place: string): Parts {
  const utc = floorDivide(nanos, SECOND);
  const seconds = utc + offsetOf(place, utc);
  const days = floorDivide(seconds, DAY);
  const inDay = Number(seconds - days * DAY);
  const { year, month, day } = dateOf(Number(days));
  return {
    ...{ year, month, day, yearDay: Number(days) - dayNumber(year, 0, 1), weekDay: (((Number(days) + 4) % 7) + 7) % 7 },
    hours: Math.floor(inDay / 3600),
    minutes: Math.floor(inDay / 60) % 60,
    seconds: inDay % 60,
    milliseconds: Number((nanos - utc * SECOND) / 1_000_000n),
  };
}

/** Days since 1970 of a date of the Gregorian calendar. */
export function dayNumber(year: number, month: number, day: number): number {
  const shifted = month < 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const inEra = shifted - era * 400;
  const inYear = Math.floor((153 * ((month + 10) % 12) + 2) / 5) + day - 1;
  return era * 146_097 + inEra * 365 + Math.floor(inEra / 4) - Math.floor(inEra / 100) + inYear - 719_468;
}

function dateOf(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const inEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (inEra - Math.floor(inEra / 1460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) / 365,
  );
  const inYear = inEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const turned = Math.floor((5 * inYear + 2) / 153);
  const month = (turned + 2) % 12;
  const year = yearOfEra + era * 400 + (month < 2 ? 1 : 0);
  return { year, month, day: inYear - Math.floor((153 * turned + 2) / 5) + 1 };
}

/** `2006-01-02T15:04:05.5Z`. */
export function timestampText(time: CelTimestamp): string {
  const { year, month, day, hours, minutes, seconds } = partsOf(time, 'UTC');
  const two = (number: number) => String(number).padStart(2, '0');
  const fraction = String(time.nanos - floorDivide(time.nanos, SECOND) * SECOND)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const date = `${String(year).padStart(4, '0')}-${two(month + 1)}-${two(day)}`;
  return `${date}T${two(hours)}:${two(minutes)}:${two(seconds)}${fraction === '' ? '' : `.${fraction}`}Z`;
}

const ofTime =
  (take: (parts: Parts) => number): CelFunction =>
  ([time, place = 'UTC']) =>
    time instanceof CelTimestamp && typeof place === 'string' ? BigInt(take(partsOf(time, place))) : undefined;

const ofDuration =
  (take: (nanos: bigint) => bigint): CelFunction =>
  ([span]): CelValue | undefined =>
    span instanceof CelDuration ? take(span.nanos) : undefined;

/** Parts of times and spans of time. */
export const DURATION_AND_TIME_FUNCTIONS: FunctionTable = [
  ['getFullYear', ofTime(({ year }) => year)],
  ['getMonth', ofTime(({ month }) => month)],
  ['getDate', ofTime(({ day }) => day)],
  ['getDayOfMonth', ofTime(({ day }) => day - 1)],
  ['getDayOfWeek', ofTime(({ weekDay }) => weekDay)],
  ['getDayOfYear', ofTime(({ yearDay }) => yearDay)],
  ['getHours', ofTime(({ hours }) => hours)],
  ['getHours', ofDuration((nanos) => nanos / (3600n * SECOND))],
  ['getMinutes', ofTime(({ minutes }) => minutes)],
  ['getMinutes', ofDuration((nanos) => nanos / (60n * SECOND))],
  ['getSeconds', ofTime(({ seconds }) => seconds)],
  ['getSeconds', ofDuration((nanos) => nanos / SECOND)],
  ['getMilliseconds', ofTime(({ milliseconds }) => milliseconds)],
  ['getMilliseconds', ofDuration((nanos) => nanos / 1_000_000n)],
];
