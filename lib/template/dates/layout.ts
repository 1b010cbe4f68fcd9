/** Go's time layouts: the reference time `Mon Jan 2 15:04:05 MST 2006` in pieces (Go time/format.go nextStdChunk). */
export type LayoutField =
  | 'longMonth'
  | 'month'
  | 'numMonth'
  | 'zeroMonth'
  | 'longWeekDay'
  | 'weekDay'
  | 'day'
  | 'underDay'
  | 'zeroDay'
  | 'underYearDay'
  | 'zeroYearDay'
  | 'hour'
  | 'hour12'
  | 'zeroHour12'
  | 'minute'
  | 'zeroMinute'
  | 'second'
  | 'zeroSecond'
  | 'longYear'
  | 'year'
  | 'PM'
  | 'pm'
  | 'zoneName'
  | 'zone'
  | 'fraction0'
  | 'fraction9';

export interface Chunk {
  /** Literal text before the field. */
  readonly prefix: string;
  /** Undefined at the end of the layout. */
  readonly field: LayoutField | undefined;
  /** The field as written. */
  readonly text: string;
  /** The layout after the field. */
  readonly rest: string;
}

const FIXED: readonly (readonly [string, LayoutField])[] = [
  ['January', 'longMonth'],
  ['Monday', 'longWeekDay'],
  ['MST', 'zoneName'],
  ['002', 'zeroYearDay'],
  ['01', 'zeroMonth'],
  ['02', 'zeroDay'],
  ['03', 'zeroHour12'],
  ['04', 'zeroMinute'],
  ['05', 'zeroSecond'],
  ['06', 'year'],
  ['15', 'hour'],
  ['1', 'numMonth'],
  ['2006', 'longYear'],
  ['2', 'day'],
  ['__2', 'underYearDay'],
  ['_2', 'underDay'],
  ['3', 'hour12'],
  ['4', 'minute'],
  ['5', 'second'],
  ['PM', 'PM'],
  ['pm', 'pm'],
];
const ZONES = ['070000', '07:00:00', '0700', '07:00', '07'];
const STARTS = /[JM0-5_Pp\-Z.,]/;

/** The next field of a layout. */
export function nextChunk(layout: string): Chunk {
  for (let at = 0; at < layout.length; at++) {
    if (!STARTS.test(layout[at] ?? '')) continue;
    // `_2006` is an underscore and the year.
    const skip = layout.startsWith('_2006', at) ? 1 : 0;
    const found = fieldAt(layout, at + skip);
    if (found === undefined) continue;
    const [field, length] = found;
    const start = at + skip;
    return {
      prefix: layout.slice(0, start),
      field,
      text: layout.slice(start, start + length),
      rest: layout.slice(start + length),
    };
  }
  return { prefix: layout, field: undefined, text: '', rest: '' };
}

function fieldAt(layout: string, at: number): [LayoutField, number] | undefined {
  for (const [text, field] of FIXED) if (layout.startsWith(text, at)) return [field, text.length];
  const three = layout.slice(at, at + 3);
  const isWord = /[a-z]/.test(layout[at + 3] ?? '');
  if (three === 'Jan' && !isWord) return ['month', 3];
  if (three === 'Mon' && !isWord) return ['weekDay', 3];
  const first = layout[at];
  if (first === '-' || first === 'Z') {
    const zone = ZONES.find((text) => layout.startsWith(text, at + 1));
    return zone === undefined ? undefined : ['zone', zone.length + 1];
  }
  if (first === '.' || first === ',') return fractionAt(layout, at);
  return undefined;
}

function fractionAt(layout: string, at: number): [LayoutField, number] | undefined {
  const digit = layout[at + 1];
  if (digit !== '0' && digit !== '9') return undefined;
  let end = at + 1;
  while (layout[end] === digit) end++;
  // No more digits may follow.
  if (/[0-9]/.test(layout[end] ?? '')) return undefined;
  return [digit === '0' ? 'fraction0' : 'fraction9', end - at];
}
