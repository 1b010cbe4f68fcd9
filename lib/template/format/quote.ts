import { decodeRune, encodeRune } from '../value/bytes';

/**
 * Go's strconv.Quote and similar functions on byte strings.
 */
export function quote(bytes: string): string {
  return quoteWith(bytes, '"', false);
}

/** strconv.QuoteToASCII. */
export function quoteToAscii(bytes: string): string {
  return quoteWith(bytes, '"', true);
}

/** strconv.Quote of the first `count` code points (`%.10q`). */
export function quotePrefix(bytes: string, count: number): string {
  let at = 0;
  for (let seen = 0; seen < count && at < bytes.length; seen++) at += decodeRune(bytes, at).width;
  return quote(bytes.slice(0, at));
}

/** strconv.QuoteRune, or QuoteRuneToASCII. */
export function quoteRune(rune: number, asciiOnly: boolean): string {
  const valid = rune >= 0 && rune <= 0x10ffff && !(rune >= 0xd800 && rune < 0xe000);
  return `'${escapeRune(valid ? rune : 0xfffd, "'", asciiOnly)}'`;
}

/** strconv.CanBackquote. */
export function canBackquote(bytes: string): boolean {
  for (let at = 0; at < bytes.length; ) {
    const { rune, width } = decodeRune(bytes, at);
    at += width;
    if (
      (rune === 0xfffd && width === 1) ||
      rune === 0xfeff ||
      rune === 0x60 ||
      rune === 0x7f ||
      (rune < 32 && rune !== 9)
    )
      return false;
  }
  return true;
}

const PLAIN = /^[ !#-[\]-~]*$/;

function quoteWith(bytes: string, mark: string, asciiOnly: boolean): string {
  if (PLAIN.test(bytes)) return mark + bytes + mark;
  let result = mark;
  for (let at = 0; at < bytes.length; ) {
    const { rune, width } = decodeRune(bytes, at);
    if (rune === 0xfffd && width === 1) result += `\\x${hex(bytes.charCodeAt(at), 2)}`;
    else result += escapeRune(rune, mark, asciiOnly);
    at += width;
  }
  return result + mark;
}

const SHORT: ReadonlyMap<number, string> = new Map([
  [7, '\\a'],
  [8, '\\b'],
  [12, '\\f'],
  [10, '\\n'],
  [13, '\\r'],
  [9, '\\t'],
  [11, '\\v'],
]);

function escapeRune(rune: number, mark: string, asciiOnly: boolean): string {
  if (rune === mark.charCodeAt(0) || rune === 92) return `\\${String.fromCharCode(rune)}`;
  if (asciiOnly ? rune < 128 && isPrint(rune) : isPrint(rune)) return encodeRune(rune);
  const short = SHORT.get(rune);
  if (short !== undefined) return short;
  if (rune < 32 || rune === 0x7f) return `\\x${hex(rune, 2)}`;
  return rune < 0x10000 ? `\\u${hex(rune, 4)}` : `\\U${hex(rune, 8)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;

/** strconv.IsPrint: letters, marks, numbers, punctuation, symbols, and the ASCII space. */
export function isPrint(rune: number): boolean {
  if (rune < 128) return rune >= 32 && rune < 127;
  return PRINTABLE.test(String.fromCodePoint(rune));
}
