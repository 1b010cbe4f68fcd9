import { listKindOf } from '../list-kinds';
import { CelDuration, CelError, CelTimestamp, CelUint, type CelValue, isCelList } from '../values';
import type { CelFunction, FunctionTable } from './function';

const FIRST = -62_135_596_800_000_000_000n;
const LAST = 253_402_300_799_999_999_999n;

const overflow = (type: string) => new CelError(`${type} overflow`);

export function asInt(value: bigint, what = 'integer'): bigint {
  if (BigInt.asIntN(64, value) !== value) throw overflow(what);
  return value;
}

export function asUint(value: bigint, what = 'unsigned integer'): CelUint {
  if (value < 0n || value >= 1n << 64n) throw overflow(what);
  return new CelUint(value);
}

export function asDuration(nanos: bigint): CelDuration {
  if (BigInt.asIntN(64, nanos) !== nanos) throw overflow('duration');
  return new CelDuration(nanos);
}

export function asTimestamp(nanos: bigint): CelTimestamp {
  if (nanos < FIRST || nanos > LAST) throw overflow('timestamp');
  return new CelTimestamp(nanos);
}

/** One operator on int, uint and double. */
const numeric =
  (ofInts: (a: bigint, b: bigint) => bigint, ofDoubles?: (a: number, b: number) => number): CelFunction =>
  ([a, b]) => {
    if (typeof a === 'bigint' && typeof b === 'bigint') return asInt(ofInts(a, b));
    if (a instanceof CelUint && b instanceof CelUint) return asUint(ofInts(a.value, b.value));
    return typeof a === 'number' && typeof b === 'number' ? ofDoubles?.(a, b) : undefined;
  };

function add([a, b]: readonly CelValue[]): CelValue | undefined {
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Uint8Array.from([...a, ...b]);
  if (a instanceof CelDuration && b instanceof CelDuration) return asDuration(a.nanos + b.nanos);
  if (a instanceof CelTimestamp && b instanceof CelDuration) return asTimestamp(a.nanos + b.nanos);
  if (a instanceof CelDuration && b instanceof CelTimestamp) return asTimestamp(a.nanos + b.nanos);
  if (a === undefined || b === undefined || !isCelList(a) || !isCelList(b)) return undefined;
  return listKindOf(a)?.add(a, b) ?? [...a, ...b];
}

function subtract([a, b]: readonly CelValue[]): CelValue | undefined {
  if (a instanceof CelDuration && b instanceof CelDuration) return asDuration(a.nanos - b.nanos);
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) return asDuration(a.nanos - b.nanos);
  return a instanceof CelTimestamp && b instanceof CelDuration ? asTimestamp(a.nanos - b.nanos) : undefined;
}

const divided = (problem: string, divide: (a: bigint, b: bigint) => bigint) => (a: bigint, b: bigint) => {
  if (b === 0n) throw new CelError(problem);
  return divide(a, b);
};

function negate([a]: readonly CelValue[]): CelValue | undefined {
  if (typeof a === 'bigint') return asInt(-a);
  return typeof a === 'number' ? -a : undefined;
}

/** `+ - * / %` and the sign. */
export const ARITHMETIC: FunctionTable = [
  [
    '_+_',
    numeric(
      (a, b) => a + b,
      (a, b) => a + b,
    ),
  ],
  ['_+_', add],
  [
    '_-_',
    numeric(
      (a, b) => a - b,
      (a, b) => a - b,
    ),
  ],
  ['_-_', subtract],
  [
    '_*_',
    numeric(
      (a, b) => a * b,
      (a, b) => a * b,
    ),
  ],
  [
    '_/_',
    numeric(
      divided('division by zero', (a, b) => a / b),
      (a, b) => a / b,
    ),
  ],
  ['_%_', numeric(divided('modulus by zero', (a, b) => a % b))],
  ['-_', negate],
];
