import { compareValues, equalValues } from '../equality';
import { CelDuration, CelError, CelOptional, CelUint, type CelValue, isCelList } from '../values';
import { asDuration, asInt, asUint } from './arithmetic';
import type { CelFunction, FunctionTable } from './function';

const ofList =
  (run: (list: readonly CelValue[], rest: readonly CelValue[]) => CelValue | undefined): CelFunction =>
  ([list, ...rest]) =>
    list !== undefined && isCelList(list) ? run(list, rest) : undefined;

function order(a: CelValue, b: CelValue): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return 0;
  const result = compareValues(a, b);
  if (result === undefined) throw new CelError('no such overload');
  return result;
}

const extreme = (name: string, sign: number) =>
  ofList((list) => {
    const [first, ...rest] = list;
    if (first === undefined) throw new CelError(`${name} called on empty list`);
    return rest.reduce((best, each) => (order(each, best) * sign > 0 ? each : best), first);
  });

function sum(list: readonly CelValue[], overload: string): CelValue | undefined {
  const [first] = list;
  if (first === undefined) return EMPTY_SUMS[overload] ?? 0n;
  if (typeof first === 'number') return list.reduce((total: number, each) => total + Number(each), 0);
  if (typeof first === 'bigint') {
    return list.reduce((total: bigint, each) => asInt(total + (typeof each === 'bigint' ? each : 0n)), 0n);
  }
  if (first instanceof CelUint) {
    return list.reduce(
      (total: CelUint, each) => asUint(total.value + (each instanceof CelUint ? each.value : 0n)),
      asUint(0n),
    );
  }
  if (!(first instanceof CelDuration)) return undefined;
  return list.reduce(
    (total: CelDuration, each) => asDuration(total.nanos + (each instanceof CelDuration ? each.nanos : 0n)),
    asDuration(0n),
  );
}

const EMPTY_SUMS: { readonly [overload: string]: CelValue } = {
  list_uint_sum_uint: new CelUint(0n),
  list_double_sum_double: 0,
  list_duration_sum_duration: new CelDuration(0n),
};

/** How long a range may be (cel-go ext defaultMaxRangeSize). */
const MOST = 1_000_000n;

function range([count]: readonly CelValue[]): CelValue | undefined {
  if (typeof count !== 'bigint') return undefined;
  if (count < 0n) throw new CelError(`lists.range: size must be non-negative, got ${count}`);
  if (count > MOST) throw new CelError(`lists.range: size ${count} exceeds maximum allowed (${MOST})`);
  return Array.from({ length: Number(count) }, (_, index) => BigInt(index));
}

function slice(list: readonly CelValue[], [start, end]: readonly CelValue[]): CelValue | undefined {
  if (typeof start !== 'bigint' || typeof end !== 'bigint') return undefined;
  const bounds = `slice(${start}, ${end})`;
  if (start < 0n || end < 0n) throw new CelError(`cannot ${bounds}, negative indexes not supported`);
  if (start > end) throw new CelError(`cannot ${bounds}, start index must be less than or equal to end index`);
  if (end > BigInt(list.length)) throw new CelError(`cannot ${bounds}, list is length ${list.length}`);
  return list.slice(Number(start), Number(end));
}

function flatten(list: readonly CelValue[], depth: number): CelValue[] {
  return list.flatMap((each) => (isCelList(each) && depth > 0 ? flatten(each, depth - 1) : [each]));
}

function flattened(list: readonly CelValue[], [depth = 1n]: readonly CelValue[]): CelValue | undefined {
  if (typeof depth !== 'bigint') return undefined;
  if (depth < 0n) throw new CelError('level must be non-negative');
  return flatten(list, Number(depth));
}

const distinct = (list: readonly CelValue[]): CelValue[] => {
  const kept: CelValue[] = [];
  for (const each of list) if (!kept.some((other) => equalValues(other, each))) kept.push(each);
  return kept;
};

function sortBy(list: readonly CelValue[], keys: readonly CelValue[]): CelValue[] {
  if (list.length !== keys.length)
    throw new CelError('@sortByAssociatedKeys() expected a list of the same size as the associated keys list');
  const [first] = keys;
  if (first !== undefined && keys.some((key) => typeof key !== typeof first)) {
    throw new CelError('list elements must have the same type');
  }
  return list
    .map((item, index) => ({ item, key: keys[index] ?? null }))
    .sort((a, b) => order(a.key, b.key))
    .map(({ item }) => item);
}

const listContains = (a: readonly CelValue[], b: readonly CelValue[]) =>
  b.every((each) => a.some((other) => equalValues(each, other)));

const sets =
  (decide: (a: readonly CelValue[], b: readonly CelValue[]) => boolean): CelFunction =>
  ([a, b]) =>
    a !== undefined && b !== undefined && isCelList(a) && isCelList(b) ? decide(a, b) : undefined;

const place = (find: (list: readonly CelValue[], item: CelValue) => number) =>
  ofList((list, [item = null]) => BigInt(find(list, item)));

/** Functions of lists, and the library of sets. */
export const LIST_FUNCTIONS: FunctionTable = [
  ['isSorted', ofList((list) => list.every((each, index) => index === 0 || order(list[index - 1] ?? null, each) <= 0))],
  ['sum', ([list = null], overload) => (isCelList(list) ? sum(list, overload) : undefined)],
  ['min', extreme('min', -1)],
  ['max', extreme('max', 1)],
  ['indexOf', place((list, item) => list.findIndex((each) => equalValues(each, item)))],
  ['lastIndexOf', place((list, item) => list.findLastIndex((each) => equalValues(each, item)))],
  ['distinct', ofList(distinct)],
  ['first', ofList((list) => new CelOptional(list[0]))],
  ['last', ofList((list) => new CelOptional(list.at(-1)))],
  ['flatten', ofList(flattened)],
  ['lists.range', range],
  ['reverse', ofList((list) => [...list].reverse())],
  ['slice', ofList(slice)],
  ['sort', ofList((list) => sortBy(list, list))],
  ['@sortByAssociatedKeys', ofList((list, [keys = null]) => (isCelList(keys) ? sortBy(list, keys) : undefined))],
  ['sets.contains', sets(listContains)],
  ['sets.equivalent', sets((a, b) => listContains(a, b) && listContains(b, a))],
  ['sets.intersects', sets((a, b) => b.some((each) => listContains(a, [each])))],
];
