import { MONTHS, WEEKDAYS } from '@/lib/template/dates/names';

const NICKNAMES: ReadonlyMap<string, string> = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
]);

/** More times a day than this are no sentence any more. */
const MOST_HOURS = 4;

interface Fields {
  readonly minute: string;
  readonly hour: string;
  readonly day: string;
  readonly month: string;
  readonly weekday: string;
}

/** A valid cron expression in words (`Every day at 02:30`); undefined for one that has no simple words. */
export function cronWords(expression: string): string | undefined {
  const text = expression.trim().toLowerCase();
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = (NICKNAMES.get(text) ?? text).split(/\s+/);
  const fields = { minute, hour, day, month, weekday };
  return everyFewMinutes(fields) ?? everyFewHours(fields) ?? atTimes(fields);
}

function everyFewMinutes({ minute, hour, day, month, weekday }: Fields): string | undefined {
  if (![hour, day, month, weekday].every(isEvery)) return undefined;
  if (isEvery(minute)) return 'Every minute';
  const step = stepOf(minute, 60);
  if (step !== undefined) return `Every ${step} minutes`;
  const at = numberOf(minute, 59);
  if (at === undefined) return undefined;
  return at === 0 ? 'Every hour' : `Every hour at minute ${at}`;
}

function everyFewHours({ minute, hour, day, month, weekday }: Fields): string | undefined {
  const step = stepOf(hour, 24);
  const at = numberOf(minute, 59);
  if (step === undefined || at === undefined || ![day, month, weekday].every(isEvery)) return undefined;
  return at === 0 ? `Every ${step} hours` : `Every ${step} hours at minute ${at}`;
}

function atTimes({ minute, hour, day, month, weekday }: Fields): string | undefined {
  const at = numberOf(minute, 59);
  const hours = hour.split(',').map((each) => numberOf(each, 23));
  if (at === undefined || hours.length > MOST_HOURS || hours.includes(undefined)) return undefined;
  const times = hours.map((each) => `${twoDigits(each ?? 0)}:${twoDigits(at)}`);
  const days = daysOf({ day, month, weekday });
  return days === undefined ? undefined : `${days} at ${enumerate(times)}`;
}

function daysOf({ day, month, weekday }: Pick<Fields, 'day' | 'month' | 'weekday'>): string | undefined {
  if (isEvery(day) && isEvery(month)) return isEvery(weekday) ? 'Every day' : weekdays(weekday);
  const date = numberOf(day, 31);
  // With both a date and a weekday cron starts on either of them.
  if (date === undefined || date === 0 || !isEvery(weekday)) return undefined;
  if (isEvery(month)) return `On day ${date} of each month`;
  const name = MONTHS[(numberOf(month, 12) ?? 0) - 1];
  return name === undefined ? undefined : `Every year on ${date} ${name}`;
}

function weekdays(text: string): string | undefined {
  const range = /^(\w+)-(\w+)$/.exec(text);
  if (range !== null) {
    const [first, last] = [dayName(range[1]), dayName(range[2])];
    return first === undefined || last === undefined ? undefined : `${first} to ${last}`;
  }
  const names = text.split(',').map(dayName);
  return names.includes(undefined) ? undefined : `Every ${enumerate(names.map((name) => name ?? ''))}`;
}

/** `1`, `mon` → Monday; 0 and 7 are Sunday. */
function dayName(text = ''): string | undefined {
  const number = numberOf(text, 7);
  if (number !== undefined) return WEEKDAYS[number % 7];
  return text.length === 3 ? WEEKDAYS.find((name) => name.toLowerCase().startsWith(text)) : undefined;
}

function isEvery(field: string): boolean {
  return field === '*' || field === '?';
}

/** Of a step that divides the whole, so that all gaps are equal. */
function stepOf(field: string, whole: number): number | undefined {
  const step = Number(/^\*\/([0-9]{1,2})$/.exec(field)?.[1]);
  return step > 1 && step < whole && whole % step === 0 ? step : undefined;
}

function numberOf(field: string, most: number): number | undefined {
  const number = /^[0-9]{1,2}$/.test(field) ? Number(field) : undefined;
  return number !== undefined && number <= most ? number : undefined;
}

/** `a, b and c`. */
function enumerate(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
