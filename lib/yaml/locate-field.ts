import { isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml';
import { plainFieldText } from '@/lib/schema/form/field-path';
import { looksDeep } from './looks-deep';
import { READ_OPTIONS } from './yaml';

/**
 * The position of a field, by its path as Kubernetes writes it (`spec.containers[0].image`): the value, or the key of the
 * nearest part that exists. Keys with dots in them are found as well.
 */
export function locateField(root: Node, field: string): readonly [number, number] | undefined {
  let node: unknown = root;
  let found: readonly [number, number] | undefined;
  let rest = field;
  while (rest !== '') {
    const step = stepInto(node, rest);
    if (step === undefined) return found;
    found = step.range;
    node = step.value;
    rest = step.rest;
  }
  return found;
}

interface Step {
  readonly value: unknown;
  readonly range: readonly [number, number];
  readonly rest: string;
}

function stepInto(node: unknown, field: string): Step | undefined {
  if (isSeq(node)) {
    const match = /^\[(\d+)\]\.?/.exec(field);
    const item = match === null ? undefined : node.items[Number(match[1])];
    if (match === null || item === undefined) return undefined;
    return { value: item, range: rangeOf(item), rest: field.slice(match[0].length) };
  }
  if (!isMap(node)) return undefined;
  const candidates = node.items.filter((pair) => startsWithKey(field, textOfKey(pair)));
  const pair = candidates.sort((a, b) => textOfKey(b).length - textOfKey(a).length)[0];
  if (pair === undefined) return undefined;
  const range =
    isScalar(pair.value) && rangeOf(pair.value)[1] > rangeOf(pair.value)[0] ? rangeOf(pair.value) : rangeOf(pair.key);
  return { value: pair.value, range, rest: field.slice(textOfKey(pair).length).replace(/^\./, '') };
}

function startsWithKey(field: string, key: string): boolean {
  return (
    field.startsWith(key) && (field.length === key.length || field[key.length] === '.' || field[key.length] === '[')
  );
}

/** The key of a pair as text; empty for keys that are no scalars. */
export function textOfKey(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

/** From the first character to the end of the last one that is not white space. */
export function rangeOf(node: unknown): readonly [number, number] {
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
  return Array.isArray(range) ? [Number(range[0]), Number(range[1])] : [0, 0];
}

/** The line of a field in the text of one object, counted from 1; undefined when the text has neither the field nor a field around it. */
export function lineOfField(text: string, field: string): number | undefined {
  if (field === '' || looksDeep(text)) return undefined;
  const root = parseDocument(text, READ_OPTIONS).contents;
  const range = root === null ? undefined : locateField(root, plainFieldText(field));
  return range === undefined ? undefined : text.slice(0, range[0]).split('\n').length;
}
