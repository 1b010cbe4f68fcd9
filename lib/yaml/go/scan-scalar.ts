import { type Cursor, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, type Mark, NUL } from './cursor';

const [TAB, SPACE, DOUBLE, SINGLE, COMMA, COLON, QUESTION, BACKSLASH] = [9, 32, 34, 39, 44, 58, 63, 92];

/** A literal (`|`) or folded (`>`) block. `indent` is the column of the block around it, -1 at the top. */
export function scanBlockScalar(cursor: Cursor, around: number): string {
  const start = cursor.mark();
  const isLiteral = cursor.code() === 0x7c;
  cursor.skip();
  const { chomp, increment } = scanBlockHeader(cursor, start);
  let indent = increment === 0 ? 0 : Math.max(around, 0) + increment;
  let breaks = '';
  [indent, breaks] = scanBlockBreaks(cursor, indent, around, start);
  let [text, lineBreak] = ['', ''];
  let wasBlank = false;
  while (cursor.column === indent && cursor.code() !== NUL) {
    const beginsBlank = isBlank(cursor.code());
    const isFolded = !isLiteral && lineBreak === '\n' && !wasBlank && !beginsBlank;
    text += isFolded ? (breaks === '' ? ' ' : breaks) : lineBreak + breaks;
    wasBlank = beginsBlank;
    const from = cursor.index;
    while (!isBreakOrEnd(cursor.code())) cursor.skip();
    text += cursor.since(from);
    lineBreak = isBreak(cursor.code()) ? cursor.takeBreak() : '';
    [indent, breaks] = scanBlockBreaks(cursor, indent, around, start);
  }
  if (chomp === '-') return text;
  return chomp === '+' ? text + lineBreak + breaks : text + lineBreak;
}

/** The header after `|` or `>`: indentation indicator, chomping indicator, comment. */
function scanBlockHeader(cursor: Cursor, start: Mark): { chomp: '' | '+' | '-'; increment: number } {
  let chomp: '' | '+' | '-' = '';
  let increment = 0;
  const scanChomp = (): void => {
    if (cursor.code() !== 0x2b && cursor.code() !== 0x2d) return;
    chomp = cursor.code() === 0x2b ? '+' : '-';
    cursor.skip();
  };
  scanChomp();
  if (cursor.code() >= 0x30 && cursor.code() <= 0x39) {
    increment = cursor.code() - 0x30;
    if (increment === 0) throw cursor.error('found an indentation indicator equal to 0', start);
    cursor.skip();
    if (chomp === '') scanChomp();
  }
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.code())) throw cursor.error('did not find expected comment or line break', start);
  if (isBreak(cursor.code())) cursor.takeBreak();
  return { chomp, increment };
}

/** Over empty lines and the indentation of the next line. An indentation of 0 is found out. */
function scanBlockBreaks(cursor: Cursor, known: number, around: number, start: Mark): [number, string] {
  let breaks = '';
  let deepest = 0;
  for (;;) {
    while ((known === 0 || cursor.column < known) && cursor.code() === SPACE) cursor.skip();
    deepest = Math.max(deepest, cursor.column);
    if ((known === 0 || cursor.column < known) && cursor.code() === TAB) {
      throw cursor.error('found a tab character where an indentation space is expected', start);
    }
    if (!isBreak(cursor.code())) break;
    breaks += cursor.takeBreak();
  }
  return [known === 0 ? Math.max(deepest, around + 1, 1) : known, breaks];
}

/** White space inside of a plain or quoted text: blanks of one line, or line breaks, of which the first one folds. */
class Gap {
  private blanks = '';
  private first = '';
  private more = '';
  hasBreak = false;

  /** Over blanks and breaks. `tabs` is the column before which a tab is wrong. */
  scan(cursor: Cursor, tabs: number, start: Mark): void {
    for (;;) {
      const code = cursor.code();
      if (isBlank(code)) {
        if (this.hasBreak && cursor.column < tabs && code === TAB) {
          throw cursor.error('found a tab character that violates indentation', start);
        }
        if (!this.hasBreak) this.blanks += String.fromCharCode(code);
        cursor.skip();
      } else if (isBreak(code)) {
        if (this.hasBreak) this.more += cursor.takeBreak();
        else this.first = cursor.takeBreak();
        this.hasBreak = true;
      } else return;
    }
  }

  /** The value of white space after folding. */
  take(): string {
    const folded =
      this.first === '\n' || this.first === '' ? this.more || (this.first === '' ? '' : ' ') : this.first + this.more;
    const text = this.hasBreak ? folded : this.blanks;
    this.blanks = '';
    this.first = '';
    this.more = '';
    this.hasBreak = false;
    return text;
  }
}

/** A plain scalar. `indent` is the minimum column of its lines; `isAtLineStart`: it ended after a line break. */
export function scanPlain(cursor: Cursor, indent: number, isFlow: boolean): { text: string; isAtLineStart: boolean } {
  const start = cursor.mark();
  const gap = new Gap();
  let text = '';
  for (;;) {
    if (cursor.isAtDocumentMark() || cursor.code() === 0x23) break;
    const from = cursor.index;
    while (!isBlankOrEnd(cursor.code()) && !endsPlain(cursor, isFlow)) cursor.skip();
    if (cursor.index > from) text += gap.take() + cursor.since(from);
    if (!isBlank(cursor.code()) && !isBreak(cursor.code())) break;
    gap.scan(cursor, indent, start);
    if (!isFlow && cursor.column < indent) break;
  }
  return { text, isAtLineStart: gap.hasBreak };
}

function endsPlain(cursor: Cursor, isFlow: boolean): boolean {
  const code = cursor.code();
  if (code === COLON && isBlankOrEnd(cursor.code(1))) return true;
  return isFlow && (code === COMMA || code === QUESTION || isBracket(code));
}

function isBracket(code: number): boolean {
  return code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d;
}

/** A text in single or double quotes. */
export function scanQuoted(cursor: Cursor): string {
  const start = cursor.mark();
  const quote = cursor.code();
  cursor.skip();
  let text = '';
  for (;;) {
    if (cursor.isAtDocumentMark()) throw cursor.error('found unexpected document indicator', start);
    if (cursor.code() === NUL) throw cursor.error('found unexpected end of stream', start);
    const gap = new Gap();
    text += scanQuotedWord(cursor, quote, gap, start);
    if (cursor.code() === quote) break;
    gap.scan(cursor, 0, start);
    text += gap.take();
  }
  cursor.skip();
  return text;
}

/** Up to white space or the closing quote. An escaped line break is removed. */
function scanQuotedWord(cursor: Cursor, quote: number, gap: Gap, start: Mark): string {
  let text = '';
  let from = cursor.index;
  while (!isBlankOrEnd(cursor.code())) {
    const code = cursor.code();
    if (code === quote) {
      if (quote !== SINGLE || cursor.code(1) !== SINGLE) break;
      text += `${cursor.since(from)}'`;
      cursor.skip(2);
      from = cursor.index;
    } else if (code === BACKSLASH && quote === DOUBLE) {
      text += cursor.since(from);
      cursor.skip();
      if (isBreak(cursor.code())) {
        cursor.takeBreak();
        gap.hasBreak = true;
        return text;
      }
      text += scanEscape(cursor, start);
      from = cursor.index;
    } else cursor.skip();
  }
  return text + cursor.since(from);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ...Object.entries({
    0: '\0',
    a: '\x07',
    b: '\b',
    t: '\t',
    '\t': '\t',
    n: '\n',
    v: '\v',
    f: '\f',
    r: '\r',
    e: '\x1b',
  }),
  ...Object.entries({ ' ': ' ', '"': '"', "'": "'", '\\': '\\', N: '\x85', _: '\xa0', L: '\u2028', P: '\u2029' }),
]);
const DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** The escape sequence after a backslash. */
function scanEscape(cursor: Cursor, start: Mark): string {
  const name = String.fromCharCode(cursor.code());
  const known = ESCAPES.get(name);
  const digits = DIGITS.get(name) ?? 0;
  if (known === undefined && digits === 0) {
    // libyaml names the place of the backslash.
    throw cursor.error('found unknown escape character', start);
  }
  cursor.skip();
  if (known !== undefined) return known;
  const from = cursor.index;
  for (let count = 0; count < digits; count++) {
    if (!/[0-9a-fA-F]/.test(String.fromCharCode(cursor.code()))) {
      throw cursor.error('did not find expected hexdecimal number', start);
    }
    cursor.skip();
  }
  const value = Number.parseInt(cursor.since(from), 16);
  if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) {
    throw cursor.error('found invalid Unicode character escape code', start);
  }
  return String.fromCodePoint(value);
}
