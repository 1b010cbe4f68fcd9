import { formatGoFloat } from '@/lib/template/format/float';
import { CelType } from '../cel-type';
import { CelDuration, CelError, CelMap, CelTimestamp, CelUint, type CelValue, isCelList, typeNameOf } from '../values';
import { timestampText } from './calendar';
import { durationText } from './conversions';

const CLAUSE = /%(?:%|(\.\d+)?([\s\S]))?/g;
/** The types that a clause accepts, for the error message. */
export const FORMAT_PROBLEMS: { readonly [verb: string]: string } = {
  b: 'only integers and bools can be formatted as binary, was given ',
  d: 'decimal clause can only be used on integers, was given ',
  e: 'scientific clause can only be used on doubles, was given ',
  f: 'fixed-point clause can only be used on doubles, was given ',
  o: 'octal clause can only be used on integers, was given ',
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ',
  x: 'only integers, byte buffers, and strings can be formatted as hex, was given ',
  X: 'only integers, byte buffers, and strings can be formatted as hex, was given ',
};

/** The clauses of a format string in order. @throws CelError with cel-go's message */
export function* clausesOf(text: string): Generator<{ readonly verb: string }> {
  for (const [clause, , verb] of text.matchAll(CLAUSE)) {
    if (clause !== '%%') yield { verb: checkedVerb(verb) };
  }
}

function checkedVerb(verb: string | undefined): string {
  if (verb === undefined) throw new CelError('unexpected end of string');
  if (FORMAT_PROBLEMS[verb] !== undefined) return verb;
  throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
}

/** `'%s is %d'.format([…])` (cel-go ext strings). @throws CelError with its message */
export function formatCelText(text: string, args: readonly CelValue[]): string {
  let next = 0;
  return text.replace(CLAUSE, (clause: string, precision: string | undefined, letter: string | undefined) => {
    if (clause === '%%') return '%';
    const verb = checkedVerb(letter);
    const index = next++;
    const arg = args[index];
    if (arg === undefined) throw new CelError(`index ${index} out of range`);
    const digits = precision === undefined ? 6 : Number(precision.slice(1));
    const shown = formatOne(verb, arg, digits);
    if (shown === undefined) throw new CelError(`error during formatting: ${FORMAT_PROBLEMS[verb]}${typeNameOf(arg)}`);
    return shown;
  });
}

function formatOne(verb: string, arg: CelValue, digits: number): string | undefined {
  switch (verb) {
    case 's':
      return shownText(arg);
    case 'd':
      return wholeOf(arg)?.toString();
    case 'b':
      return typeof arg === 'boolean' ? String(Number(arg)) : wholeOf(arg)?.toString(2);
    case 'o':
      return wholeOf(arg)?.toString(8);
    case 'x':
      return hex(arg);
    case 'X':
      return hex(arg)?.toUpperCase();
    default:
      return fraction(verb, arg, digits);
  }
}

function wholeOf(arg: CelValue): bigint | undefined {
  return typeof arg === 'bigint' ? arg : arg instanceof CelUint ? arg.value : undefined;
}

function hex(arg: CelValue): string | undefined {
  const bytes = typeof arg === 'string' ? new TextEncoder().encode(arg) : arg;
  if (!(bytes instanceof Uint8Array)) return wholeOf(arg)?.toString(16);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const ENDLESS: { readonly [text: string]: string } = { NaN: 'NaN', Infinity: '∞', '-Infinity': '-∞' };

function fraction(verb: string, arg: CelValue, digits: number): string | undefined {
  if (typeof arg === 'string') return ENDLESS[arg];
  if (typeof arg !== 'number') return undefined;
  if (!Number.isFinite(arg)) return ENDLESS[String(arg)];
  if (verb === 'f') return formatGoFloat(arg, 'f', digits).replace(/\d(?=(?:\d{3})+(?:\.|$))/g, grouped);
  const [mantissa = '', exponent = '0'] = formatGoFloat(arg, 'e', digits).split('e');
  const power = String(Math.abs(Number(exponent))).padStart(2, '0');
  return `${mantissa}\u202f×\u202f10${[...`${exponent.startsWith('-') ? '-' : ''}${power}`].map((each) => SUPER[each] ?? each).join('')}`;
}

const SUPER: { readonly [character: string]: string } = {
  ...{ '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' },
};

/** A comma after each group of three digits before the point. */
function grouped(digit: string, at: number, whole: string): string {
  const point = whole.indexOf('.');
  return point !== -1 && at > point ? digit : `${digit},`;
}

function shownText(arg: CelValue): string | undefined {
  if (typeof arg === 'string') return arg;
  if (arg === null) return 'null';
  if (typeof arg === 'boolean' || typeof arg === 'bigint') return String(arg);
  if (typeof arg === 'number') return shownNumber(arg);
  if (isCelList(arg)) return `[${arg.map(inList).join(', ')}]`;
  if (arg instanceof Uint8Array) return new TextDecoder().decode(arg);
  if (arg instanceof CelUint) return String(arg.value);
  if (arg instanceof CelTimestamp) return timestampText(arg);
  if (arg instanceof CelDuration) return durationText(arg);
  if (arg instanceof CelType) return arg.name;
  return arg instanceof CelMap ? shownMap(arg) : undefined;
}

const shownNumber = (value: number): string =>
  Number.isFinite(value) ? formatGoFloat(value, 'g', -1) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';

/** Strings in lists and maps are quoted, timestamps and durations are written as constructor calls. */
function inList(value: CelValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array) return `b${JSON.stringify(new TextDecoder().decode(value))}`;
  if (typeof value === 'number' && !Number.isFinite(value)) return JSON.stringify(shownNumber(value));
  if (value instanceof CelTimestamp) return `timestamp(${JSON.stringify(timestampText(value))})`;
  if (value instanceof CelDuration) return `duration(${JSON.stringify(durationText(value))})`;
  const text = shownText(value);
  if (text === undefined)
    throw new CelError(`error during formatting: no formatting function for ${typeNameOf(value)}`);
  return text;
}

function shownMap(map: CelMap): string {
  const entries = map.keys().map((key) => `${inList(key)}: ${inList(map.find(key) ?? null)}`);
  return `{${entries.sort().join(', ')}}`;
}
