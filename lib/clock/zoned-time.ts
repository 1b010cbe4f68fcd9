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

const formats = new Map<string, Intl.DateTimeFormat>();

/** @param timeZone an IANA name; @throws RangeError for one that does not exist */
export function zonedTime(ms: number, timeZone: string): ZonedTime {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const [year = 0, month = 1, day = 1] = ['year', 'month', 'day'].map((part) => Number(parts.get(part as 'year')));
  const weekday = WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
  return {
    day: `${weekday} ${day} ${MONTH_NAMES[month - 1]}`,
    date: `${year}-${twoDigits(month)}-${twoDigits(day)}`,
    year,
    time: `${parts.get('hour')}:${parts.get('minute')}`,
  };
}

/** `Tue 24 Nov, 02:30`, with the year when it is not the one of now. The same text on a server and in every browser. */
export function zonedText(ms: number, timeZone: string, nowMs: number): string {
  const { day, year, time } = zonedTime(ms, timeZone);
  return year === zonedTime(nowMs, timeZone).year ? `${day}, ${time}` : `${day} ${year}, ${time}`;
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
  });
  formats.set(timeZone, made);
  return made;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
