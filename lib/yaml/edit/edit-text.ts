import { type Document, isMap, isScalar, isSeq, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { writeYaml } from '../yaml';
import type { DocumentEdit } from './value-edit';

type Splice = readonly [from: number, to: number, insert: string];

/**
 * An edit as a replacement of characters, every other one stays. Undefined where the layout has no such place; the caller checks the
 * result by reading it, so that an unusual layout cannot produce another value.
 */
export function editText(text: string, document: Document.Parsed, edit: DocumentEdit): string | undefined {
  const splice = spliceOf(text, document, edit);
  return splice === undefined ? undefined : `${text.slice(0, splice[0])}${splice[2]}${text.slice(splice[1])}`;
}

function spliceOf(text: string, document: Document.Parsed, edit: DocumentEdit): Splice | undefined {
  const parent = document.getIn(edit.op === 'set' || edit.op === 'remove' ? edit.path.slice(0, -1) : edit.path, true);
  switch (edit.op) {
    case 'set':
      return setIn(text, parent, edit.path.at(-1) ?? '', edit.value);
    case 'remove':
      return removeIn(text, parent, edit.path.at(-1) ?? '');
    case 'move':
      return isBlockSeq(parent) ? moveIn(text, parent, edit.from, edit.to) : undefined;
    case 'rename': {
      const key = isMap(parent) ? pairOf(parent, edit.from)?.key : undefined;
      const range = rangeOf(key);
      return range === undefined ? undefined : [range[0], range[1], inlineText(edit.to)];
    }
  }
}

function setIn(text: string, parent: unknown, part: string | number, value: JsonValue): Splice | undefined {
  if (isMap(parent) && typeof part === 'string') {
    const pair = pairOf(parent, part);
    if (pair === undefined) return parent.flow === true ? undefined : addPair(text, parent, part, value);
    return replaceValue(text, pair.value, value, columnOf(text, rangeOf(pair.key)?.[0] ?? 0));
  }
  if (!isSeq(parent) || typeof part !== 'number') return undefined;
  if (part < parent.items.length) {
    return replaceValue(text, parent.items[part], value, columnOf(text, rangeOf(parent)?.[0] ?? 0));
  }
  return isBlockSeq(parent) ? addItem(text, parent, value) : undefined;
}

/** @param column of the key or the dash before the value */
function replaceValue(text: string, node: unknown, value: JsonValue, column: number): Splice | undefined {
  const range = rangeOf(node);
  if (!isScalar(node) || range === undefined) return undefined;
  if (typeof value === 'object' && value !== null) {
    const isEmpty = (Array.isArray(value) ? value : Object.keys(value)).length === 0;
    if (!isEmpty || range[0] === range[1]) return undefined;
  }
  const [from, to] = range;
  const written = scalarText(node, value, column);
  const space = from === to && !/[\s]$/.test(text.slice(0, from)) ? ' ' : '';
  const end = text.slice(from, to).endsWith('\n') && !written.endsWith('\n') ? '\n' : '';
  return [from, to, `${space}${written}${end}`];
}

/** In the quotes of the value before, where the new one can have them. */
function scalarText(node: Scalar, value: JsonValue, column: number): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (node.type === 'QUOTE_DOUBLE') return JSON.stringify(value);
  if (node.type === 'QUOTE_SINGLE' && /^[\x20-\x7e]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  const written = writeYaml({ k: value }).slice('k: '.length).trimEnd();
  return written.includes('\n') ? indented(written, column).trimStart() : written;
}

function addPair(text: string, map: YAMLMap, key: string, value: JsonValue): Splice | undefined {
  const last = map.items.at(-1);
  const start = rangeOf(map.items[0]?.key)?.[0];
  const end = rangeOf(last?.value)?.[1] ?? rangeOf(last?.key)?.[1];
  if (start === undefined || end === undefined) return undefined;
  return addLines(text, end, indented(writeYaml({ [key]: value }), columnOf(text, start)));
}

function addItem(text: string, list: YAMLSeq, value: JsonValue): Splice | undefined {
  const start = rangeOf(list)?.[0];
  const end = rangeOf(list.items.at(-1))?.[1];
  if (start === undefined || end === undefined) return undefined;
  return addLines(text, end, indented(writeYaml([value]), columnOf(text, start)));
}

function addLines(text: string, after: number, lines: string): Splice {
  const at = lineEnd(text, after);
  const isOpen = at > 0 && text[at - 1] !== '\n';
  return [at, at, `${isOpen ? '\n' : ''}${lines}`];
}

function removeIn(text: string, parent: unknown, part: string | number): Splice | undefined {
  if (typeof part === 'number') {
    const block = isBlockSeq(parent) && parent.items.length > 1 ? itemBlocks(text, parent)?.[part] : undefined;
    return block === undefined ? undefined : [block[0], block[1], ''];
  }
  const pair = isMap(parent) && parent.flow !== true && parent.items.length > 1 ? pairOf(parent, part) : undefined;
  const key = rangeOf(pair?.key);
  if (key === undefined) return undefined;
  const from = lineStart(text, key[0]);
  if (text.slice(from, key[0]).trim() !== '') return undefined;
  return [from, lineEnd(text, rangeOf(pair?.value)?.[1] ?? key[1]), ''];
}

function moveIn(text: string, list: YAMLSeq, from: number, to: number): Splice | undefined {
  const blocks = itemBlocks(text, list);
  const [first, last] = [blocks?.[0], blocks?.at(-1)];
  if (blocks === undefined || first === undefined || last === undefined) return undefined;
  const texts = blocks.map(([start, end]) => closed(text.slice(start, end)));
  const [item] = texts.splice(from, 1);
  if (item === undefined) return undefined;
  texts.splice(to, 0, item);
  return [first[0], last[1], texts.join('')];
}

/** From where to where each item goes, in whole lines; comments above an item belong to it. Undefined when the first has no line of its own. */
function itemBlocks(text: string, list: YAMLSeq): [number, number][] | undefined {
  const start = rangeOf(list)?.[0];
  if (start === undefined || text.slice(lineStart(text, start), start).trim() !== '') return undefined;
  let from = lineStart(text, start);
  const blocks: [number, number][] = [];
  for (const item of list.items) {
    const end = rangeOf(item)?.[1];
    if (end === undefined) return undefined;
    const to = lineEnd(text, end);
    blocks.push([from, to]);
    from = to;
  }
  return blocks;
}

const closed = (lines: string) => (lines.endsWith('\n') ? lines : `${lines}\n`);

function isBlockSeq(node: unknown): node is YAMLSeq {
  return isSeq(node) && node.flow !== true && node.items.length > 0;
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

function inlineText(value: string): string {
  return writeYaml({ [value]: 0 }).replace(/: 0\n$/, '');
}

function indented(lines: string, column: number): string {
  const space = ' '.repeat(column);
  return lines.replace(/^(?=.)/gm, space);
}

function columnOf(text: string, at: number): number {
  return at - lineStart(text, at);
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** The start of the line after the one in which a value ends. */
function lineEnd(text: string, at: number): number {
  if (text[at - 1] === '\n') return at;
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

function rangeOf(node: unknown): readonly [number, number] | undefined {
  const range =
    isJsonObject(node) || typeof node === 'object' ? (node as { range?: unknown } | null)?.range : undefined;
  return Array.isArray(range) ? [Number(range[0]), Number(range[1])] : undefined;
}
