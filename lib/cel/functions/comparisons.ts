import { compareValues, equalValues } from '../equality';
import { CelMap, type CelValue, isCelList } from '../values';
import type { CelFunction, FunctionTable } from './function';

const compared =
  (decide: (order: -1 | 0 | 1) => boolean): CelFunction =>
  ([a = null, b = null]) => {
    if (Number.isNaN(a) || Number.isNaN(b)) return false;
    const order = compareValues(a, b);
    return order === undefined ? undefined : decide(order);
  };

function contained([item = null, range = null]: readonly CelValue[]): CelValue | undefined {
  if (isCelList(range)) return range.some((each) => equalValues(each, item));
  return range instanceof CelMap ? range.find(item) !== undefined : undefined;
}

/** Equality, order and membership. */
export const COMPARISONS: FunctionTable = [
  ['_==_', ([a = null, b = null]) => equalValues(a, b)],
  ['_!=_', ([a = null, b = null]) => !equalValues(a, b)],
  ['_<_', compared((order) => order < 0)],
  ['_<=_', compared((order) => order <= 0)],
  ['_>_', compared((order) => order > 0)],
  ['_>=_', compared((order) => order >= 0)],
  ['@in', contained],
  ['_in_', contained],
  ['in', contained],
  ['!_', ([a]) => (typeof a === 'boolean' ? !a : undefined)],
];
