import { fn, type GoFunction, type GoFunctionTable } from '../functions/define';
import { GoTime, UTC, ZERO_TIME } from '../value/time';
import { BYTE_SLICE, GO_DURATION, MONTH, UINT8, WEEKDAY } from '../value/types';
import { GoInt, GoSlice, int, int64, type Value } from '../value/value';
import { addNanoseconds, civilOf, timeDifference, timeOf } from './civil';
import { formatGoTime, formatRfc3339, timeText } from './format';
import { LOCAL } from './zone';

type Extra = Parameters<typeof fn>[0];

/** A method of time.Time; the evaluator passes the receiver first. */
function method(run: (time: GoTime) => Value): GoFunction {
  return fn([], (_, ...values: unknown[]) => (values[0] instanceof GoTime ? run(values[0]) : null));
}

function withArguments<P extends Extra>(
  parameters: P,
  run: (time: GoTime, values: readonly unknown[]) => Value,
): GoFunction {
  return {
    parameters,
    rest: undefined,
    run: (_, receiver, ...values) => (receiver instanceof GoTime ? run(receiver, values) : null),
  };
}

const civil = (read: (parts: ReturnType<typeof civilOf>) => Value): GoFunction => method((time) => read(civilOf(time)));

const nanosecondsOf = (time: GoTime): bigint => BigInt(time.seconds) * 1_000_000_000n + BigInt(time.nanoseconds);

function bytes(text: string): GoSlice {
  return new GoSlice(
    BYTE_SLICE,
    Array.from(text, (character) => new GoInt(UINT8, BigInt(character.charCodeAt(0)))),
  );
}

/** Methods of Go's time.Time that return one value. */
export const timeMethods: GoFunctionTable = {
  Year: civil((parts) => int(parts.year)),
  Month: civil((parts) => new GoInt(MONTH, BigInt(parts.month))),
  Day: civil((parts) => int(parts.day)),
  Hour: civil((parts) => int(parts.hour)),
  Minute: civil((parts) => int(parts.minute)),
  Second: civil((parts) => int(parts.second)),
  Weekday: civil((parts) => new GoInt(WEEKDAY, BigInt(parts.weekday))),
  YearDay: civil((parts) => int(parts.yearDay)),
  Nanosecond: method((time) => int(time.nanoseconds)),
  Unix: method((time) => int64(time.seconds)),
  UnixMilli: method((time) => int64(nanosecondsOf(time) / 1_000_000n)),
  UnixMicro: method((time) => int64(nanosecondsOf(time) / 1_000n)),
  UnixNano: method((time) => int64(nanosecondsOf(time))),
  UTC: method((time) => new GoTime(time.seconds, time.nanoseconds, UTC, time.monotonic)),
  Local: method((time) => new GoTime(time.seconds, time.nanoseconds, LOCAL, time.monotonic)),
  Location: method((time) => time.location),
  IsZero: method((time) => time.seconds === ZERO_TIME.seconds && time.nanoseconds === 0),
  IsDST: method(() => false),
  String: method((time) => timeText(time)),
  GoString: method((time) => time.goText() ?? timeText(time)),
  MarshalText: method((time) => bytes(formatRfc3339(time))),
  MarshalJSON: method((time) => bytes(`"${formatRfc3339(time)}"`)),
  Format: withArguments(['string'], (time, [layout]) => formatGoTime(time, String(layout))),
  AddDate: withArguments(['int', 'int', 'int'], (time, [years, months, days]) => {
    const parts = civilOf(time);
    const moved = {
      ...parts,
      year: parts.year + Number(years),
      month: parts.month + Number(months),
      day: parts.day + Number(days),
      nanosecond: time.nanoseconds,
    };
    return timeOf(moved, time.location);
  }),
  Add: withArguments(['duration'], (time, [duration]) => addNanoseconds(time, BigInt(String(duration)))),
  Sub: compare((time, other) => new GoInt(GO_DURATION, timeDifference(time, other))),
  After: compare((time, other) => nanosecondsOf(time) > nanosecondsOf(other)),
  Before: compare((time, other) => nanosecondsOf(time) < nanosecondsOf(other)),
  Equal: compare((time, other) => nanosecondsOf(time) === nanosecondsOf(other)),
  Compare: compare((time, other) => {
    const gap = nanosecondsOf(time) - nanosecondsOf(other);
    return int(gap < 0n ? -1 : gap > 0n ? 1 : 0);
  }),
  Round: withArguments(['duration'], (time, [unit]) => roundTo(time, BigInt(String(unit)), true)),
  Truncate: withArguments(['duration'], (time, [unit]) => roundTo(time, BigInt(String(unit)), false)),
};

function compare(run: (time: GoTime, other: GoTime) => Value): GoFunction {
  return withArguments(['time'], (time, [other]) => (other instanceof GoTime ? run(time, other) : null));
}

/** To a multiple of the unit since the year 1. */
function roundTo(time: GoTime, unit: bigint, toNearest: boolean): GoTime {
  const plain = new GoTime(time.seconds, time.nanoseconds, time.location);
  if (unit <= 0n) return plain;
  const since = nanosecondsOf(time) - BigInt(ZERO_TIME.seconds) * 1_000_000_000n;
  const rest = ((since % unit) + unit) % unit;
  return addNanoseconds(plain, toNearest && rest * 2n >= unit ? unit - rest : -rest);
}
