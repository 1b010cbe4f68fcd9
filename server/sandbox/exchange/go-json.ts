import { messageOf } from '@/lib/errors/errors';
import type { JsonValue } from '@/lib/json/json';

/** Parses JSON; throws what `refuse` makes of the words that Go's encoding/json has for the fault. */
export function parseJsonAsGo(text: string, refuse: (why: string) => Error): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw refuse(goWords(text, messageOf(error)));
  }
}

/** The beginning of what V8 says, and what Go says in its place after the character. */
const WORDS = [
  [/^Expected (property|double-quoted)/, 'looking for beginning of object key string'],
  [/^Expected ':'/, 'after object key'],
  [/^Expected ',' or '}'/, 'after object key:value pair'],
  [/^Expected ',' or '\]'/, 'after array element'],
  [/^Bad control/, 'in string literal'],
  [/^Unexpected non-whitespace/, 'after top-level value'],
  [/^/, 'looking for beginning of value'],
] as const;

function goWords(text: string, message: string): string {
  const at = /at position (\d+)/.exec(message)?.[1];
  const char = at === undefined ? /^Unexpected token '(.)'/su.exec(message)?.[1] : text[Number(at)];
  if (char === undefined) return 'unexpected end of JSON input';
  const word = ['true', 'false', 'null'].find((each) => at === undefined && each[0] === text.trimStart()[0]);
  const expected = [...(word ?? '')].find((each, index) => text.trimStart()[index] !== each);
  const where =
    expected === undefined
      ? WORDS.find(([start]) => start.test(message))?.[1]
      : `in literal ${word} (expecting '${expected}')`;
  return `invalid character ${quote(char)} ${where}`;
}

/** A character in Go's single quotes. */
function quote(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return `'\\u${code.toString(16).padStart(4, '0')}'`;
  return char === "'" ? `'\\''` : `'${char}'`;
}
