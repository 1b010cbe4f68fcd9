import type { GoLocation, GoTime } from '../value/time';
import { GoTime as Time } from '../value/time';
import { civilFromDays, daysFromCivil } from './zone';

/** The parts of a time as a clock on a wall shows it. `month` is 1 to 12, `weekday` 0 is Sunday. */
export interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly weekday: number;
  readonly yearDay: number;
  readonly offset: number;
  readonly abbreviation: string;
}

/** A time in its own zone. */
export function civilOf(time: GoTime): Civil {
  const { offset, abbreviation } = time.location.at(time.seconds);
  const local = time.seconds + offset;
  const days = Math.floor(local / 86_400);
  const rest = local - days * 86_400;
  const { year, month, day } = civilFromDays(days);
  return {
    year,
    month,
    day,
    hour: Math.floor(rest / 3600),
    minute: Math.floor(rest / 60) % 60,
    second: rest % 60,
    weekday: (((days + 4) % 7) + 7) % 7,
    yearDay: days - daysFromCivil(year, 1, 1) + 1,
    offset,
    abbreviation,
  };
}

/** Date and time of day, as time.Date takes them: parts out of range carry over. */
export interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
}

/** time.Date: a wall time in a zone; around a change of the offset, either one may be used. */
export function timeOf(parts: DateParts, location: GoLocation): GoTime {
  const seconds =
    daysFromCivil(parts.year, parts.month, parts.day) * 86_400 + parts.hour * 3600 + parts.minute * 60 + parts.second;
  const carry = Math.floor(parts.nanosecond / 1e9);
  const nanosecond = parts.nanosecond - carry * 1e9;
  const wall = seconds + carry;
  const first = wall - location.at(wall).offset;
  const second = wall - location.at(first).offset;
  return new Time(second, nanosecond, location);
}

export function daysIn(year: number, month: number): number {
  return daysFromCivil(year, month + 1, 1) - daysFromCivil(year, month, 1);
}

/** A time later by nanoseconds. */
export function addNanoseconds(time: GoTime, nanoseconds: bigint): GoTime {
  const total = BigInt(time.nanoseconds) + nanoseconds;
  let seconds = total / 1_000_000_000n;
  let rest = total % 1_000_000_000n;
  if (rest < 0n) {
    rest += 1_000_000_000n;
    seconds -= 1n;
  }
  return new Time(time.seconds + Number(seconds), Number(rest), time.location, time.monotonic);
}

/** Nanoseconds from one time to another, within int64 (time.Sub). */
export function timeDifference(later: GoTime, earlier: GoTime): bigint {
  const value =
    BigInt(later.seconds - earlier.seconds) * 1_000_000_000n + BigInt(later.nanoseconds - earlier.nanoseconds);
  const max = (1n << 63n) - 1n;
  return value > max ? max : value < -max - 1n ? -max - 1n : value;
}
