import { encodeRune, encodeRunes } from '../value/bytes';
import * as unicode from '../value/unicode';
import type { CallContext } from './define';

/** Masterminds/goutils and strings.Title: Sprig's functions on words. */

/** strings.Title: the first letter of every word as a title letter. */
export function title(bytes: string): string {
  let previous = 32;
  return unicode.mapRunes(bytes, (rune) => {
    const result = isSeparator(previous) ? unicode.toTitle(rune) : rune;
    previous = rune;
    return result;
  });
}

function isSeparator(rune: number): boolean {
  if (rune < 128) return !/[A-Za-z0-9_]/.test(String.fromCharCode(rune));
  return !unicode.isLetter(rune) && !unicode.isDigit(rune) && unicode.isSpace(rune);
}

/** The first character of every word in lower case. */
export function uncapitalize(bytes: string): string {
  let atStart = true;
  return unicode.mapRunes(bytes, (rune) => {
    const result = atStart && !unicode.isSpace(rune) ? unicode.toLower(rune) : rune;
    atStart = unicode.isSpace(rune);
    return result;
  });
}

/** goutils treats bytes as characters here: in a text that changes, the other bytes are encoded twice. */
export function deleteSpaces(bytes: string): string {
  const kept = Array.from(bytes, (byte) => byte.charCodeAt(0)).filter((code) => !unicode.isSpace(code));
  return kept.length === bytes.length ? bytes : encodeRunes(kept);
}

/** The first byte of every word, as a character (as goutils does). */
export function initials(bytes: string): string {
  let result = '';
  let afterGap = true;
  for (const byte of bytes) {
    const code = byte.charCodeAt(0);
    if (unicode.isSpace(code)) afterGap = true;
    else if (afterGap) {
      result += encodeRune(code);
      afterGap = false;
    }
  }
  return result;
}

export function swapCase(bytes: string): string {
  let afterSpace = true;
  return unicode.mapRunes(bytes, (rune) => {
    if (unicode.isUpper(rune) || unicode.isTitle(rune)) {
      afterSpace = false;
      return unicode.toLower(rune);
    }
    if (!unicode.isLower(rune)) {
      afterSpace = unicode.isSpace(rune);
      return rune;
    }
    const result = afterSpace ? unicode.toTitle(rune) : unicode.toUpper(rune);
    afterSpace = false;
    return result;
  });
}

/** goutils.AbbreviateFull: `...` for omitted text on the right, and on the left after `offset`. */
export function abbreviate(text: string, offset: number, width: number): string {
  if (text === '' || text.length <= width) return text;
  let start = Math.min(offset, text.length);
  if (text.length - start < width - 3) start = text.length - (width - 3);
  if (start <= 4) return `${text.slice(0, width - 3)}...`;
  if (width < 7) return '';
  if (start + width - 3 < text.length) {
    const rest = text.slice(start);
    return `...${width - 3 < 4 ? '' : abbreviate(rest, 0, width - 3)}`;
  }
  return `...${text.slice(text.length - (width - 3))}`;
}

interface Wrapping {
  /** Bytes of a line; less than 1 counts as 1. */
  readonly width: number;
  readonly lineBreak: string;
  /** Breaks words that are longer than a line too. */
  readonly breakWords: boolean;
}

/** goutils.WrapCustom: breaks lines at spaces. */
export function wrapText(context: CallContext, text: string, wrapping: Wrapping): string {
  const { lineBreak, breakWords } = wrapping;
  const width = Math.max(1, wrapping.width);
  let result = '';
  let offset = 0;
  const emit = (end: number, next: number): void => {
    context.budget.step();
    context.budget.allocate(end - offset + lineBreak.length);
    result += text.slice(offset, end) + lineBreak;
    offset = next;
  };
  while (text.length - offset > width) {
    if (text[offset] === ' ') {
      offset++;
      continue;
    }
    const space = text.slice(offset, offset + width + 1).lastIndexOf(' ');
    if (space >= 0) emit(offset + space, offset + space + 1);
    else if (breakWords) emit(offset + width, offset + width);
    else {
      const next = text.indexOf(' ', offset + width);
      if (next < 0) return result + text.slice(offset);
      emit(next, next + 1);
    }
  }
  return result + text.slice(offset);
}
