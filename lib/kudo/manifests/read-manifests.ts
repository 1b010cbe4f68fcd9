import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { isKubeObject, type KubeObject } from '@/lib/kube/object';
import { limits } from '@/lib/limits/limits';
import { splitYamlText } from '@/lib/yaml/split-documents';
import { readYamlAsKubernetes } from '@/lib/yaml/yaml';
import { type PackageProblem, problemAt } from '../package/types';

/** An object with the place where a file has it. */
export interface ManifestObject {
  readonly object: KubeObject;
  readonly file: string;
  /** From 1: the line of the document. */
  readonly line: number;
}

export type ManifestsRead =
  | { readonly ok: true; readonly objects: readonly ManifestObject[] }
  | { readonly ok: false; readonly problems: readonly PackageProblem[] };

/**
 * The objects of manifests in the order of the files and documents. The items of a List are objects of their own; empty documents
 * are left out.
 *
 * @param files text by path, for messages
 */
export function readManifests(files: ReadonlyMap<string, string>): ManifestsRead {
  const objects: ManifestObject[] = [];
  const problems: PackageProblem[] = [];
  for (const [file, text] of files) {
    if (text.length > limits.packageFileBytes) {
      problems.push(problemAt(file, 0, `The file is longer than ${limits.packageFileBytes} bytes.`));
      continue;
    }
    for (const part of splitYamlText(text)) readDocument(file, part, objects, problems);
    if (objects.length > limits.packageFiles) {
      const message = `There are more than ${limits.packageFiles} objects. Convert them as several packages.`;
      return { ok: false, problems: [...problems, problemAt(file, 0, message)] };
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  if (objects.length > 0) return { ok: true, objects };
  return { ok: false, problems: [problemAt([...files.keys()][0] ?? '.', 0, 'There are no Kubernetes objects.')] };
}

function readDocument(
  file: string,
  part: { readonly text: string; readonly line: number },
  objects: ManifestObject[],
  problems: PackageProblem[],
): void {
  const read = readYamlAsKubernetes(part.text);
  if (!read.ok) {
    for (const { line, message } of read.problems) problems.push(problemAt(file, line + part.line, message));
    return;
  }
  if (read.value === null) return;
  const line = part.line + 1 + linesBefore(part.text);
  const items = isJsonObject(read.value) ? itemsOf(read.value) : [];
  if (items.length === 0) problems.push(problemAt(file, line, 'The document is not a Kubernetes object.'));
  for (const item of items) {
    const object = isJsonObject(item) && item.metadata === undefined ? { ...item, metadata: {} } : item;
    if (isKubeObject(object)) objects.push({ object, file, line });
    else problems.push(problemAt(file, line, 'The document has no apiVersion, kind or metadata.'));
  }
}

function itemsOf(value: JsonObject): unknown[] {
  const isList = typeof value.kind === 'string' && value.kind.endsWith('List') && Array.isArray(value.items);
  return isList && Array.isArray(value.items) ? value.items : [value];
}

/** Empty lines and comments before the first line of a document. */
function linesBefore(text: string): number {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '' && !line.startsWith('#'));
  return Math.max(first, 0);
}
