import type { CelType } from './cel-type';
import type { Checked } from './check-expression';
import type { Expr } from './syntax-tree';
import type { CelValue } from './values';

const CONVERSIONS = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

/**
 * The constant parts of an expression, with their values (cel-go OptOptimize): lists and maps of
 * constants, conversions of one constant, and names of types. They cost nothing at run time.
 */
export function constantsOf(
  { tree, typeNames }: Checked,
  evaluate: (node: Expr) => CelValue,
): ReadonlyMap<Expr, CelValue> {
  const found = new Map<Expr, CelValue>();
  const visit = (node: Expr): boolean => {
    const type: CelType | undefined = typeNames.get(node);
    if (type !== undefined) {
      found.set(node, type);
      return true;
    }
    const isConstant = childrenOf(node)
      .map(visit)
      .every((each) => each);
    if (node.kind === 'literal') return true;
    if (!isConstant || !isFoldable(node)) return false;
    found.set(node, evaluate(node));
    return true;
  };
  visit(tree);
  return found;
}

function isFoldable(node: Expr): boolean {
  switch (node.kind) {
    case 'list':
      return node.optional.size === 0;
    case 'map':
      return node.entries.every(({ isOptional }) => !isOptional);
    case 'call':
      return node.target === undefined && node.args.length === 1 && CONVERSIONS.has(node.name);
    default:
      return false;
  }
}

/** The nodes right below a node. */
export function childrenOf(node: Expr): readonly Expr[] {
  switch (node.kind) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.items;
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return node.fields.map(({ value }) => value);
    case 'fold':
      return [node.range, node.init, node.condition, node.step, node.result];
    default:
      return [];
  }
}
