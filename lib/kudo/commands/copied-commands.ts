import type { JsonObject } from '@/lib/json/json';
import { type nameOf, namespaceOf } from '@/lib/kube/object';
import { writeYaml } from '@/lib/yaml/yaml';
import { shellLine } from './shell-quote';

/** An action of the console as text to paste elsewhere. Secret values are never in it. */
export interface CopiedCommands {
  readonly kubectl: string;
  /** With `unavailable` a sentence that says why `bravo` cannot do the same. */
  readonly bravo: string | { readonly unavailable: string };
  /** The patch, with the command that sends it. */
  readonly yaml: string;
}

/** One merge patch. */
export interface CopiedPatch {
  /** As kubectl names it: `instances.kudo.dev`. */
  readonly resource: string;
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
  readonly subresource?: string;
  readonly patch: JsonObject;
}

/** `kubectl patch … -p '{…}'`. */
export function kubectlPatch({ patch, ...target }: CopiedPatch): string {
  return shellLine([...patchWords(target), '-p', JSON.stringify(patch)]);
}

/** The same patch as a file. `first` is what is done before, a line each. */
export function patchFile({ patch, ...target }: CopiedPatch, first: readonly string[] = []): string {
  const command = shellLine([...patchWords(target), '--patch-file', 'FILE']);
  return `${[...first, command].map((line) => `# ${line}\n`).join('')}${writeYaml(patch)}`;
}

/** `bravo -n …` with the namespace of an object. */
export function bravoLine(words: readonly string[], object: Parameters<typeof nameOf>[0]): string {
  return shellLine(['bravo', ...words, '-n', namespaceOf(object)]);
}

function patchWords({ resource, namespace, name, subresource }: Omit<CopiedPatch, 'patch'>): string[] {
  const part = subresource === undefined ? [] : ['--subresource', subresource];
  // A cluster-scoped object has none.
  const place = namespace === '' ? [] : ['-n', namespace];
  return ['kubectl', 'patch', resource, name, ...place, ...part, '--type', 'merge'];
}
