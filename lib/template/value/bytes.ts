/**
 * Go's strings are bytes. Inside the engine every string is a "byte string": a JavaScript string whose characters are
 * the bytes 0 to 255 of the UTF-8 text. ASCII text is the same in both, `length` is Go's `len`, `<` is Go's order.
 * This file is the border between text and byte strings, and holds what Go's unicode/utf8 does.
 */

const NON_ASCII = /[^\0-\x7f]/;
const encoder = new TextEncoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const RUNE_ERROR = 0xfffd;

/** True when a text or byte string is ASCII only, so that both forms are the same. */
export function isAscii(text: string): boolean {
  const { length } = text;
  // For short texts a loop is faster than a regular expression.
  if (length > 40) return !NON_ASCII.test(text);
  for (let index = 0; index < length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

/** The byte string of a text. A lone surrogate becomes U+FFFD. */
export function toBytes(text: string): string {
  return NON_ASCII.test(text) ? fromArray(encoder.encode(text)) : text;
}

/** The text of a byte string, or undefined when it is not valid UTF-8. */
export function toText(bytes: string): string | undefined {
  if (!NON_ASCII.test(bytes)) return bytes;
  try {
    return strictDecoder.decode(toArray(bytes));
  } catch {
    return undefined;
  }
}

/** The text of a byte string; what is not valid UTF-8 becomes U+FFFD. */
export function toLooseText(bytes: string): string {
  return NON_ASCII.test(bytes) ? lenientDecoder.decode(toArray(bytes)) : bytes;
}

/** The bytes themselves. */
export function toArray(bytes: string): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(bytes.length);
  for (let index = 0; index < bytes.length; index++) result[index] = bytes.charCodeAt(index);
  return result;
}

const CHUNK = 8192;

/** A byte string of an array of bytes. */
export function fromArray(array: Uint8Array): string {
  let result = '';
  for (let start = 0; start < array.length; start += CHUNK) {
    result += String.fromCharCode(...array.subarray(start, start + CHUNK));
  }
  return result;
}

/** One decoded code point: its value (U+FFFD for a byte that is not UTF-8) and its width in bytes. */
export interface Rune {
  readonly rune: number;
  readonly width: number;
}

/** Go's utf8.DecodeRuneInString at a position inside the string. */
export function decodeRune(bytes: string, at: number): Rune {
  const first = bytes.charCodeAt(at);
  if (first < 0x80) return { rune: first, width: 1 };
  const width = widthOf(first);
  if (width === 0 || at + width > bytes.length) return INVALID;
  let rune = first & (0x7f >> width);
  for (let index = 1; index < width; index++) {
    const next = bytes.charCodeAt(at + index);
    if ((next & 0xc0) !== 0x80) return INVALID;
    rune = (rune << 6) | (next & 0x3f);
  }
  const minimum = width === 2 ? 0x80 : width === 3 ? 0x800 : 0x10000;
  if (rune < minimum || rune > 0x10ffff || (rune >= 0xd800 && rune < 0xe000)) return INVALID;
  return { rune, width };
}

/** The bytes of a character by its first one; 0 when no character of more than one byte begins with it. */
function widthOf(first: number): 0 | 2 | 3 | 4 {
  if (first < 0xc2 || first >= 0xf5) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

const INVALID: Rune = { rune: RUNE_ERROR, width: 1 };

/** The code points of a byte string, as Go's `range` and `[]rune` give them. */
export function runesOf(bytes: string): number[] {
  const result: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { rune, width } = decodeRune(bytes, at);
    result.push(rune);
    at += width;
  }
  return result;
}

/** Go's utf8.RuneCountInString. */
export function runeCount(bytes: string): number {
  return NON_ASCII.test(bytes) ? runesOf(bytes).length : bytes.length;
}

/** The byte string of one code point; one that is not valid gives U+FFFD, as in Go. */
export function encodeRune(rune: number): string {
  if (rune >= 0 && rune < 0x80) return String.fromCharCode(rune);
  if (rune < 0 || rune > 0x10ffff || (rune >= 0xd800 && rune < 0xe000)) return '\xef\xbf\xbd';
  return toBytes(String.fromCodePoint(rune));
}

/** The byte string of code points. */
export function encodeRunes(runes: readonly number[]): string {
  let result = '';
  for (const rune of runes) result += rune < 0x80 && rune >= 0 ? String.fromCharCode(rune) : encodeRune(rune);
  return result;
}

/** Applies a function on text to a byte string code point by code point; invalid bytes become U+FFFD. */
export function mapText(bytes: string, change: (text: string) => string): string {
  return isAscii(bytes) ? toBytes(change(bytes)) : toBytes(change(toLooseText(bytes)));
}
