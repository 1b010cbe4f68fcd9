import { parseFloat64, parseInt64, parseUint } from '../format/parse-number';
import { decodeRune, isAscii, toText } from '../value/bytes';

/** How go-yaml v2 writes one text: which style, and the text in it. All on byte strings. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

const WORDS: ReadonlySet<string> = new Set(
  (
    'y Y yes Yes YES true True TRUE on On ON n N no No NO false False FALSE off Off OFF ~ null Null NULL ' +
    '.nan .NaN .NAN .inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF'
  ).split(' '),
);
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const DATE = /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})$/;
const DATE_TIME =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[Tt]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(?:Z|[+-]([0-9]{2}):([0-9]{2}))| ([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?)$/;

/** True when YAML 1.1 would read the plain text as something else than text (go-yaml resolve and isBase60Float). */
export function readsAsOther(text: string): boolean {
  if (text === '' || WORDS.has(text)) return true;
  const [first = ''] = text;
  if (first === '.') return parseFloat64(text).error === undefined;
  if (!/[-+0-9]/.test(first)) return false;
  if (isTimestamp(text) || BASE_60.test(text)) return true;
  const plain = text.replaceAll('_', '');
  if (parseInt64(plain, 0).error === undefined || parseUint(plain, 0).error === undefined) return true;
  if (FLOAT.test(plain) && parseFloat64(plain).error === undefined) return true;
  return /^-?0b[+-]?[01]+$/.test(plain);
}

/** True for text that go-yaml reads as a date or a time. */
export function isTimestamp(text: string): boolean {
  const match = DATE.exec(text) ?? DATE_TIME.exec(text);
  if (match === null) return false;
  const [, year = '', month = '', day = '', ...times] = match;
  const [hour = '0', minute = '0', second = '0'] = times[0] === undefined ? times.slice(5) : times;
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1) return false;
  const leap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1] ?? 0;
  return Number(day) <= days && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}

/** What libyaml's emitter finds out about a text before it chooses a style. */
interface Analysis {
  readonly multiline: boolean;
  readonly plain: boolean;
  readonly single: boolean;
  readonly block: boolean;
}

/** The style of a text; `isKey` for one in the place of a simple key. */
export function chooseStyle(text: string, isKey: boolean): ScalarStyle {
  const found = analyze(text);
  let style: ScalarStyle = text.includes('\n') ? 'literal' : readsAsOther(text) ? 'double' : 'plain';
  if (isKey && found.multiline) style = 'double';
  if (style === 'plain' && !found.plain) style = 'single';
  if (style === 'single' && !found.single) return 'double';
  return style === 'literal' && (!found.block || isKey) ? 'double' : style;
}

export function isMultiline(text: string): boolean {
  return analyze(text).multiline;
}

const FIRST_INDICATORS = '#,[]{}&*!|>\'"%@`';

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass with flags, as libyaml's yaml_emitter_analyze_scalar
function analyze(text: string): Analysis {
  if (text === '') return { multiline: false, plain: true, single: true, block: false };
  if (ORDINARY.test(text)) return analyzeOrdinary(text);
  let indicators = text.startsWith('---') || text.startsWith('...');
  let [breaks, special, breakSpace, spaceBreak] = [false, false, false, false];
  let [previousSpace, previousBreak, afterBlank] = [false, false, true];
  for (let at = 0; at < text.length; ) {
    const { width } = decodeRune(text, at);
    const character = text.slice(at, at + width);
    const beforeBlank = at + width >= text.length || isBlank(text[at + width]);
    if (isIndicator(character, at === 0, beforeBlank, afterBlank)) indicators = true;
    if (!isPrintable(character)) special = true;
    if (isByteBreak(character)) {
      breaks = true;
      if (previousSpace) spaceBreak = true;
      [previousSpace, previousBreak] = [false, true];
    } else if (character === ' ') {
      if (previousBreak) breakSpace = true;
      [previousSpace, previousBreak] = [true, false];
    } else [previousSpace, previousBreak] = [false, false];
    afterBlank = isBlank(character) || isByteBreak(character);
    at += width;
  }
  const [first, last] = [text[0] === ' ' || startsWithBreak(text), text.endsWith(' ') || previousBreak];
  const bad = spaceBreak || special;
  return {
    multiline: breaks,
    plain: !(indicators || first || last || breakSpace || bad || breaks),
    single: !(breakSpace || bad),
    block: !(text.endsWith(' ') || bad),
  };
}

const ORDINARY = /^[\n -~]*$/;
const BEGINS_SPECIAL = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?: |$)|---|\.\.\.)/;

/** The same for nearly every text: printable ASCII and line feeds. */
function analyzeOrdinary(text: string): Analysis {
  const multiline = text.includes('\n');
  const breakSpace = multiline && text.includes('\n ');
  const spaceBreak = multiline && text.includes(' \n');
  const indicators =
    BEGINS_SPECIAL.test(text) ||
    text.includes(': ') ||
    text.endsWith(':') ||
    text.includes(' #') ||
    (multiline && text.includes('\n#'));
  const edge = text.startsWith(' ') || text.endsWith(' ');
  return {
    multiline,
    plain: !(indicators || edge || multiline),
    single: !(breakSpace || spaceBreak),
    block: !(text.endsWith(' ') || spaceBreak),
  };
}

function isIndicator(character: string, isFirst: boolean, beforeBlank: boolean, afterBlank: boolean): boolean {
  if (!isFirst) return (character === ':' && beforeBlank) || (character === '#' && afterBlank);
  return FIRST_INDICATORS.includes(character) || (beforeBlank && '?:-'.includes(character));
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** Line breaks of YAML 1.1: CR, LF, U+0085, U+2028, U+2029. */
export function isByteBreak(character: string): boolean {
  return (
    character === '\n' ||
    character === '\r' ||
    character === '\xc2\x85' ||
    character === '\xe2\x80\xa8' ||
    character === '\xe2\x80\xa9'
  );
}

const LINE_START = /(\n|\xe2\x80[\xa8\xa9])(?!\n|\xe2\x80[\xa8\xa9]|$)/g;

/** Adds spaces after every line break that text follows. U+2028 and U+2029 are breaks too. */
export function indentLines(text: string, spaces: string): string {
  return text.replace(LINE_START, `$1${spaces}`);
}

/** The first and the last two characters of a text, empty where it is shorter. */
export function edges(text: string): { first: string; last: string; beforeLast: string } {
  const [, beforeLast = '', last = ''] = /(?:([^\x80-\xbf][\x80-\xbf]*))?([^\x80-\xbf][\x80-\xbf]*)$/.exec(text) ?? [];
  return { first: text.slice(0, decodeRune(text, 0).width), last, beforeLast };
}

function startsWithBreak(text: string): boolean {
  return isByteBreak(text.slice(0, decodeRune(text, 0).width));
}

/** libyaml's is_printable: not the byte order mark, nothing above U+FFFF, no control characters but LF. */
function isPrintable(character: string): boolean {
  if (character.length === 1) return character === '\n' || (character >= ' ' && character <= '~');
  if (character.length > 3) return false;
  if (character.length === 2) return character >= '\xc2\xa0';
  return character !== '\xef\xbb\xbf' && character !== '\xef\xbf\xbe' && character !== '\xef\xbf\xbf';
}

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0, '\\0'],
  [7, '\\a'],
  [8, '\\b'],
  [9, '\\t'],
  [10, '\\n'],
  [11, '\\v'],
  [12, '\\f'],
  [13, '\\r'],
  [27, '\\e'],
  [34, '\\"'],
  [92, '\\\\'],
  [0x85, '\\N'],
  [0xa0, '\\_'],
  [0x2028, '\\L'],
  [0x2029, '\\P'],
]);

export function doubleQuoted(text: string): string {
  // go-yaml compares with the start of the text, whatever the position of the byte order mark.
  const isMarked = text.startsWith('\xef\xbb\xbf');
  let result = '"';
  for (let at = 0; at < text.length; ) {
    const { rune, width } = decodeRune(text, at);
    const character = text.slice(at, at + width);
    const isPlain = isPrintable(character) && !isByteBreak(character) && character !== '"' && character !== '\\';
    if (isPlain && !isMarked) result += character;
    else result += ESCAPES.get(rune) ?? hexEscape(rune);
    at += width;
  }
  return `${result}"`;
}

function hexEscape(rune: number): string {
  const hex = rune.toString(16).toUpperCase();
  if (rune <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return rune <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

export function isValidUtf8(text: string): boolean {
  return isAscii(text) || toText(text) !== undefined;
}
