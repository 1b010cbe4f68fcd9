import { decodeRune, encodeRune } from '../value/bytes';

/** One character of a Go literal: a code point, or one raw byte (`\xff`, `\377`), and where the rest begins. */
export interface Unquoted {
  readonly bytes: string;
  readonly rune: number;
  readonly end: number;
}

const SIMPLE: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
  ['\\', 92],
]);

const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** Go's strconv.UnquoteChar on a byte string; undefined is Go's `invalid syntax`. */
export function unquoteCharacter(text: string, at: number, mark: string): Unquoted | undefined {
  const first = text[at];
  if (first === undefined || first === mark) return undefined;
  if (first !== '\\') {
    const { rune, width } = decodeRune(text, at);
    return { bytes: text.slice(at, at + width), rune, end: at + width };
  }
  const kind = text[at + 1];
  if (kind === undefined) return undefined;
  const simple = SIMPLE.get(kind);
  if (simple !== undefined) return single(simple, at + 2);
  const digits = HEX_DIGITS.get(kind);
  if (digits !== undefined) return unquoteHex(text, at + 2, digits);
  if (kind >= '0' && kind <= '7') return unquoteOctal(text, at + 1);
  if ((kind === "'" || kind === '"') && kind === mark) return single(kind.charCodeAt(0), at + 2);
  return undefined;
}

function single(code: number, end: number): Unquoted {
  return { bytes: String.fromCharCode(code), rune: code, end };
}

function unquoteHex(text: string, start: number, digits: number): Unquoted | undefined {
  const part = text.slice(start, start + digits);
  if (part.length !== digits || !/^[0-9a-fA-F]+$/.test(part)) return undefined;
  const rune = Number.parseInt(part, 16);
  if (digits === 2) return single(rune, start + 2);
  if (rune > 0x10ffff || (rune >= 0xd800 && rune < 0xe000)) return undefined;
  return { bytes: encodeRune(rune), rune, end: start + digits };
}

function unquoteOctal(text: string, start: number): Unquoted | undefined {
  const part = text.slice(start, start + 3);
  if (!/^[0-7]{3}$/.test(part)) return undefined;
  const rune = Number.parseInt(part, 8);
  return rune > 255 ? undefined : single(rune, start + 3);
}

/** Go's strconv.Unquote of a string or raw string literal; undefined is Go's `invalid syntax`. */
export function unquote(literal: string): string | undefined {
  const mark = literal[0];
  if (mark === '`') return literal.slice(1, -1).replaceAll('\r', '');
  let result = '';
  const end = literal.length - 1;
  for (let at = 1; at < end; ) {
    if (literal[at] === '\n') return undefined;
    const next = unquoteCharacter(literal, at, '"');
    if (next === undefined) return undefined;
    result += next.bytes;
    at = next.end;
  }
  return result;
}
