import { BOOL, BYTES, type CelType, DOUBLE, DYN, INT, NULL, STRING, UINT } from './cel-type';
import type { Expr } from './syntax-tree';
import { CelUint, type CelValue } from './values';

/** `a.b.c` of a path of plain names; undefined for all else. */
export function qualifiedName(node: Expr): string | undefined {
  if (node.kind === 'ident') return node.name;
  if (node.kind !== 'select' || node.isTest) return undefined;
  const prefix = qualifiedName(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}

/** The type of a value that is written out. */
export function literalType(value: CelValue): CelType {
  switch (typeof value) {
    case 'bigint':
      return INT;
    case 'number':
      return DOUBLE;
    case 'string':
      return STRING;
    case 'boolean':
      return BOOL;
    default:
      return value === null ? NULL : value instanceof CelUint ? UINT : BYTES;
  }
}

/** The types of the one or two variables of a loop over a range; undefined for what cannot be walked over. */
export function iteratedTypes(range: CelType, hasSecond: boolean): readonly [CelType, CelType] | undefined {
  const [first = DYN, second = DYN] = range.params;
  switch (range.kind) {
    case 'list':
      return hasSecond ? [INT, first] : [first, DYN];
    case 'map':
      return [first, second];
    case 'dyn':
    case 'error':
    case 'param':
      return [DYN, DYN];
    default:
      return undefined;
  }
}
