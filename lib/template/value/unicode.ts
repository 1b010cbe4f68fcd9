import { encodeRunes, isAscii, runesOf } from './bytes';

/** Go's unicode package for single code points: simple case mapping, never one to many. */
const GREEK_IOTA = /^[\u1f80-\u1f87\u1f90-\u1f97\u1fa0-\u1fa7]$/;
const TITLE: ReadonlyMap<number, number> = new Map([
  [0x1c4, 0x1c5],
  [0x1c6, 0x1c5],
  [0x1c7, 0x1c8],
  [0x1c9, 0x1c8],
  [0x1ca, 0x1cb],
  [0x1cc, 0x1cb],
  [0x1f1, 0x1f2],
  [0x1f3, 0x1f2],
]);
const UPPER: ReadonlyMap<number, number> = new Map([
  [0x1fb3, 0x1fbc],
  [0x1fc3, 0x1fcc],
  [0x1ff3, 0x1ffc],
]);

function single(rune: number, mapped: string): number {
  const first = mapped.codePointAt(0) ?? rune;
  return mapped.length === (first > 0xffff ? 2 : 1) ? first : rune;
}

export function toUpper(rune: number): number {
  const text = String.fromCodePoint(rune);
  return UPPER.get(rune) ?? (GREEK_IOTA.test(text) ? rune + 8 : single(rune, text.toUpperCase()));
}

export function toLower(rune: number): number {
  return rune === 0x130 ? 0x69 : single(rune, String.fromCodePoint(rune).toLowerCase());
}

export function toTitle(rune: number): number {
  return TITLE.get(rune) ?? (rune >= 0x10d0 && rune <= 0x10ff ? rune : toUpper(rune));
}

const CLASSES = { letter: /^\p{L}$/u, upper: /^\p{Lu}$/u, lower: /^\p{Ll}$/u, title: /^\p{Lt}$/u, digit: /^\p{Nd}$/u };

function is(kind: RegExp, rune: number): boolean {
  return kind.test(String.fromCodePoint(rune));
}

export const isLetter = (rune: number): boolean => is(CLASSES.letter, rune);
export const isUpper = (rune: number): boolean => is(CLASSES.upper, rune);
export const isLower = (rune: number): boolean => is(CLASSES.lower, rune);
export const isTitle = (rune: number): boolean => is(CLASSES.title, rune);
export const isDigit = (rune: number): boolean => is(CLASSES.digit, rune);

export function isSpace(rune: number): boolean {
  if (rune < 256) return (rune >= 9 && rune <= 13) || rune === 32 || rune === 0x85 || rune === 0xa0;
  return (
    rune === 0x1680 ||
    (rune >= 0x2000 && rune <= 0x200a) ||
    rune === 0x2028 ||
    rune === 0x2029 ||
    rune === 0x202f ||
    rune === 0x205f ||
    rune === 0x3000
  );
}

/** Maps every code point of a byte string. */
export function mapRunes(bytes: string, change: (rune: number) => number): string {
  return encodeRunes(runesOf(bytes).map(change));
}

export function upper(bytes: string): string {
  return isAscii(bytes) ? bytes.toUpperCase() : mapRunes(bytes, toUpper);
}

export function lower(bytes: string): string {
  return isAscii(bytes) ? bytes.toLowerCase() : mapRunes(bytes, toLower);
}

/** strings.TrimSpace. */
export function trimSpace(bytes: string): string {
  if (!isAscii(bytes)) return trimRunes(bytes, isSpace);
  let [start, end] = [0, bytes.length];
  while (start < end && isSpace(bytes.charCodeAt(start))) start++;
  while (end > start && isSpace(bytes.charCodeAt(end - 1))) end--;
  return bytes.slice(start, end);
}

/** strings.TrimFunc; bytes that are not UTF-8 count as U+FFFD. */
export function trimRunes(bytes: string, isTrimmed: (rune: number) => boolean): string {
  const runes = splitRunes(bytes);
  let [start, end] = [0, runes.length];
  while (start < end && isTrimmed(runesOf(runes[start] ?? '')[0] ?? 0)) start++;
  while (end > start && isTrimmed(runesOf(runes[end - 1] ?? '')[0] ?? 0)) end--;
  return runes.slice(start, end).join('');
}

/** The byte strings of the single code points; a byte that is not UTF-8 is one of its own. */
export function splitRunes(bytes: string): string[] {
  if (isAscii(bytes)) return bytes.split('');
  const result: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const code = bytes.charCodeAt(at);
    let width = code < 0xc0 ? 1 : code < 0xe0 ? 2 : code < 0xf0 ? 3 : 4;
    if (width > 1 && runesOf(bytes.slice(at, at + width)).length !== 1) width = 1;
    result.push(bytes.slice(at, at + width));
    at += width;
  }
  return result;
}
