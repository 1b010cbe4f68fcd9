import { CelType, sameType } from './cel-type';
import { listKindOf } from './list-kinds';
import {
  CelDuration,
  CelMap,
  CelObject,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelValue,
  isCelList,
} from './values';

/** CEL's equality: numbers by their worth whatever their type, lists and maps by what is in them. */
export function equalValues(a: CelValue, b: CelValue): boolean {
  const first = numberOf(a);
  if (first !== undefined) {
    const second = numberOf(b);
    return second !== undefined && first >= second && first <= second;
  }
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
  return equalObjects(a, b);
}

function equalObjects(a: Extract<CelValue, object>, b: Extract<CelValue, object>): boolean {
  if (isCelList(a)) return isCelList(b) && equalLists(a, b);
  if (a instanceof CelMap) return b instanceof CelMap && equalMaps(a, b);
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.nanos === b.nanos;
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanos === b.nanos;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b);
  if (a instanceof CelOptional) return b instanceof CelOptional && equalOptionals(a, b);
  if (a instanceof CelType) return b instanceof CelType && (a.name === b.name || sameType(a, b));
  if (a instanceof CelObject) return b instanceof CelObject && a.equals(b);
  return a instanceof CelOpaque && b instanceof CelOpaque && a.type.name === b.type.name && a.equals(b);
}

/** Numbers of any type as what JavaScript compares by worth. */
function numberOf(value: CelValue): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof CelUint ? value.value : undefined;
}

function equalLists(a: readonly CelValue[], b: readonly CelValue[]): boolean {
  if (a.length !== b.length) return false;
  const kind = listKindOf(a);
  if (kind !== undefined) return kind.equals(a, b);
  return a.every((each, index) => equalValues(each, b[index] ?? null));
}

function equalMaps(a: CelMap, b: CelMap): boolean {
  if (a.size !== b.size) return false;
  return a.keys().every((key) => {
    const other = b.find(key);
    return other !== undefined && equalValues(a.find(key) ?? null, other);
  });
}

function equalOptionals({ value: a }: CelOptional, { value: b }: CelOptional): boolean {
  return a === undefined || b === undefined ? a === b : equalValues(a, b);
}

const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index]);

/** -1, 0 or 1; undefined for what has no order. */
export function compareValues(a: CelValue, b: CelValue): -1 | 0 | 1 | undefined {
  const first = numberOf(a);
  const second = numberOf(b);
  if (first !== undefined || second !== undefined) {
    return first === undefined || second === undefined ? undefined : order(first, second);
  }
  if (typeof a === 'string') return typeof b === 'string' ? orderTexts(a, b) : undefined;
  if (typeof a === 'boolean') return typeof b === 'boolean' ? order(Number(a), Number(b)) : undefined;
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp ? order(a.nanos, b.nanos) : undefined;
  if (a instanceof CelDuration) return b instanceof CelDuration ? order(a.nanos, b.nanos) : undefined;
  return a instanceof Uint8Array && b instanceof Uint8Array ? orderBytes(a, b) : undefined;
}

const order = (a: bigint | number, b: bigint | number): -1 | 0 | 1 => (a < b ? -1 : a > b ? 1 : 0);

/** By bytes of UTF-8, as Go does it: characters beyond 16 bits come last. */
function orderTexts(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0;
  let at = 0;
  while (a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return order(a.codePointAt(at) ?? -1, b.codePointAt(at) ?? -1);
}

function orderBytes(a: Uint8Array, b: Uint8Array): -1 | 0 | 1 {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at === -1 ? order(a.length, b.length) : order(a[at] ?? 0, b[at] ?? -1);
}
