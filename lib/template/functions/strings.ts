import { sprintf } from '../format/printf';
import { quote } from '../format/quote';
import { GoError } from '../template-error';
import { runesOf } from '../value/bytes';
import { STRING_MAP } from '../value/types';
import { lower, splitRunes, trimRunes, trimSpace, upper } from '../value/unicode';
import { GoMap, strings, type Value } from '../value/value';
import { type CallContext, fn, type GoFunctionTable, variadic } from './define';
import { strslice, strval } from './strval';
import { abbreviate, deleteSpaces, initials, swapCase, title, uncapitalize, wrapText } from './words';

/** Sprig's strings.go and the functions of Go's strings package that it uses. */
export const stringFunctions: GoFunctionTable = {
  hello: fn([], () => 'Hello!'),
  upper: fn(['string'], (_, text) => upper(text)),
  lower: fn(['string'], (_, text) => lower(text)),
  title: fn(['string'], (_, text) => title(text)),
  untitle: fn(['string'], (_, text) => uncapitalize(text)),
  trim: fn(['string'], (_, text) => trimSpace(text)),
  trimAll: fn(['string', 'string'], (_, cut, text) => trimCharacters(cut, text)),
  trimall: fn(['string', 'string'], (_, cut, text) => trimCharacters(cut, text)),
  trimSuffix: fn(['string', 'string'], (_, end, text) =>
    text.endsWith(end) ? text.slice(0, text.length - end.length) : text,
  ),
  trimPrefix: fn(['string', 'string'], (_, start, text) => (text.startsWith(start) ? text.slice(start.length) : text)),
  nospace: fn(['string'], (_, text) => deleteSpaces(text)),
  initials: fn(['string'], (_, text) => initials(text)),
  swapcase: fn(['string'], (_, text) => swapCase(text)),
  substr: fn(['int', 'int', 'string'], (_, start, end, text) => substring(start, end, text)),
  trunc: fn(['int', 'string'], (context, count, text) => truncate(context, count, text)),
  abbrev: fn(['int', 'string'], (_, width, text) => (width < 4 ? text : abbreviate(text, 0, width))),
  abbrevboth: fn(['int', 'int', 'string'], (_, left, right, text) =>
    right < 4 || (left > 0 && right < 7) ? text : abbreviate(text, left, right),
  ),
  repeat: fn(['int', 'string'], (context, count, text) => repeat(context, text, count)),
  indent: fn(['int', 'string'], (context, spaces, text) => indent(context, spaces, text)),
  nindent: fn(['int', 'string'], (context, spaces, text) => `\n${indent(context, spaces, text)}`),
  replace: fn(['string', 'string', 'string'], (context, old, by, text) => replaceAll(context, text, old, by)),
  contains: fn(['string', 'string'], (_, part, text) => text.includes(part)),
  hasPrefix: fn(['string', 'string'], (_, start, text) => text.startsWith(start)),
  hasSuffix: fn(['string', 'string'], (_, end, text) => text.endsWith(end)),
  plural: fn(['string', 'string', 'int'], (_, one, many, count) => (count === 1 ? one : many)),
  wrap: fn(['int', 'string'], (context, width, text) =>
    wrapText(context, text, { width, lineBreak: '\n', breakWords: false }),
  ),
  wrapWith: fn(['int', 'string', 'string'], (context, width, separator, text) =>
    wrapText(context, text, { width, lineBreak: separator === '' ? '\n' : separator, breakWords: true }),
  ),
  quote: variadic([], 'any', (context, ...values) =>
    present(values)
      .map((value) => quote(strval(value, context.budget)))
      .join(' '),
  ),
  squote: variadic([], 'any', (context, ...values) =>
    present(values)
      .map((value) => `'${strval(value, context.budget)}'`)
      .join(' '),
  ),
  cat: variadic([], 'any', (context, ...values) => {
    const shown = present(values);
    return sprintf(trimSpace('%v '.repeat(shown.length)), shown, context.budget);
  }),
  toString: fn(['any'], (context, value) => strval(value, context.budget)),
  toStrings: fn(['any'], (context, value) => strings(strslice(value, context.budget))),
  join: fn(['string', 'any'], (context, separator, value) => {
    const parts = strslice(value, context.budget);
    context.budget.allocate(separator.length * parts.length);
    return parts.join(separator);
  }),
  split: fn(['string', 'string'], (context, separator, text) => numbered(splitText(context, text, separator, -1))),
  splitn: fn(['string', 'int', 'string'], (context, separator, count, text) =>
    numbered(splitText(context, text, separator, count)),
  ),
  splitList: fn(['string', 'string'], (context, separator, text) => strings(splitText(context, text, separator, -1))),
};

function present(values: readonly Value[]): Value[] {
  return values.filter((value) => value !== null && value !== undefined);
}

function trimCharacters(cut: string, text: string): string {
  const runes = new Set(runesOf(cut));
  return trimRunes(text, (rune) => runes.has(rune));
}

function substring(start: number, end: number, text: string): string {
  if (start < 0) return bounded(text, 0, end);
  return end < 0 || end > text.length ? bounded(text, start, text.length) : bounded(text, start, end);
}

/** Go's text[start:end] with its panics. */
function bounded(text: string, start: number, end: number): string {
  if (end < 0) throw new GoError(`runtime error: slice bounds out of range [:${end}]`);
  if (end > text.length)
    throw new GoError(`runtime error: slice bounds out of range [:${end}] with length ${text.length}`);
  if (start > end) throw new GoError(`runtime error: slice bounds out of range [${start}:${end}]`);
  return text.slice(start, end);
}

function truncate(context: CallContext, count: number, text: string): string {
  if (context.compatibility === 'kudo019') return text.length <= count ? text : bounded(text, 0, count);
  if (count < 0 && text.length + count > 0) return text.slice(text.length + count);
  return count >= 0 && text.length > count ? text.slice(0, count) : text;
}

export function repeat(context: CallContext, text: string, count: number): string {
  if (count < 0) throw new GoError('strings: negative Repeat count');
  context.budget.allocate(text.length * count);
  return text.repeat(count);
}

function indent(context: CallContext, spaces: number, text: string): string {
  const padding = repeat(context, ' ', spaces);
  return padding + replaceAll(context, text, '\n', `\n${padding}`);
}

/** strings.ReplaceAll; an empty `old` matches before every code point and at the end. */
export function replaceAll(context: CallContext, text: string, old: string, by: string): string {
  const parts = old === '' ? ['', ...splitRunes(text), ''] : text.split(old);
  if (old === '' && text === '') parts.pop();
  context.budget.allocate(text.length + by.length * parts.length);
  return old === '' && text === '' ? by : parts.join(by);
}

/** strings.SplitN; an empty separator splits code points. */
export function splitText(context: CallContext, text: string, separator: string, count: number): string[] {
  if (count === 0) return [];
  const parts = separator === '' ? splitRunes(text) : text.split(separator);
  context.budget.allocate(parts.length * 16);
  if (count < 0 || parts.length <= count) return parts;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

function numbered(parts: readonly string[]): GoMap {
  return GoMap.of(
    STRING_MAP,
    parts.map((part, index) => [`_${index}`, part]),
  );
}
