import { GoLocation, UTC } from '../value/time';
import { ZONE_ABBREVIATIONS } from './zone-abbreviations';

/** The zone that this engine runs in: UTC, as in the pods of KUDO's controller. */
export const LOCAL = new GoLocation('Local', () => ({ offset: 0, abbreviation: 'UTC' }));

/** An offset with a name, e.g. of a parsed time. */
export function fixedZone(name: string, offset: number): GoLocation {
  return new GoLocation(name, () => ({ offset, abbreviation: name }));
}

const loaded = new Map<string, GoLocation>();
let names: Map<string, ReadonlyMap<number, string>> | undefined;

/** time.LoadLocation: undefined for a name that the time zone database does not have. Names are case-sensitive. */
export function loadLocation(name: string): GoLocation | undefined {
  if (name === '' || name === 'UTC') return UTC;
  if (name === 'Local') return LOCAL;
  const known = loaded.get(name);
  if (known !== undefined) return known;
  names ??= readAbbreviations();
  const abbreviations = names.get(name);
  if (abbreviations === undefined) return undefined;
  const location = makeLocation(name, abbreviations);
  loaded.set(name, location);
  return location;
}

function readAbbreviations(): Map<string, ReadonlyMap<number, string>> {
  const result = new Map<string, ReadonlyMap<number, string>>();
  for (const line of ZONE_ABBREVIATIONS.trim().split('\n')) {
    const [left = '', right = ''] = line.split('|');
    const pairs = left.split(' ').map((pair): [number, string] => {
      const [minutes = '', abbreviation = ''] = pair.split('=');
      return [Math.round(Number(minutes) * 60), abbreviation];
    });
    const abbreviations = new Map(left === '' ? [] : pairs);
    for (const zone of right.split(' ')) result.set(zone, abbreviations);
  }
  return result;
}

function makeLocation(name: string, abbreviations: ReadonlyMap<number, string>): GoLocation {
  const offsetAt = offsetReader(name);
  return new GoLocation(name, (unix) => {
    const offset = offsetAt(unix);
    return { offset, abbreviation: abbreviations.get(offset) ?? digits(offset) };
  });
}

/** Before zones were agreed upon, places had their local mean time. */
function digits(offset: number): string {
  if (offset % 900 !== 0) return 'LMT';
  const minutes = Math.abs(offset) / 60;
  const rest = minutes % 60 === 0 ? '' : two(minutes % 60);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${rest}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** The range of Intl's dates, in seconds from 1970. */
const FURTHEST = 8.64e12 - 86_400;

/** Reads offsets from Intl, which has the rules but not the names. */
function offsetReader(name: string): (unix: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (unix) => {
    const within = Math.max(-FURTHEST, Math.min(FURTHEST, unix));
    const part = new Map(format.formatToParts(within * 1000).map(({ type, value }) => [type, value]));
    const field = (type: Intl.DateTimeFormatPartTypes): number => Number(part.get(type));
    const year = part.get('era') === 'BC' ? 1 - field('year') : field('year');
    const days = daysFromCivil(year, field('month'), field('day'));
    return days * 86_400 + field('hour') * 3600 + field('minute') * 60 + field('second') - Math.floor(within);
  };
}

/** Days from 1970-01-01 to a date of the proleptic Gregorian calendar; month and day may be out of range. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const years = year + Math.floor((month - 1) / 12);
  const months = (((month - 1) % 12) + 12) % 12;
  const shifted = months < 2 ? years - 1 : years;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (months < 2 ? months + 10 : months - 2) + 2) / 5);
  return (
    era * 146_097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear +
    day -
    719_469
  );
}

/** The date that many days after 1 January 1970, in the Gregorian calendar; `month` is 1 to 12. */
export function civilFromDays(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}
