import { quote } from '../format/quote';
import { GoTime } from '../value/time';
import { type Civil, civilOf } from './civil';
import { type LayoutField, nextChunk } from './layout';
import { MONTHS, WEEKDAYS } from './names';

/** Go's time.Format. Layout and result are byte strings. */
export function formatGoTime(time: GoTime, layout: string): string {
  const civil = civilOf(time);
  let result = '';
  let rest = layout;
  while (rest !== '') {
    const chunk = nextChunk(rest);
    result += chunk.prefix;
    if (chunk.field === undefined) break;
    result += formatField(chunk.field, chunk.text, civil, time.nanoseconds);
    rest = chunk.rest;
  }
  return result;
}

/** RFC 3339, with nanoseconds if they are not zero, as encoding/json and yaml write times. */
export function formatRfc3339(time: GoTime): string {
  return formatGoTime(time, '2006-01-02T15:04:05.999999999Z07:00');
}

/** Go's Time.String; a time from the clock shows its monotonic reading. */
export function timeText(time: GoTime): string {
  const text = formatGoTime(time, '2006-01-02 15:04:05.999999999 -0700 MST');
  return time.monotonic ? `${text} m=+0.000000001` : text;
}

function pad(value: number, width: number, fill = '0'): string {
  const digits = String(Math.abs(value)).padStart(width, fill);
  return value < 0 ? `-${digits}` : digits;
}

function formatField(field: LayoutField, text: string, civil: Civil, nanoseconds: number): string {
  switch (field) {
    case 'longMonth':
      return MONTHS[civil.month - 1] ?? '';
    case 'month':
      return (MONTHS[civil.month - 1] ?? '').slice(0, 3);
    case 'numMonth':
      return String(civil.month);
    case 'zeroMonth':
      return pad(civil.month, 2);
    case 'longWeekDay':
      return WEEKDAYS[civil.weekday] ?? '';
    case 'weekDay':
      return (WEEKDAYS[civil.weekday] ?? '').slice(0, 3);
    case 'day':
      return String(civil.day);
    case 'underDay':
      return pad(civil.day, 2, ' ');
    case 'zeroDay':
      return pad(civil.day, 2);
    case 'underYearDay':
      return pad(civil.yearDay, 3, ' ');
    case 'zeroYearDay':
      return pad(civil.yearDay, 3);
    case 'longYear':
      return pad(civil.year, 4);
    case 'year':
      return pad(Math.max(civil.year, 0) % 100, 2);
    default:
      return formatClock(field, text, civil, nanoseconds);
  }
}

function formatClock(field: LayoutField, text: string, civil: Civil, nanoseconds: number): string {
  const hour12 = civil.hour % 12 === 0 ? 12 : civil.hour % 12;
  switch (field) {
    case 'hour':
      return pad(civil.hour, 2);
    case 'hour12':
      return String(hour12);
    case 'zeroHour12':
      return pad(hour12, 2);
    case 'minute':
      return String(civil.minute);
    case 'zeroMinute':
      return pad(civil.minute, 2);
    case 'second':
      return String(civil.second);
    case 'zeroSecond':
      return pad(civil.second, 2);
    case 'PM':
      return civil.hour >= 12 ? 'PM' : 'AM';
    case 'pm':
      return civil.hour >= 12 ? 'pm' : 'am';
    case 'zoneName':
      return civil.abbreviation === '' ? formatOffset(civil.offset, '-0700') : civil.abbreviation;
    case 'zone':
      return formatOffset(civil.offset, text);
    case 'fraction0':
      return (
        text.slice(0, 1) +
        pad(nanoseconds, 9)
          .slice(0, text.length - 1)
          .padEnd(text.length - 1, '0')
      );
    case 'fraction9': {
      const digits = pad(nanoseconds, 9)
        .slice(0, text.length - 1)
        .replace(/0+$/, '');
      return digits === '' ? '' : text.slice(0, 1) + digits;
    }
    default:
      return '';
  }
}

/** `Z07:00`, `-0700` and similar. */
function formatOffset(offset: number, text: string): string {
  if (text.startsWith('Z') && offset === 0) return 'Z';
  const magnitude = Math.abs(offset);
  // Go cuts offsets to minutes first, which decides the sign.
  const sign = Math.trunc(offset / 60) < 0 ? '-' : '+';
  const colon = text.includes(':') ? ':' : '';
  const minutes = Math.floor(magnitude / 60);
  let result = sign + pad(Math.floor(minutes / 60), 2);
  if (text.length > 3) result += colon + pad(minutes % 60, 2);
  if (text.replaceAll(':', '').length === 7) result += colon + pad(magnitude % 60, 2);
  return result;
}

GoTime.textOf = timeText;
GoTime.goTextOf = goTimeText;

/** Time.GoString: `time.Date(2009, time.February, 5, 5, 0, 57, 0, time.UTC)`. */
function goTimeText(time: GoTime): string {
  const { year, month, day, hour, minute, second } = civilOf(time);
  const { name } = time.location;
  const where = name === 'UTC' || name === 'Local' ? `time.${name}` : `time.Location(${quote(name)})`;
  const parts = [year, `time.${MONTHS[month - 1] ?? ''}`, day, hour, minute, second, time.nanoseconds, where];
  return `time.Date(${parts.join(', ')})`;
}
