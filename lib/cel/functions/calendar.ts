import { civilFromDays, daysFromCivil, loadLocation } from '@/lib/template/dates/zone';
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

/** The offset of a time zone at a time, in seconds east of UTC. @throws CelError for an unknown zone */
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
  const { year, month, day } = civilFromDays(Number(days));
  return {
    year,
    month: month - 1,
    day,
    yearDay: Number(days) - daysFromCivil(year, 1, 1),
    weekDay: (((Number(days) + 4) % 7) + 7) % 7,
    hours: Math.floor(inDay / 3600),
    minutes: Math.floor(inDay / 60) % 60,
    seconds: inDay % 60,
    milliseconds: Number((nanos - utc * SECOND) / 1_000_000n),
  };
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
