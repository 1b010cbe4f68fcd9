import type { JsonValue } from '@/lib/json/json';
import { formatFloat } from './format-float';

/**
 * YAML as yaml.v2 2.3.0 writes it, byte for byte: the text that dependency hashes are made of (engine 4.4). Block style,
 * two spaces, list dashes at the column of their key, no folding, keys in natural order. Not for people to read:
 * lib/yaml writes what people read.
 */
export function canonicalYaml(value: JsonValue): string {
  if (isBlock(value)) return block(value, 0);
  return `${scalar(value, 0)}\n`;
}

function isBlock(value: JsonValue | undefined): value is JsonValue[] | { [key: string]: JsonValue } {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

function block(value: JsonValue[] | { [key: string]: JsonValue }, indent: number): string {
  const pad = ' '.repeat(indent);
  if (Array.isArray(value)) {
    return value
      .map((item) => {
        if (!isBlock(item)) return `${pad}- ${scalar(item, indent)}\n`;
        return `${pad}- ${block(item, indent + 2).slice(indent + 2)}`;
      })
      .join('');
  }
  return Object.keys(value)
    .sort(compareNaturally)
    .map((key) => {
      const member = value[key];
      const head = `${pad}${text(key, indent)}:`;
      if (!isBlock(member)) return `${head} ${scalar(member ?? null, indent)}\n`;
      return `${head}\n${block(member, Array.isArray(member) ? indent : indent + 2)}`;
    })
    .join('');
}

function scalar(value: JsonValue, indent: number): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return text(value, indent);
  return Array.isArray(value) ? '[]' : '{}';
}

/** Integers in digits, floats in Go's shortest `%g` form. */
function number(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return BigInt(value).toString();
  return formatFloat(value);
}

/** A string in the style that yaml.v2 chooses: the first rule that fits (engine 4.4). */
function text(value: string, indent: number): string {
  if (needsEscapes(value)) return doubleQuoted(value);
  if (value.includes('\n')) return literal(value, indent);
  if (readsAsOther(value)) return doubleQuoted(value);
  if (!isPlain(value)) return `'${value.replaceAll("'", "''")}'`;
  return value;
}

function needsEscapes(value: string): boolean {
  for (const character of value) {
    if (character !== '\n' && !isPrintable(character.codePointAt(0) ?? 0)) return true;
  }
  return value.includes('\n') && (/ \n/.test(value) || value.endsWith(' '));
}

function isPrintable(code: number): boolean {
  if (code >= 0x20 && code <= 0x7e) return true;
  if (code < 0xa0 || code > 0xffff) return false;
  const isBreak = code === 0x2028 || code === 0x2029;
  const isExcluded = code === 0xfeff || code === 0xfffe || code === 0xffff || (code >= 0xd800 && code <= 0xdfff);
  return !isBreak && !isExcluded;
}

const SHORT_ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x00, '\\0'],
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x1b, '\\e'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
  [0x85, '\\N'],
  [0x2028, '\\L'],
  [0x2029, '\\P'],
]);

function doubleQuoted(value: string): string {
  let result = '"';
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    const short = SHORT_ESCAPES.get(code);
    if (short !== undefined) result += short;
    else if (isPrintable(code)) result += character;
    else if (code <= 0xff) result += `\\x${hex(code, 2)}`;
    else if (code <= 0xffff) result += `\\u${hex(code, 4)}`;
    else result += `\\U${hex(code, 8)}`;
  }
  return `${result}"`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).toUpperCase().padStart(digits, '0');
}

function literal(value: string, indent: number): string {
  const hint = value.startsWith(' ') || value.startsWith('\n') ? '2' : '';
  const trailing = /\n*$/.exec(value)?.[0].length ?? 0;
  const chomp = trailing === 0 ? '-' : trailing === 1 ? '' : '+';
  const pad = ' '.repeat(indent + 2);
  const lines = (trailing === 0 ? value : value.slice(0, -1)).split('\n');
  const body = lines.map((line) => (line === '' ? '' : pad + line)).join('\n');
  return `|${hint}${chomp}\n${body}`;
}

const WORDS: ReadonlySet<string> = new Set([
  ...['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null'].flatMap((word) => [
    word,
    word.charAt(0).toUpperCase() + word.slice(1),
    word.toUpperCase(),
  ]),
  ...['', '~'],
  ...['.nan', '.NaN', '.NAN'],
  ...['', '+', '-'].flatMap((sign) => ['.inf', '.Inf', '.INF'].map((word) => sign + word)),
]);

const NUMBERS: readonly RegExp[] = [
  /^[-+]?[0-9]+$/,
  /^[-+]?0[xX][0-9a-fA-F]+$/,
  /^[-+]?0[bB][01]+$/,
  /^[-+]?0[oO][0-7]+$/,
  /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/,
];
const BASE_60 = /^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$/;
const TIMESTAMP =
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(\.[0-9]*)?(Z|[-+][0-9]{2}:[0-9]{2})?)?$/;

/** True when YAML 1.1 would read the unquoted text as a bool, null, number or time. */
function readsAsOther(value: string): boolean {
  if (WORDS.has(value) || BASE_60.test(value) || TIMESTAMP.test(value)) return true;
  const first = value.charAt(0);
  if (!/[-+.0-9]/.test(first)) return false;
  const digits = value.replaceAll('_', '');
  return NUMBERS.some((pattern) => pattern.test(digits));
}

function isPlain(value: string): boolean {
  if (/^[#,[\]{}&*!|>'"%@`]/.test(value) || value.startsWith('---') || value.startsWith('...')) return false;
  if (/^[-?:]( |$)/.test(value)) return false;
  if (value.includes(': ') || value.includes(' #') || value.endsWith(':')) return false;
  return !value.startsWith(' ') && !value.endsWith(' ');
}

/** yaml.v2's order of keys: runs of digits as numbers, a non-letter before a letter, else by code point. */
function compareNaturally(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  for (let index = 0; index < left.length && index < right.length; index++) {
    const x = left[index] ?? '';
    const y = right[index] ?? '';
    if (x === y) continue;
    const xIsLetter = /\p{L}/u.test(x);
    const yIsLetter = /\p{L}/u.test(y);
    if (xIsLetter && yIsLetter) return codeOrder(x, y);
    if (xIsLetter || yIsLetter) return yIsLetter ? -1 : 1;
    return compareNumbers(left, right, index) ?? codeOrder(x, y);
  }
  return left.length - right.length;
}

function codeOrder(x: string, y: string): number {
  return (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);
}

/** Both texts differ first at `index`; digit runs that begin there are compared as numbers (yaml.v2 keyList.Less). */
function compareNumbers(left: readonly string[], right: readonly string[], index: number): number | undefined {
  const isDigit = (character: string | undefined): boolean => character !== undefined && /\p{Nd}/u.test(character);
  if (left[index] === '0' || right[index] === '0') {
    for (let before = index - 1; before >= 0 && isDigit(left[before]); before--) {
      if (left[before] !== '0') {
        return lengthOfRun(left, index, isDigit) - lengthOfRun(right, index, isDigit) || undefined;
      }
    }
  }
  const leftRun = lengthOfRun(left, index, isDigit);
  const rightRun = lengthOfRun(right, index, isDigit);
  const difference =
    Number(left.slice(index, index + leftRun).join('')) - Number(right.slice(index, index + rightRun).join(''));
  if (difference !== 0) return difference;
  return leftRun === rightRun ? undefined : leftRun - rightRun;
}

function lengthOfRun(characters: readonly string[], from: number, isDigit: (c: string | undefined) => boolean): number {
  let end = from;
  while (isDigit(characters[end])) end++;
  return end - from;
}
