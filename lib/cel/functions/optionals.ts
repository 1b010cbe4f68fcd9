import {
  CelDuration,
  CelError,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelValue,
  EntryMap,
  isCelList,
} from '../values';
import type { FunctionTable } from './function';

const NONE = new CelOptional(undefined);

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true;
  if (isCelList(value) || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelMap) return value.size === 0;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanos === 0n;
  return value instanceof CelTimestamp && value.nanos === -62_135_596_800_000_000_000n;
}

function unwrapped([list]: readonly CelValue[]): CelValue | undefined {
  if (list === undefined || !isCelList(list) || !list.every((each) => each instanceof CelOptional)) return undefined;
  return list.flatMap((each) => (each instanceof CelOptional && each.value !== undefined ? [each.value] : []));
}

function inserted([map, key, value]: readonly CelValue[]): CelValue | undefined {
  if (!(map instanceof CelMap) || key === undefined) return undefined;
  const added: [CelValue, CelValue][] =
    value !== undefined
      ? [[key, value]]
      : key instanceof CelMap
        ? key.keys().map((each) => [each, key.find(each) ?? null])
        : [];
  for (const [each] of added) {
    const name = each instanceof CelUint ? each.value : each;
    if (map.find(each) !== undefined) throw new CelError(`insert failed: key ${String(name)} already exists`);
  }
  const before = map.keys().map((each): [CelValue, CelValue] => [each, map.find(each) ?? null]);
  return new EntryMap([...before, ...added]);
}

/** Optional values, and the maps that macros build. */
export const OPTIONAL_FUNCTIONS: FunctionTable = [
  ['optional.none', () => NONE],
  ['optional.of', ([value]) => new CelOptional(value)],
  ['optional.ofNonZeroValue', ([value = null]) => (isZero(value) ? NONE : new CelOptional(value))],
  ['optional.unwrap', unwrapped],
  ['unwrapOpt', unwrapped],
  ['hasValue', ([optional]) => (optional instanceof CelOptional ? optional.value !== undefined : undefined)],
  [
    'value',
    ([optional]) => {
      if (!(optional instanceof CelOptional)) return undefined;
      if (optional.value === undefined) throw new CelError('optional.none() dereference');
      return optional.value;
    },
  ],
  ['cel.@mapInsert', inserted],
];
