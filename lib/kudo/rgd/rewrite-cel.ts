import { type CelToken, tokensOf } from '@/lib/cel/lexer';
import { fieldAt, type RgdNames } from './rgd-names';

/** Where an expression is used. */
export interface CelPlace {
  /** The id of the resource that is `self` there. */
  readonly self?: string;
  /** What `schema` becomes: `self` in a status of the own kind, else parameters. */
  readonly schema?: 'self' | 'params';
}

/** The expression in names of Bravo, with the resources that it names; or why it has no counterpart. */
export type RewrittenCel = { readonly cel: string; readonly ids: ReadonlySet<string> } | { readonly problem: string };

/**
 * CEL of an RGD in the names that rules and status of a package know: `schema.spec.X` becomes `params.X`, `schema.metadata` becomes
 * `instance.metadata`, and a resource `objects.ID`, or `self` where the expression is about it. The rest stays as it is written.
 */
export function rewriteCel(text: string, names: RgdNames, place: CelPlace): RewrittenCel {
  const tokens = tokensOf(text, []);
  const ids = new Set<string>();
  let result = '';
  let from = 0;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token === undefined || !isRoot(tokens, index)) continue;
    const path = pathFrom(tokens, index);
    const found = replacement(path.names, names, place);
    if (found === undefined) continue;
    if ('problem' in found) return found;
    if (found.id !== undefined) ids.add(found.id);
    result += text.slice(from, token.at) + found.text;
    const last = tokens[index + (found.taken - 1) * 2] ?? token;
    from = last.at + last.text.length;
    index += (found.taken - 1) * 2;
  }
  return { cel: (result + text.slice(from)).trim(), ids };
}

/** True for a name that is no member of another value and no function. */
function isRoot(tokens: readonly CelToken[], index: number): boolean {
  const [token, before, after] = [tokens[index], tokens[index - 1], tokens[index + 1]];
  return token?.kind === 'identifier' && before?.text !== '.' && after?.text !== '(';
}

/** The names of `a.b.c` that begin at a token. */
function pathFrom(tokens: readonly CelToken[], index: number): { readonly names: string[] } {
  const names = [tokens[index]?.text ?? ''];
  for (let at = index + 1; tokens[at]?.text === '.' && tokens[at + 1]?.kind === 'identifier'; at += 2) {
    if (tokens[at + 2]?.text === '(') break;
    names.push(tokens[at + 1]?.text ?? '');
  }
  return { names };
}

type Replacement =
  | { readonly text: string; readonly taken: number; readonly id?: string }
  | { readonly problem: string };

function replacement(path: readonly string[], names: RgdNames, { self, schema }: CelPlace): Replacement | undefined {
  const [first = '', second, ...below] = path;
  if (names.ids.has(first))
    return first === self ? { text: 'self', taken: 1 } : { text: `objects.${first}`, taken: 1, id: first };
  if (first !== 'schema') return undefined;
  if (schema === 'self') return { text: 'self', taken: 1 };
  if (second === 'metadata') return { text: 'instance.metadata', taken: 2 };
  const found = second === 'spec' ? fieldAt(names, below) : undefined;
  if (found === undefined) return { problem: `${path.join('.')} is no field of the schema` };
  return { text: `params.${found.field.parameter}`, taken: 2 + found.field.path.length };
}
