import { safePattern } from '@/lib/schema/safe-pattern';
import { type CelType, formatType } from './cel-type';
import type { Checked } from './check-expression';
import { childrenOf } from './constants';
import type { Finding } from './expression-error';
import { formatCallFinding } from './format-call-finding';
import { readDuration, readTimestamp } from './functions/conversions';
import type { CallExpr, Expr } from './syntax-tree';

const READERS: readonly (readonly [name: string, read: (text: string) => unknown])[] = [
  ['duration', readDuration],
  ['timestamp', readTimestamp],
  ['matches', safePattern],
];

/**
 * Errors that the type check does not find: string literals that their function cannot accept, lists and maps of mixed types, and
 * clauses of `format` (cel-go's AST validators, in their order).
 */
export function literalFindings(checked: Checked): Finding[] {
  const nodes = [...walk(checked.tree, false)];
  const calls = nodes.flatMap(({ node }) => (node.kind === 'call' ? [node] : []));
  return [
    ...READERS.flatMap(([name, read]) => calls.flatMap((call) => textFinding(call, name, read))),
    ...nodes.flatMap(({ node, isExempt }) => (isExempt || node.kind !== 'list' ? [] : listFindings(checked, node))),
    ...nodes.flatMap(({ node, isExempt }) => (isExempt || node.kind !== 'map' ? [] : mapFindings(checked, node))),
    ...calls.flatMap((call) => formatCallFinding(call, checked.types)),
  ];
}

/** All nodes; lists within a call of `format` may mix types. */
function* walk(node: Expr, isExempt: boolean): Generator<{ readonly node: Expr; readonly isExempt: boolean }> {
  yield { node, isExempt };
  const isFormat = node.kind === 'call' && node.name === 'format';
  for (const child of childrenOf(node)) yield* walk(child, isExempt || isFormat);
}

function textFinding(call: CallExpr, name: string, read: (text: string) => unknown): Finding[] {
  const [arg] = call.args;
  if (call.name !== name || arg?.kind !== 'literal' || typeof arg.value !== 'string') return [];
  return read(arg.value) === undefined ? [{ at: arg.at, message: `invalid ${name} argument` }] : [];
}

function listFindings({ types }: Checked, list: Expr & { kind: 'list' }): Finding[] {
  let wanted: CelType | undefined;
  for (const [index, item] of list.items.entries()) {
    const type = innerType(types.get(item), list.optional.has(index));
    if (type === undefined) continue;
    if (wanted === undefined) wanted = type;
    else if (!isEquivalent(wanted, type)) return [mismatch(item, wanted, type)];
  }
  return [];
}

function mapFindings({ types }: Checked, map: Expr & { kind: 'map' }): Finding[] {
  const [first, ...rest] = map.entries;
  if (first === undefined) return [];
  const key = types.get(first.key);
  const value = innerType(types.get(first.value), first.isOptional);
  return rest.flatMap((entry) => {
    const found: Finding[] = [];
    const otherKey = types.get(entry.key);
    const other = innerType(types.get(entry.value), entry.isOptional);
    if (key !== undefined && otherKey !== undefined && !isEquivalent(key, otherKey))
      found.push(mismatch(entry.key, key, otherKey));
    if (value !== undefined && other !== undefined && !isEquivalent(value, other))
      found.push(mismatch(entry.value, value, other));
    return found;
  });
}

const innerType = (type: CelType | undefined, isOptional: boolean): CelType | undefined =>
  isOptional ? type?.params[0] : type;

const mismatch = ({ at }: Expr, wanted: CelType, found: CelType): Finding => ({
  at,
  message: `expected type '${formatType(wanted)}' but found '${formatType(found)}'`,
});

/** The same kind and, where both say so, the same parameters. */
function isEquivalent(a: CelType, b: CelType): boolean {
  if (a.kind !== b.kind || a.params.length !== b.params.length) return false;
  if ((a.kind === 'opaque' || a.kind === 'struct') && a.name !== b.name) return false;
  return a.params.every((each, index) => {
    const other = b.params[index];
    return other === undefined || isEquivalent(each, other);
  });
}
