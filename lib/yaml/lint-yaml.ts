import { isMap, isPair, isSeq, type Node, parseDocument } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { formProblems } from '@/lib/schema/form/form-problems';
import { type JsonSchema, memberSchema } from '@/lib/schema/json-schema';
import { locateField, rangeOf, textOfKey } from './locate-field';
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

/**
 * Everything wrong with a text of one or more Kubernetes objects: its YAML, what each must have, its schema with its rules in CEL.
 *
 * @param old the object before an update, which rules in CEL compare with
 */
export function lintYaml(text: string, schemaOf: SchemaOf, old?: JsonObject): YamlFinding[] {
  if (text.length > limits.yamlBytes) return [];
  return placedFindings(text, { schemaOf, old }).map((each) => ({ ...each, line: lineAt(text, each.from) }));
}

interface Known {
  readonly schemaOf: SchemaOf;
  readonly old: JsonObject | undefined;
}

function placedFindings(text: string, known: Known): PlacedFinding[] {
  if (looksDeep(text)) return [finding([0, 1], 'error', `The document is nested deeper than ${limits.depth} levels.`)];
  return splitYamlText(text).flatMap((part) =>
    lintDocument(part.text, known).map((each) => ({
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
function lintDocument(text: string, known: Known): PlacedFinding[] {
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
  return lintObject(document.contents, read.value, known).filter((each) => !isMasked(each));
}

/** @param line counts from 1 */
function rangeOfLine(text: string, line: number): readonly [number, number] {
  const lines = text.split('\n');
  const from = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  return [from, from + (lines[line - 1] ?? '').length];
}

function lintObject(root: Node, value: JsonValue, { schemaOf, old }: Known): PlacedFinding[] {
  if (value === null) return [];
  const start = rangeOf(root);
  if (!isJsonObject(value)) return [finding(start, 'error', 'A Kubernetes object begins with apiVersion and kind.')];
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== 'string')
    return [finding(firstKey(root), 'error', 'apiVersion is missing, e.g. apiVersion: v1.')];
  if (typeof kind !== 'string') return [finding(firstKey(root), 'error', 'kind is missing, e.g. kind: ConfigMap.')];
  const schema = schemaOf(apiVersion, kind);
  if (schema === undefined) return [];
  const invalid = formProblems(schema, value, old).map(({ field, message }) =>
    finding(locateField(root, field) ?? start, 'error', message),
  );
  return [...invalid, ...unknownFields(root, schema, '')];
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
    const key = textOfKey(pair);
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

function firstKey(root: Node): readonly [number, number] {
  const pair = isMap(root) ? root.items[0] : undefined;
  return isPair(pair) ? rangeOf(pair.key) : rangeOf(root);
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
