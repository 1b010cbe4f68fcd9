import { type Document, parseAllDocuments, parseDocument, type ScalarTag, stringify, type Tags } from 'yaml';
import type { Problem } from '@/lib/errors/errors';
import type { JsonValue } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';

/** What a reader of YAML gives: the value, or what is wrong and where (`line` counts from 1). */
export type YamlResult = { ok: true; value: JsonValue } | { ok: false; problems: YamlProblem[] };

export interface YamlProblem extends Problem {
  readonly line: number;
  readonly column: number;
}

/**
 * YAML 1.1 as Go's sigs.k8s.io/yaml reads it: `yes` is true, `0644` is 420, `<<` merges; timestamps, base-60 numbers and
 * binary stay text.
 */
const READ_OPTIONS = {
  version: '1.1',
  merge: true,
  prettyErrors: true,
  uniqueKeys: true,
  customTags: (tags: Tags): Tags =>
    tags.filter((tag) => {
      if (typeof tag === 'string') return true;
      const scalar = tag as ScalarTag;
      return (
        scalar.tag !== 'tag:yaml.org,2002:timestamp' &&
        scalar.tag !== 'tag:yaml.org,2002:binary' &&
        scalar.format !== 'TIME'
      );
    }),
} as const;

/** Reads one YAML (or JSON) document. Empty text is null. Limits: size, depth, aliases (lib/limits). */
export function readYaml(text: string): YamlResult {
  if (text.length > limits.yamlBytes) return tooLarge();
  return toResult(parseDocument(text, READ_OPTIONS));
}

/** Reads a stream of documents separated by `---`. Documents of comments only are null. */
export function readYamlDocuments(text: string): YamlResult[] {
  if (text.length > limits.yamlBytes) return [tooLarge()];
  const documents = parseAllDocuments(text, READ_OPTIONS);
  return Array.isArray(documents) ? documents.map((document) => toResult(document)) : [];
}

/** Writes YAML that Kubernetes' Go tools read back as the same value: words such as `yes` and `0644` are quoted. */
export function writeYaml(value: unknown): string {
  return stringify(value, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}

function toResult(document: Document.Parsed | Document): YamlResult {
  const [error] = document.errors;
  if (error !== undefined) {
    const problems = document.errors.map((each) => {
      const line = each.linePos?.[0].line ?? 1;
      return { path: `line ${line}`, message: firstLine(each.message), line, column: each.linePos?.[0].col ?? 1 };
    });
    return { ok: false, problems };
  }
  try {
    const value = document.toJS({ maxAliasCount: limits.yamlAliases }) as JsonValue;
    if (depthOf(value) > limits.depth) {
      return failure(`The document is nested deeper than ${limits.depth} levels.`);
    }
    return { ok: true, value: value ?? null };
  } catch (cause) {
    return failure(firstLine(cause instanceof Error ? cause.message : String(cause)));
  }
}

function depthOf(value: JsonValue, level = 0): number {
  if (typeof value !== 'object' || value === null || level > limits.depth) return level;
  let deepest = level;
  for (const member of Object.values(value)) deepest = Math.max(deepest, depthOf(member as JsonValue, level + 1));
  return deepest;
}

function tooLarge(): YamlResult {
  return failure(`The text is longer than ${limits.yamlBytes} bytes.`);
}

function failure(message: string): YamlResult {
  return { ok: false, problems: [{ path: 'line 1', message, line: 1, column: 1 }] };
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? text).replace(/ at line \d+, column \d+:?$/, '');
}
