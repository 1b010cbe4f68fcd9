import { isPrint } from '../format/quote';
import { encodeRune } from '../value/bytes';

/** Characters as Go's template lexer sorts them. Texts are byte strings, runes code points. */
export function countNewlines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

export function isTemplateSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 10;
}

export function isAsciiDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

const LETTER_OR_DIGIT = /^[\p{L}\p{Nd}]$/u;

export function isAlphaNumericAscii(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}

export function isAlphaNumeric(rune: number): boolean {
  if (rune < 128) return isAlphaNumericAscii(rune);
  return LETTER_OR_DIGIT.test(String.fromCodePoint(rune));
}

/** Go's `%#U`, as a byte string: the character itself is shown when it can be printed. */
export function unicode(rune: number): string {
  const code = `U+${rune.toString(16).toUpperCase().padStart(4, '0')}`;
  return isPrint(rune) ? `${code} '${encodeRune(rune)}'` : code;
}
