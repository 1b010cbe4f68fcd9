import { isMap, isScalar, isSeq, type Node, parseDocument, type Range, visit } from 'yaml';
import type { JsonObject } from '@/lib/json/json';
import { appendYaml } from '@/lib/yaml/append-yaml';
import { READ_OPTIONS, writeYaml } from '@/lib/yaml/yaml';

/**
 * Edits of a YAML text that leave every other character as it is, comments included. A text that cannot be read, or does not have the
 * place, comes back unchanged.
 */

/** Removes the items of a top-level list that have that name. Items of a flow list (`[a, b]`) are not removed. */
export function removeNamed(text: string, list: string, name: string): string {
  const items = parseDocument(text, READ_OPTIONS).get(list, true);
  if (!isSeq(items) || items.flow === true) return text;
  const starts = items.items.map((item) => lineStart(text, rangeOf(item)?.[0] ?? 0));
  const at = items.items.findIndex((item) => isMap(item) && item.get('name') === name);
  const from = starts[at];
  if (from === undefined) return text;
  const to = starts[at + 1] ?? endOfLines(text, rangeOf(items.items[at])?.[1] ?? text.length);
  const rest = text.slice(0, from) + text.slice(to);
  // A list without items would be null.
  if (starts.length > 1) return rest;
  const lines = rest.split('\n');
  return lines.map((line) => (line.trimEnd() === `${list}:` ? `${list}: []` : line)).join('\n');
}

/** Adds an item to the end of a top-level list, with the indentation of the items before it. */
export function appendItem(text: string, list: string, item: JsonObject): string {
  const items = parseDocument(text, READ_OPTIONS).get(list, true);
  const last = isSeq(items) && items.flow !== true ? items.items.at(-1) : undefined;
  const range = rangeOf(last);
  // A list without items, or in brackets.
  if (range === undefined) return appendYaml(text, [list], item);
  const indent = text.slice(lineStart(text, range[0]), range[0]).replace(/-\s*$/, '');
  const lines = writeYaml([item]).trimEnd().split('\n');
  const at = endOfLines(text, range[1]);
  const before = text.slice(0, at);
  const added = lines.map((line) => `${indent}${line}\n`).join('');
  return `${before}${before.endsWith('\n') ? '' : '\n'}${added}${text.slice(at)}`;
}

/** Replaces the scalar at the path by a text in double quotes, or adds it at the top of the document. */
export function quoteValue(text: string, key: string, value: string): string {
  const node = parseDocument(text, READ_OPTIONS).get(key, true);
  const range = isScalar(node) ? node.range : undefined;
  const quoted = JSON.stringify(value);
  if (range === undefined || range === null) return addLine(text, `${key}: ${quoted}`);
  const [from, to] = range;
  return `${text.slice(0, from)}${from === to && !text.slice(0, from).endsWith(' ') ? ' ' : ''}${quoted}${text.slice(to)}`;
}

/** The text of a top-level scalar as it is written, without quotes; undefined when there is none. */
export function writtenValue(text: string, key: string): string | undefined {
  const node = parseDocument(text, READ_OPTIONS).get(key, true);
  if (!isScalar(node) || node.value === null) return undefined;
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}

/** Replaces every scalar whose value is exactly this text. */
export function replaceScalars(text: string, from: string, to: string): string {
  const document = parseDocument(text, READ_OPTIONS);
  const places: Range[] = [];
  visit(document, {
    Scalar: (key, node) => {
      if (key !== 'key' && node.value === from && node.range) places.push(node.range);
    },
  });
  return places.reduceRight((edited, [start, end]) => {
    const quote = /^["']/.exec(edited.slice(start, end))?.[0] ?? '';
    return `${edited.slice(0, start)}${quote}${to}${quote}${edited.slice(end)}`;
  }, text);
}

/** After the last line of the first block of `key: value` lines, so that a version comes to the versions. */
function addLine(text: string, line: string): string {
  const found = /^(?:#[^\n]*\n|---\n|\s*\n)*(?:\w+:[ \t]+\S[^\n]*\n)*/.exec(text)?.[0].length ?? 0;
  return `${text.slice(0, found)}${line}\n${text.slice(found)}`;
}

function rangeOf(node: unknown): Range | undefined {
  return (node as Node | undefined)?.range ?? undefined;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function endOfLines(text: string, at: number): number {
  if (text[at - 1] === '\n') return at;
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}
