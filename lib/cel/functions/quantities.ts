import { formatQuantity, parseQuantity, QUANTITY_PROBLEM, type Quantity } from '@/lib/kube/quantity';
import { structType } from '../cel-type';
import { CelError, CelOpaque, type CelValue } from '../values';
import type { CelFunction, FunctionTable } from './function';

const TYPE = structType('kubernetes.Quantity');
const ONE = 1_000_000_000n;

/** An amount such as `500m` or `2Gi`. */
export class CelQuantity extends CelOpaque {
  readonly type = TYPE;

  constructor(readonly amount: Quantity) {
    super();
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelQuantity && other.amount.nano === this.amount.nano;
  }

  override toString(): string {
    return formatQuantity(this.amount);
  }
}

function read([text]: readonly CelValue[]): CelValue | undefined {
  if (typeof text !== 'string') return undefined;
  const amount = text === text.trim() ? parseQuantity(text) : undefined;
  if (amount === undefined) throw new CelError(QUANTITY_PROBLEM);
  return new CelQuantity(amount);
}

const compared =
  (decide: (a: bigint, b: bigint) => CelValue): CelFunction =>
  ([a, b]) =>
    a instanceof CelQuantity && b instanceof CelQuantity ? decide(a.amount.nano, b.amount.nano) : undefined;

const looked =
  (look: (nano: bigint) => CelValue): CelFunction =>
  ([a]) =>
    a instanceof CelQuantity ? look(a.amount.nano) : undefined;

const combined =
  (sign: bigint): CelFunction =>
  ([a, b]) => {
    if (!(a instanceof CelQuantity)) return undefined;
    const added = b instanceof CelQuantity ? b.amount.nano : typeof b === 'bigint' ? b * ONE : undefined;
    if (added === undefined) return undefined;
    return new CelQuantity({ nano: a.amount.nano + sign * added, format: a.amount.format });
  };

function isWhole(nano: bigint): boolean {
  return nano % ONE === 0n && BigInt.asIntN(64, nano / ONE) === nano / ONE;
}

function whole(nano: bigint): bigint {
  if (!isWhole(nano)) throw new CelError('cannot convert value to integer');
  return nano / ONE;
}

/** Amounts (apiserver cel/library Quantity). */
export const QUANTITY_FUNCTIONS: FunctionTable = [
  ['quantity', read],
  [
    'isQuantity',
    ([text]) => (typeof text === 'string' ? text === text.trim() && parseQuantity(text) !== undefined : undefined),
  ],
  ['isLessThan', compared((a, b) => a < b)],
  ['isGreaterThan', compared((a, b) => a > b)],
  ['compareTo', compared((a, b) => (a < b ? -1n : a > b ? 1n : 0n))],
  ['sign', looked((nano) => (nano < 0n ? -1n : nano > 0n ? 1n : 0n))],
  ['isInteger', looked(isWhole)],
  ['asInteger', looked(whole)],
  ['asApproximateFloat', looked((nano) => Number(nano) / 1e9)],
  ['add', combined(1n)],
  ['sub', combined(-1n)],
];
