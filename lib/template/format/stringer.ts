import { formatGoDuration } from '../dates/duration';
import { MONTHS, WEEKDAYS } from '../dates/names';
import { GoTime } from '../value/time';
import { GO_DURATION, MONTH, WEEKDAY } from '../value/types';
import { GoInt, GoObject, type Value } from '../value/value';

/** The result of a value's String method; undefined when its type has none. */
export function stringerText(value: Value): string | undefined {
  if (value instanceof GoObject) return value.text();
  if (!(value instanceof GoInt)) return undefined;
  if (value.type === MONTH) return MONTHS[Number(value.value) - 1] ?? `%!Month(${value.value})`;
  if (value.type === WEEKDAY) return WEEKDAYS[Number(value.value)] ?? `%!Weekday(${value.value})`;
  return value.type === GO_DURATION ? formatGoDuration(value.value) : undefined;
}

/** The result of a value's GoString method (`%#v`): only times have one. */
export function goStringOf(value: Value): string | undefined {
  return value instanceof GoTime ? value.goText() : undefined;
}
