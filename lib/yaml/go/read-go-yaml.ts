import { limits } from '@/lib/limits/limits';
import { type Composed, composeGoYaml } from './compose';
import { GoYamlError } from './cursor';
import type { YamlNode } from './nodes';
import { parseGoYaml, type YamlDocument } from './parser';

/** The result of Go's reader: the first document, or its error. */
export type GoYaml =
  | ({ readonly ok: true; readonly root: YamlNode | undefined } & Composed & Pick<YamlDocument, 'isWhole'>)
  | { readonly ok: false; readonly error: GoYamlError };

/**
 * Reads the first document of a text as sigs.k8s.io/yaml with gopkg.in/yaml.v2 does: YAML 1.1 as libyaml reads it, to the
 * last oddity. KUDO reads everything with it: packages, parameters, rendered templates. An empty text is null.
 */
export function readGoYaml(text: string): GoYaml {
  try {
    const { root, isWhole } = parseGoYaml(text, limits.depth + 1);
    if (root === undefined) return { ok: true, root, isWhole, value: null, duplicates: [] };
    const composed = composeGoYaml(root, limits.depth);
    return { ok: true, root, isWhole, ...composed };
  } catch (error) {
    if (error instanceof GoYamlError) return { ok: false, error };
    throw error;
  }
}

/** The line (from 1) where the value at a path starts, or its nearest existing parent. */
export function lineOfNode(root: YamlNode | undefined, path: readonly (string | number)[]): number {
  let node = root;
  let line = 0;
  for (const part of path) {
    while (node?.kind === 'alias') node = node.target;
    if (node?.kind === 'mapping') {
      const pair = node.pairs.findLast(([key]) => key.kind === 'scalar' && key.text === String(part));
      if (pair === undefined) break;
      line = pair[0].line;
      node = pair[1];
    } else if (node?.kind === 'sequence' && typeof part === 'number') {
      const item: YamlNode | undefined = node.items[part];
      if (item === undefined) break;
      line = item.line;
      node = item;
    } else break;
  }
  return line + 1;
}
