import { patternProblem } from '@/lib/schema/safe-pattern';
import { childrenOf } from './constants';
import type { CallExpr, Expr } from './syntax-tree';

/** An error that cel-go finds only when it plans a checked expression: invalid literal patterns and map keys. */
export function planProblem(node: Expr): string | undefined {
  for (const child of childrenOf(node)) {
    const problem = planProblem(child);
    if (problem !== undefined) return problem;
  }
  return node.kind === 'call' ? callProblem(node) : undefined;
}

function callProblem({ name, args }: CallExpr): string | undefined {
  const [first, second] = args;
  if (name === 'find' || name === 'findAll') {
    return first?.kind === 'literal' && typeof first.value === 'string' ? patternProblem(first.value) : undefined;
  }
  if (name !== '_[_]' && name !== '_[?_]') return undefined;
  const type = second === undefined ? undefined : keyProblem(second);
  return type === undefined ? undefined : `invalid qualifier type: ${type}`;
}

/** cel-go's name of a constant that cannot be a key; undefined for all else. */
function keyProblem(key: Expr): string | undefined {
  if (key.kind === 'list') return isConstant(key) ? '*types.baseList' : undefined;
  if (key.kind === 'map') return isConstant(key) ? '*types.baseMap' : undefined;
  if (key.kind === 'literal' && typeof key.value === 'object')
    return key.value === null ? 'types.Null' : bytesName(key.value);
  if (key.kind !== 'call' || key.args[0]?.kind !== 'literal') return undefined;
  return CONVERSIONS[key.name];
}

const bytesName = (value: object): string | undefined => (value instanceof Uint8Array ? 'types.Bytes' : undefined);

const isConstant = (node: Expr): boolean =>
  node.kind === 'literal' ||
  ((node.kind === 'list' || node.kind === 'map') && childrenOf(node).every((child) => isConstant(child)));

const CONVERSIONS: { readonly [name: string]: string } = {
  bytes: 'types.Bytes',
  duration: 'types.Duration',
  timestamp: 'types.Timestamp',
};
