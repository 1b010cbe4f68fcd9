import { type Document, parseDocument, type ScalarTag, stringify, type Tags, type YAMLError } from 'yaml';
import type { Problem } from '@/lib/errors/errors';
import type { JsonValue } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import type { DuplicateKey } from './go/compose';
import type { GoYamlError } from './go/cursor';
import { lineOfNode, readGoYaml } from './go/read-go-yaml';
import { asGoReads, goTags, notJson } from './go-tags';
import { readSimpleYaml } from './simple-yaml';
import { splitYamlText } from './split-documents';

/** The result of a reader of YAML: the value, or the problems with their lines (`line` counts from 1). */
export type YamlResult = { ok: true; value: JsonValue } | { ok: false; problems: YamlProblem[] };

export interface YamlProblem extends Problem {
  readonly line: number;
  readonly column: number;
}

/**
 * YAML 1.1 as Go's sigs.k8s.io/yaml reads it: `yes` is true, `0644` and `0o644` are 420, `<<` merges, `!!binary` is
 * decoded; timestamps and base-60 numbers stay text.
 */
export const READ_OPTIONS = {
  version: '1.1',
  merge: true,
  prettyErrors: true,
  uniqueKeys: true,
  customTags: (tags: Tags): Tags => [
    ...goTags,
    ...tags
      .filter((tag) => {
        if (typeof tag === 'string') return true;
        const scalar = tag as ScalarTag;
        return (
          scalar.tag !== 'tag:yaml.org,2002:timestamp' &&
          scalar.tag !== 'tag:yaml.org,2002:binary' &&
          scalar.format !== 'TIME'
        );
      })
      .map((tag) => (typeof tag === 'string' ? tag : asGoReads(tag as ScalarTag))),
  ],
} as const;

/**
 * Reads one YAML (or JSON) document, by Go's rules ({@link readGoYaml}), but refuses duplicate keys and further
 * documents. Empty text is null. Limits: size, depth, aliases (lib/limits).
 */
export function readYaml(text: string): YamlResult {
  if (text.length > limits.yamlBytes) return tooLarge();
  const simple = readSimpleYaml(text, limits.depth);
  return simple === undefined ? readWholeYaml(text) : { ok: true, value: simple };
}

/** The same without the short way for simple documents. */
export function readWholeYaml(text: string): YamlResult {
  const read = readGoYaml(text);
  if (!read.ok) return explained(text, read.error);
  if (!read.isWhole()) return failure('The text holds more than one document.');
  return read.duplicates.length === 0 ? { ok: true, value: read.value } : toResult(parseDocument(text, READ_OPTIONS));
}

/** Characters after the position of an error that may explain it. */
const BEHIND = 200;

/**
 * The messages and positions of the `yaml` package say more than Go's; where it finds no problem, Go's are used. It parses by
 * recursion, and V8 ends the process when the stack overflows inside a regular expression: so it gets only the text that Go's
 * reader has read, whose depth is known, and a little of the rest.
 */
function explained(text: string, error: GoYamlError): { ok: false; problems: YamlProblem[] } {
  const { index, line, column } = error.mark;
  if (error.isSyntax) {
    const shown = text.slice(0, index + BEHIND);
    const { errors } = parseDocument(shown, { ...READ_OPTIONS, uniqueKeys: false });
    // An open collection at the end of the shortened text is not a problem of the text.
    const real = errors.filter(({ pos }) => shown.length === text.length || pos[0] < shown.length - 1);
    if (real.length > 0) return { ok: false, problems: real.map(problemOf) };
  }
  return failure(error.message, line + 1, column + 1);
}

/**
 * Reads the first document like readers in which a later key wins (sigs.k8s.io/yaml, not strict), and returns the duplicate
 * keys.
 */
export function readYamlLeniently(text: string): { readonly result: YamlResult; readonly duplicates: DuplicateKey[] } {
  if (text.length > limits.yamlBytes) return { result: tooLarge(), duplicates: [] };
  const read = readGoYaml(text);
  if (!read.ok) return { result: explained(text, read.error), duplicates: [] };
  return { result: { ok: true, value: read.value }, duplicates: [...read.duplicates] };
}

/**
 * Reads the first document as sigs.k8s.io/yaml does for manifests and for values of parameters: of two equal keys the last
 * one wins. A duplicate label is a common mistake and no reason to fail a plan; an existing Instance may have such a value, and
 * must stay editable.
 */
export function readYamlAsKubernetes(text: string): YamlResult {
  if (text.length > limits.yamlBytes) return tooLarge();
  const simple = readSimpleYaml(text, limits.depth);
  return simple === undefined ? readYamlLeniently(text).result : { ok: true, value: simple };
}

/** Reads documents separated by lines of `---`, each as {@link readYaml} does. Documents of comments only are null. */
export function readYamlDocuments(text: string): YamlResult[] {
  if (text.length > limits.yamlBytes) return [tooLarge()];
  return splitYamlText(text).map((part) => shifted(readYaml(part.text), part.line));
}

function shifted(result: YamlResult, lines: number): YamlResult {
  if (result.ok) return result;
  const problems = result.problems.map((problem) => {
    const line = problem.line + lines;
    return { ...problem, line, path: `line ${line}` };
  });
  return { ok: false, problems };
}

/** A document whose values can be found in the text again. */
export interface YamlSource {
  readonly value: JsonValue;
  /** The line (from 1) where the value at a path starts, or its nearest existing parent. */
  lineOf(path: readonly (string | number)[]): number;
}

/**
 * Reads the first document of a text together with the places of its values. Of two equal keys the last one wins, as
 * in Go's sigs.k8s.io/yaml, which reads package files.
 */
export function readYamlSource(
  text: string,
): { ok: true; source: YamlSource } | { ok: false; problems: YamlProblem[] } {
  if (text.length > limits.yamlBytes) return tooLarge();
  const read = readGoYaml(text);
  if (read.ok) return { ok: true, source: { value: read.value, lineOf: (path) => lineOfNode(read.root, path) } };
  return explained(text, read.error);
}

/** Writes YAML that Kubernetes' Go tools read back as the same value: words such as `yes` and `0644` are quoted. */
export function writeYaml(value: unknown): string {
  return stringify(value, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}

function toResult(document: Document.Parsed | Document): YamlResult {
  if (document.errors.length > 0) return { ok: false, problems: document.errors.map(problemOf) };
  try {
    const unfit = notJson(document);
    if (unfit !== undefined) return failure(unfit);
    const value = document.toJS({ maxAliasCount: limits.yamlAliases }) as JsonValue;
    if (depthOf(value) > limits.depth) {
      return tooDeep();
    }
    return { ok: true, value: value ?? null };
  } catch (cause) {
    return failure(firstLine(cause instanceof Error ? cause.message : String(cause)));
  }
}

function problemOf({ message, linePos }: YAMLError): YamlProblem {
  const { line, col } = linePos?.[0] ?? { line: 1, col: 1 };
  return { path: `line ${line}`, message: firstLine(message), line, column: col };
}

function depthOf(value: JsonValue, level = 0): number {
  if (typeof value !== 'object' || value === null || level > limits.depth) return level;
  let deepest = level;
  for (const member of Object.values(value)) deepest = Math.max(deepest, depthOf(member as JsonValue, level + 1));
  return deepest;
}

function tooDeep(): { ok: false; problems: YamlProblem[] } {
  return failure(`The document is nested deeper than ${limits.depth} levels.`);
}

function tooLarge(): { ok: false; problems: YamlProblem[] } {
  return failure(`The text is longer than ${limits.yamlBytes} bytes.`);
}

function failure(message: string, line = 1, column = 1): { ok: false; problems: YamlProblem[] } {
  return { ok: false, problems: [{ path: `line ${line}`, message, line, column }] };
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? text).replace(/ at line \d+, column \d+:?$/, '');
}
