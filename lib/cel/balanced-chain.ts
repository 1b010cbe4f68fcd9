import { call, type Expr } from './syntax-tree';

/** An operator of a chain and its right operand. */
export interface OperatorLink {
  readonly at: number;
  readonly right: Expr;
}

/**
 * The tree of `a && b && c …` (or `||`): as deep as the logarithm of its length, as cel-go builds it, so that thousands of terms can be
 * checked and run.
 */
export function balancedChain(name: string, first: Expr, links: readonly OperatorLink[]): Expr {
  const build = (low: number, high: number): Expr => {
    const middle = (low + high + 1) >> 1;
    const link = links[middle];
    if (link === undefined) return first;
    const left = middle === low ? (links[middle - 1]?.right ?? first) : build(low, middle - 1);
    return call(link.at, name, left, middle === high ? link.right : build(middle + 1, high));
  };
  return build(0, links.length - 1);
}
