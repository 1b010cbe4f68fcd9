import { TerminalError } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { formatApiVersion, type KubeObject, parseApiVersion } from '@/lib/kube/object';
import { splitYamlText } from '@/lib/yaml/split-documents';
import { readYamlSource } from '@/lib/yaml/yaml';

/** An object of a file of a suite, with the place where each of its values is written. */
export interface SourceObject {
  readonly object: KubeObject;
  readonly file: string;
  /** The line (from 1) of the value at a path, or of its nearest parent that is written. */
  lineOf(path: readonly (string | number)[]): number;
}

/** The objects of a file, in order, and the lines of documents that are not objects. */
export interface SourceFile {
  readonly objects: readonly SourceObject[];
  /** Lines (from 1) of documents without `kind`. */
  readonly dropped: readonly number[];
}

/**
 * Reads the documents of a file as Kubernetes reads manifests. Documents without `kind` are dropped; a `List` stays one object.
 *
 * @param file shown in errors
 * @throws TerminalError with file and line for text that is not YAML
 */
export function readSourceObjects(file: string, text: string): SourceFile {
  const objects: SourceObject[] = [];
  const dropped: number[] = [];
  for (const part of splitYamlText(text)) {
    const read = readYamlSource(part.text);
    if (!read.ok) {
      const [problem] = read.problems;
      const line = (problem?.line ?? 1) + part.line;
      throw new TerminalError(`${file}:${line}: ${problem?.message ?? 'not YAML'}`, 'InvalidYaml');
    }
    const { value } = read.source;
    if (!isJsonObject(value) || typeof value.kind !== 'string' || value.kind === '') {
      dropped.push(part.line + 1);
      continue;
    }
    // The root begins at the text's first line, also when that is a comment; the object at its first key.
    const [first = 'kind'] = Object.keys(value);
    objects.push({
      object: asObject(value),
      file,
      lineOf: (path) => read.source.lineOf(path.length === 0 ? [first] : path) + part.line,
    });
  }
  return { objects, dropped };
}

/** `metadata` may be missing: objects of the harness often have none. */
function asObject(value: JsonObject): KubeObject {
  const metadata = isJsonObject(value.metadata) ? value.metadata : {};
  const apiVersion = typeof value.apiVersion === 'string' ? value.apiVersion : '';
  return { ...value, apiVersion, kind: String(value.kind), metadata };
}

/** `Kind:namespace/name`, as KUTTL names an object; the namespace is left out when there is none. */
export function nameOfResource({ kind, metadata }: KubeObject): string {
  const { namespace = '', name = '' } = metadata;
  return `${kind}:${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** `GROUP/VERSION, Kind=KIND` as Go writes it; the core group is empty. */
export function describeKind({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): string {
  const { group, version } = parseApiVersion(apiVersion);
  return `${group}/${version}, Kind=${kind}`;
}

/** `apiVersion` and `kind` of objects of the harness. */
export const HARNESS_API_VERSION = formatApiVersion('kuttl.dev', 'v1beta1');
