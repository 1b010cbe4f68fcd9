import { isMap, isPair, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml';
import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { type JsonSchema, memberSchema } from '@/lib/schema/json-schema';
import { validateBySchema } from '@/lib/schema/validate-by-schema';
import { validateListSets } from '@/lib/schema/validate-list-sets';
import { fieldErrorWords } from './field-error-words';
import { looksDeep } from './looks-deep';
import { splitYamlText } from './split-documents';
import { READ_OPTIONS, readYaml } from './yaml';

/** Something wrong in a text: from where to where (characters from 0), and what. */
export interface YamlFinding {
  readonly from: number;
  readonly to: number;
  /** The line of `from`, counted from 1. */
  readonly line: number;
  /** An error is refused by the API; a warning is a field that the API does not know. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** The schema of a kind; undefined while it is read and when there is none. */
export type SchemaOf = (apiVersion: string, kind: string) => JsonSchema | undefined;

/** Everything wrong with a text of one or more Kubernetes objects: its YAML, what each must have, its schema. */
export function lintYaml(text: string, schemaOf: SchemaOf): YamlFinding[] {
  if (text.length > limits.yamlBytes) return [];
  return placedFindings(text, schemaOf).map((each) => ({ ...each, line: lineAt(text, each.from) }));
}

function placedFindings(text: string, schemaOf: SchemaOf): PlacedFinding[] {
  if (looksDeep(text)) return [finding([0, 1], 'error', `The document is nested deeper than ${limits.depth} levels.`)];
  return splitYamlText(text).flatMap((part) =>
    lintDocument(part.text, schemaOf).map((each) => ({
      ...each,
      from: each.from + part.from,
      to: each.to + part.from,
    })),
  );
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

type PlacedFinding = Omit<YamlFinding, 'line'>;

/** The places come from the `yaml` package, the value that is checked from the reader whose value is sent. */
function lintDocument(text: string, schemaOf: SchemaOf): PlacedFinding[] {
  const document = parseDocument(text, READ_OPTIONS);
  const broken = document.errors.map(({ pos: [from, to], message }) =>
    finding([from, to], 'error', firstLine(message)),
  );
  if (broken.length > 0) return broken;
  const read = readYaml(text);
  if (!read.ok) {
    return read.problems.map(({ line, message }) => finding(rangeOfLine(text, line), 'error', message));
  }
  if (document.contents === null) return [];
  // A masked value is no value of its own: what is stored in its place is right already.
  const isMasked = ({ from, to }: PlacedFinding) => text.slice(from, to).includes(SECRET_MARK);
  return lintObject(document.contents, read.value, schemaOf).filter((each) => !isMasked(each));
}

/** @param line counts from 1 */
function rangeOfLine(text: string, line: number): readonly [number, number] {
  const lines = text.split('\n');
  const from = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  return [from, from + (lines[line - 1] ?? '').length];
}

function lintObject(root: Node, value: JsonValue, schemaOf: SchemaOf): PlacedFinding[] {
  if (value === null) return [];
  const start = rangeOf(root);
  if (!isJsonObject(value)) return [finding(start, 'error', 'A Kubernetes object begins with apiVersion and kind.')];
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== 'string')
    return [finding(firstKey(root), 'error', 'apiVersion is missing, e.g. apiVersion: v1.')];
  if (typeof kind !== 'string') return [finding(firstKey(root), 'error', 'kind is missing, e.g. kind: ConfigMap.')];
  const schema = schemaOf(apiVersion, kind);
  if (schema === undefined) return [];
  const problems = [...validateBySchema(value, schema), ...validateListSets(value, schema)];
  const invalid = problems.map((problem) => {
    return finding(locateField(root, problem.field) ?? start, 'error', fieldErrorWords(problem));
  });
  return [...invalid, ...unknownFields(root, schema, '')];
}

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
  const candidates = node.items.filter((pair) => startsWithKey(field, keyOf(pair)));
  const pair = candidates.sort((a, b) => keyOf(b).length - keyOf(a).length)[0];
  if (pair === undefined) return undefined;
  const range =
    isScalar(pair.value) && rangeOf(pair.value)[1] > rangeOf(pair.value)[0] ? rangeOf(pair.value) : rangeOf(pair.key);
  return { value: pair.value, range, rest: field.slice(keyOf(pair).length).replace(/^\./, '') };
}

function startsWithKey(field: string, key: string): boolean {
  return (
    field.startsWith(key) && (field.length === key.length || field[key.length] === '.' || field[key.length] === '[')
  );
}

/** Keys that the schema has no place for, at any depth. */
function unknownFields(node: unknown, schema: JsonSchema | undefined, path: string): PlacedFinding[] {
  if (schema === undefined) return [];
  if (isSeq(node)) return node.items.flatMap((item, index) => unknownFields(item, schema.items, `${path}[${index}]`));
  if (!isMap(node)) return [];
  const isClosed =
    schema.properties !== undefined &&
    schema.additionalProperties === undefined &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true;
  return node.items.flatMap((pair) => {
    const key = keyOf(pair);
    const inner = path === '' ? key : `${path}.${key}`;
    const member = memberSchema(schema, key);
    if (member !== undefined) return unknownFields(pair.value, member, inner);
    if (!isClosed || (path === '' && TOP_FIELDS.has(key))) return [];
    const meant = nearest(key, Object.keys(schema.properties ?? {}));
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    return [finding(rangeOf(pair.key), 'warning', `\`${inner}\` is not a field of this kind.${hint}`)];
  });
}

const TOP_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

/** The known name that is at most two edits away. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known.map((each) => ({ each, distance: editDistance(name.toLowerCase(), each.toLowerCase()) }));
  return ranked.sort((a, b) => a.distance - b.distance).find(({ distance }) => distance <= 2)?.each;
}

/** Levenshtein's distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const swap = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(swap, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

function firstKey(root: Node): readonly [number, number] {
  const pair = isMap(root) ? root.items[0] : undefined;
  return isPair(pair) ? rangeOf(pair.key) : rangeOf(root);
}

/** From the first character to the end of the last one that is not white space. */
function rangeOf(node: unknown): readonly [number, number] {
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
  return Array.isArray(range) ? [Number(range[0]), Number(range[1])] : [0, 0];
}

function finding(
  [from, to]: readonly [number, number],
  severity: YamlFinding['severity'],
  message: string,
): PlacedFinding {
  return { from, to: Math.max(to, from), severity, message };
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? text).replace(/ at line \d+, column \d+:?$/, '');
}
