const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
export const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A moment as a clock on the wall of a time zone shows it. */
export interface ZonedTime {
  /** `Tue 24 Nov`. */
  readonly day: string;
  /** `2026-11-24`: sorts, and is the same for all moments of a day. */
  readonly date: string;
  readonly year: number;
  /** `02:30`. */
  readonly time: string;
}

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;
const formats = new Map<string, Intl.DateTimeFormat>();

/** @param timeZone an IANA name; @throws RangeError for one that does not exist */
export function zonedTime(ms: number, timeZone: string): ZonedTime {
  const { day, date, year, time } = clockOf(ms, timeZone);
  return { day, date, year, time };
}

function clockOf(ms: number, timeZone: string): ZonedTime & { readonly second: number; readonly minutesEast: number } {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = PARTS.map((part) => Number(parts.get(part)));
  const weekday = WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
  return {
    day: `${weekday} ${day} ${MONTH_NAMES[month - 1]}`,
    date: `${year}-${twoDigits(month)}-${twoDigits(day)}`,
    year,
    time: `${twoDigits(hour)}:${twoDigits(minute)}`,
    second,
    minutesEast: Math.round((Date.UTC(year, month - 1, day, hour, minute, second) - ms) / 60_000),
  };
}

/** `Tue 24 Nov, 02:30`, with the year when it is not the one of now. The same text on a server and in every browser. */
export function zonedText(ms: number, timeZone: string, nowMs: number): string {
  const { day, year, time } = zonedTime(ms, timeZone);
  return year === zonedTime(nowMs, timeZone).year ? `${day}, ${time}` : `${day} ${year}, ${time}`;
}

/**
 * `2026-11-21 21:24:22 UTC+1`: the exact moment, as a clock in the time zone shows it. The same text on a server and in every browser.
 *
 * @param at RFC 3339
 * @param timeZone an IANA name; @throws RangeError for one that does not exist
 */
export function exactTime(at: string, timeZone: string): string {
  const ms = Date.parse(at);
  // Without a time it is what Kubernetes sent.
  if (Number.isNaN(ms)) return at;
  const { date, time, second, minutesEast } = clockOf(ms, timeZone);
  return `${date} ${time}:${twoDigits(second)} UTC${offsetText(minutesEast)}`;
}

/** True for the IANA name of a time zone that this engine knows. */
export function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

const ZONE_NAME = /^[A-Za-z][\w+/-]{0,63}$/;

/** Nothing for UTC itself, `+1`, `-3:30`. */
function offsetText(minutesEast: number): string {
  if (minutesEast === 0) return '';
  const minutes = Math.abs(minutesEast);
  const rest = minutes % 60 === 0 ? '' : `:${twoDigits(minutes % 60)}`;
  return `${minutesEast < 0 ? '-' : '+'}${Math.floor(minutes / 60)}${rest}`;
}

/** Names of months and days differ between engines; only numbers are taken from them. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(timeZone, made);
  return made;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
