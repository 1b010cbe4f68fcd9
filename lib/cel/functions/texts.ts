import type { RE2JS } from 're2js';
import { patternProblem, safePattern } from '@/lib/schema/safe-pattern';
import { CelError, type CelValue, isCelList } from '../values';
import { formatCelText } from './format-text';
import type { CelFunction, FunctionTable } from './function';

function patternOf(pattern: string, prefix: string): RE2JS {
  const found = safePattern(pattern);
  if (found === undefined) throw new CelError(`${prefix}${patternProblem(pattern) ?? ''}`);
  return found;
}

function matches([text, pattern]: readonly CelValue[]): CelValue | undefined {
  if (typeof text !== 'string' || typeof pattern !== 'string') return undefined;
  return patternOf(pattern, '').matcher(text).find();
}

function findAll([text, pattern, limit = -1n]: readonly CelValue[]): string[] | undefined {
  if (typeof text !== 'string' || typeof pattern !== 'string' || typeof limit !== 'bigint') return undefined;
  const found: string[] = [];
  const matcher = patternOf(pattern, 'Illegal regex: ').matcher(text);
  while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

const twoTexts =
  (run: (a: string, b: string) => CelValue): CelFunction =>
  ([a, b]) =>
    typeof a === 'string' && typeof b === 'string' ? run(a, b) : undefined;

const oneText =
  (run: (text: string) => CelValue): CelFunction =>
  ([text]) =>
    typeof text === 'string' ? run(text) : undefined;

const outOfRange = (index: bigint) => new CelError(`index out of range: ${index}`);

function charAt([text, index]: readonly CelValue[]): CelValue | undefined {
  if (typeof text !== 'string' || typeof index !== 'bigint') return undefined;
  const characters = [...text];
  if (index < 0n || index > BigInt(characters.length)) throw outOfRange(index);
  return characters[Number(index)] ?? '';
}

function indexOf([text, part, from = 0n]: readonly CelValue[]): CelValue | undefined {
  if (typeof text !== 'string' || typeof part !== 'string' || typeof from !== 'bigint') return undefined;
  const characters = [...text];
  const wanted = [...part];
  if (from < 0n) throw outOfRange(from);
  if (wanted.length === 0) return from > BigInt(characters.length) ? BigInt(characters.length) : from;
  for (let at = Number(from); at <= characters.length - wanted.length; at++) {
    if (wanted.every((each, index) => characters[at + index] === each)) return BigInt(at);
  }
  return -1n;
}

function lastIndexOf([text, part, from]: readonly CelValue[]): CelValue | undefined {
  if (typeof text !== 'string' || typeof part !== 'string') return undefined;
  const characters = [...text];
  const wanted = [...part];
  const size = BigInt(characters.length);
  if (wanted.length === 0 && from === undefined) return size;
  const last = from ?? size - 1n;
  if (typeof last !== 'bigint') return undefined;
  if (from === undefined && size < BigInt(wanted.length)) return -1n;
  if (last < 0n) throw outOfRange(last);
  if (wanted.length === 0) return last > size ? size : last;
  if (last >= size) return -1n;
  const start = Math.min(Number(last), characters.length - wanted.length);
  for (let at = start; at >= 0; at--) {
    if (wanted.every((each, index) => characters[at + index] === each)) return BigInt(at);
  }
  return -1n;
}

function replace([text, from, to, limit = -1n]: readonly CelValue[]): CelValue | undefined {
  if (typeof text !== 'string' || typeof from !== 'string' || typeof to !== 'string') return undefined;
  if (typeof limit !== 'bigint') return undefined;
  const parts = from === '' ? ['', ...text, ''] : text.split(from);
  if (from === '') parts.splice(0, 2, ...(text === '' ? ['', ''] : ['', parts[1] ?? '']));
  const count = limit < 0n || limit >= BigInt(parts.length) ? parts.length - 1 : Number(limit);
  return [parts.slice(0, count + 1).join(to), ...parts.slice(count + 1)].join(from);
}

function split([text, separator, limit = -1n]: readonly CelValue[]): CelValue | undefined {
  if (typeof text !== 'string' || typeof separator !== 'string' || typeof limit !== 'bigint') return undefined;
  if (limit === 0n) return [];
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return parts;
  const kept = Number(limit) - 1;
  return [...parts.slice(0, kept), parts.slice(kept).join(separator)];
}

function substring([text, start, end]: readonly CelValue[]): CelValue | undefined {
  if (typeof text !== 'string' || typeof start !== 'bigint') return undefined;
  const characters = [...text];
  const size = BigInt(characters.length);
  const last = end ?? size;
  if (typeof last !== 'bigint') return undefined;
  if (end !== undefined && start > last) {
    throw new CelError(`invalid substring range. start: ${start}, end: ${last}`);
  }
  if (start < 0n || start > size) throw outOfRange(start);
  if (last < 0n || last > size) throw outOfRange(last);
  return characters.slice(Number(start), Number(last)).join('');
}

function join([list, separator = '']: readonly CelValue[]): CelValue | undefined {
  if (list === undefined || !isCelList(list) || typeof separator !== 'string') return undefined;
  for (const each of list) if (typeof each !== 'string') throw new CelError(`join: invalid input: ${String(each)}`);
  return list.join(separator);
}

const ESCAPES: { readonly [character: string]: string } = {
  ...{ '\x07': '\\a', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v' },
  ...{ '\\': '\\\\', '"': '\\"' },
};

const ascii = (text: string, range: RegExp, turn: (letter: string) => string) => text.replace(range, turn);
const SPACE = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const AROUND = new RegExp(`^${SPACE}|${SPACE}$`, 'g');

/** Functions of texts (cel-go ext strings, apiserver cel/library Regex). */
export const TEXT_FUNCTIONS: FunctionTable = [
  ['contains', twoTexts((text, part) => text.includes(part))],
  ['startsWith', twoTexts((text, part) => text.startsWith(part))],
  ['endsWith', twoTexts((text, part) => text.endsWith(part))],
  ['matches', matches],
  ['find', ([text, pattern]) => findAll([text ?? null, pattern ?? null, 1n])?.concat('')[0]],
  ['findAll', findAll],
  ['charAt', charAt],
  ['indexOf', indexOf],
  ['lastIndexOf', lastIndexOf],
  ['lowerAscii', oneText((text) => ascii(text, /[A-Z]+/g, (letter) => letter.toLowerCase()))],
  ['upperAscii', oneText((text) => ascii(text, /[a-z]+/g, (letter) => letter.toUpperCase()))],
  ['replace', replace],
  ['split', split],
  ['substring', substring],
  ['trim', oneText((text) => text.replace(AROUND, ''))],
  ['join', join],
  ['strings.quote', oneText((text) => `"${[...text].map((each) => ESCAPES[each] ?? each).join('')}"`)],
  [
    'format',
    ([text, args]) =>
      typeof text === 'string' && args !== undefined && isCelList(args) ? formatCelText(text, args) : undefined,
  ],
];
