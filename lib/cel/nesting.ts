import { childrenOf } from './constants';
import type { Expr } from './syntax-tree';

const LOGICAL = new Set(['_&&_', '_||_']);

/**
 * True when operators, members and calls are nested more than `most` levels deep. Chains of `&&` and `||` do not count, as they are
 * balanced. Works without recursion, since it protects from a stack overflow.
 */
export function isDeeperThan(tree: Expr, most: number): boolean {
  const pending: (readonly [node: Expr, depth: number])[] = [[tree, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, above] = next;
    const depth = above + (isCounted(node) ? 1 : 0);
    if (depth > most) return true;
    for (const child of childrenOf(node)) pending.push([child, depth]);
  }
  return false;
}

function isCounted(node: Expr): boolean {
  if (node.kind === 'call') return !LOGICAL.has(node.name);
  return node.kind === 'select' || node.kind === 'fold';
}
