const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How far the next time is looked for; a schedule such as `0 0 31 2 *` never comes. */
const HORIZON_MS = 5 * 366 * DAY_MS;

const NICKNAMES: { readonly [name: string]: string } = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** A parsed schedule: the values of each field; days of month and week are joined by "or" when both are given. */
export interface CronSchedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  readonly anyDay: boolean;
  readonly anyWeekday: boolean;
}

/** Parses five fields or a nickname (robfig/cron standard parser); undefined when it is no schedule. */
export function parseCron(text: string): CronSchedule | undefined {
  const fields = (NICKNAMES[text.trim().toLowerCase()] ?? text).trim().split(/\s+/);
  if (fields.length !== 5) return undefined;
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  const minutes = parseField(minute, 0, 59);
  const hours = parseField(hour, 0, 23);
  const days = parseField(day, 1, 31);
  const months = parseField(month, 1, 12, MONTHS, 1);
  const weekdays = parseField(weekday, 0, 7, WEEKDAYS, 0);
  if (!minutes || !hours || !days || !months || !weekdays) return undefined;
  if (weekdays.has(7)) weekdays.add(0);
  return { minutes, hours, days, months, weekdays, anyDay: isStar(day), anyWeekday: isStar(weekday) };
}

function isStar(field: string): boolean {
  return field.startsWith('*') || field.startsWith('?');
}

function parseField(
  field: string,
  min: number,
  max: number,
  names: readonly string[] = [],
  base = 0,
): Set<number> | undefined {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const match = /^(\*|\?|[0-9a-z]+)(?:-([0-9a-z]+))?(?:\/(\d+))?$/i.exec(part);
    if (match === null) return undefined;
    const [, first = '', last, step] = match;
    const number = (text: string): number => {
      const named = names.indexOf(text.toLowerCase());
      return named >= 0 ? named + base : /^\d+$/.test(text) ? Number(text) : Number.NaN;
    };
    const every = first === '*' || first === '?';
    const from = every ? min : number(first);
    const to = last !== undefined ? number(last) : every || step !== undefined ? max : from;
    const by = step === undefined ? 1 : Number(step);
    if (Number.isNaN(from) || Number.isNaN(to) || from < min || to > max || from > to || by < 1) return undefined;
    for (let value = from; value <= to; value += by) values.add(value);
  }
  return values;
}

interface LocalTime {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
}

/**
 * The first time after `afterMs` (milliseconds since 1970, whole minutes), in UTC or a named time zone; undefined when
 * there is none within five years or the zone is unknown.
 */
export function nextCron(schedule: CronSchedule, afterMs: number, timeZone?: string): number | undefined {
  const local = timeZone === undefined ? utcTime : zonedTime(timeZone);
  if (local === undefined) return undefined;
  let ms = Math.floor(afterMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  const endMs = ms + HORIZON_MS;
  while (ms <= endMs) {
    const time = local(ms);
    if (!schedule.months.has(time.month) || !matchesDay(schedule, time)) {
      ms += (24 * 60 - time.hour * 60 - time.minute) * MINUTE_MS;
    } else if (!schedule.hours.has(time.hour)) {
      ms += (60 - time.minute) * MINUTE_MS;
    } else if (!schedule.minutes.has(time.minute)) {
      ms += MINUTE_MS;
    } else {
      return ms;
    }
  }
  return undefined;
}

function matchesDay(schedule: CronSchedule, time: LocalTime): boolean {
  const day = schedule.days.has(time.day);
  const weekday = schedule.weekdays.has(time.weekday);
  return schedule.anyDay || schedule.anyWeekday ? day && weekday : day || weekday;
}

/** Calendar fields in UTC, by the algorithm of days from civil (Howard Hinnant, chrono-compatible date algorithms). */
function utcTime(ms: number): LocalTime {
  const days = Math.floor(ms / DAY_MS);
  const minutes = Math.floor((ms - days * DAY_MS) / MINUTE_MS);
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const year = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  return {
    minute: minutes % 60,
    hour: Math.floor(minutes / 60),
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
    month: shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9,
    weekday: (((days + 4) % 7) + 7) % 7,
  };
}

function zonedTime(timeZone: string): ((ms: number) => LocalTime) | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      weekday: 'short',
    });
    return (ms) => {
      const parts = new Map(format.formatToParts(ms).map((part) => [part.type, part.value]));
      const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type) ?? 0);
      const weekday = WEEKDAYS.indexOf((parts.get('weekday') ?? '').toLowerCase());
      return { minute: number('minute'), hour: number('hour'), day: number('day'), month: number('month'), weekday };
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
