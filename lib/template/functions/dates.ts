import { addNanoseconds, timeDifference } from '../dates/civil';
import { formatGoDuration, parseGoDuration } from '../dates/duration';
import { formatGoTime } from '../dates/format';
import { parseGoTime } from '../dates/parse';
import { quoteTime as quote } from '../dates/quote-time';
import { LOCAL, loadLocation } from '../dates/zone';
import { parseInt64 } from '../format/parse-number';
import { GoError } from '../template-error';
import { GoTime, UTC, ZERO_TIME } from '../value/time';
import { GO_INT, INT32, INT64 } from '../value/types';
import { GoInt, type Value } from '../value/value';
import { type CallContext, fn, type GoFunctionTable } from './define';

const ISO_DATE = '2006-01-02';
const SECOND = 1_000_000_000n;

/** Sprig's date.go. The local zone is UTC; a value that is not a date means now. */
export const dateFunctions: GoFunctionTable = {
  now: fn([], (context) => now(context)),
  date: fn(['string', 'any'], (context, layout, value) => inZone(context, layout, value, 'Local')),
  dateInZone: fn(['string', 'any', 'string'], inZone),
  date_in_zone: fn(['string', 'any', 'string'], inZone),
  htmlDate: fn(['any'], (context, value) => inZone(context, ISO_DATE, value, 'Local')),
  htmlDateInZone: fn(['any', 'string'], (context, value, zone) => inZone(context, ISO_DATE, value, zone)),
  dateModify: fn(['string', 'time'], (_, change, time) => modify(change, time) ?? time),
  date_modify: fn(['string', 'time'], (_, change, time) => modify(change, time) ?? time),
  mustDateModify: fn(['string', 'time'], mustModify),
  must_date_modify: fn(['string', 'time'], mustModify),
  toDate: fn(['string', 'string'], (_, layout, text) => toDate(layout, text)),
  mustToDate: fn(['string', 'string'], (_, layout, text) => parseGoTime(layout, text, LOCAL)),
  unixEpoch: fn(['time'], (_, time) => String(time.seconds)),
  ago: fn(['any'], (context, value) =>
    formatGoDuration(roundToSecond(timeDifference(now(context), timeOf(context, value)))),
  ),
  duration: fn(['any'], (_, value) => formatGoDuration(BigInt.asIntN(64, secondsOf(value) * SECOND))),
  durationRound: fn(['any'], (context, value) => roughDuration(nanosecondsOf(context, value))),
};

function now(context: CallContext): GoTime {
  const ms = context.environment.clock.now();
  const seconds = Math.floor(ms / 1000);
  return new GoTime(seconds, Math.round((ms - seconds * 1000) * 1e6), LOCAL, true);
}

function timeOf(context: CallContext, value: Value): GoTime {
  if (value instanceof GoTime) return value;
  if (value instanceof GoInt && (value.type === GO_INT || value.type === INT64 || value.type === INT32)) {
    return new GoTime(Number(value.value), 0, LOCAL);
  }
  return now(context);
}

function inZone(context: CallContext, layout: string, value: Value, zone: string): string {
  const time = timeOf(context, value);
  const moved = new GoTime(time.seconds, time.nanoseconds, loadLocation(zone) ?? UTC);
  const text = formatGoTime(moved, layout);
  context.budget.allocate(text.length);
  return text;
}

function modify(change: string, time: GoTime): GoTime | undefined {
  const duration = parseGoDuration(change, quote(change));
  return typeof duration === 'string' ? undefined : addNanoseconds(time, duration);
}

function mustModify(_: CallContext, change: string, time: GoTime): GoTime {
  const duration = parseGoDuration(change, quote(change));
  if (typeof duration === 'string') throw new GoError(duration);
  return addNanoseconds(time, duration);
}

function toDate(layout: string, text: string): GoTime {
  try {
    return parseGoTime(layout, text, LOCAL);
  } catch (error) {
    if (error instanceof GoError) return ZERO_TIME;
    throw error;
  }
}

/** Half away from zero. */
function roundToSecond(nanoseconds: bigint): bigint {
  const rest = nanoseconds % SECOND;
  const whole = nanoseconds - rest;
  if (rest * 2n >= SECOND) return whole + SECOND;
  return rest * 2n <= -SECOND ? whole - SECOND : whole;
}

function secondsOf(value: Value): bigint {
  if (typeof value === 'string') return parseInt64(value, 10).value;
  return value instanceof GoInt && value.type === INT64 ? value.value : 0n;
}

function nanosecondsOf(context: CallContext, value: Value): bigint {
  if (typeof value === 'string') {
    const parsed = parseGoDuration(value, quote(value));
    return typeof parsed === 'string' ? 0n : parsed;
  }
  if (value instanceof GoTime) return timeDifference(now(context), value);
  return value instanceof GoInt && value.type === INT64 ? value.value : 0n;
}

const UNITS: readonly (readonly [bigint, string])[] = [
  [365n * 86_400n * SECOND, 'y'],
  [30n * 86_400n * SECOND, 'mo'],
  [86_400n * SECOND, 'd'],
  [3600n * SECOND, 'h'],
  [60n * SECOND, 'm'],
  [SECOND, 's'],
];

/** The largest unit that fits, rounded down. */
function roughDuration(nanoseconds: bigint): string {
  const value = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  for (const [unit, name] of UNITS) if (value > unit) return `${value / unit}${name}`;
  return '0s';
}
