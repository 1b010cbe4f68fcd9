import { GoError } from '../template-error';
import { deepEqual } from '../value/deep-equal';
import { goKindOf } from '../value/describe';
import { ANY_SLICE, ANY_SLICES } from '../value/types';
import { compareBytes, GoSlice, goList, strings, type Value } from '../value/value';
import { type CallContext, fn, type GoFunction, type GoFunctionTable, variadic } from './define';
import { isEmpty } from './empty';
import { strslice, strval } from './strval';
import { toInt64 } from './to-number';

export const NIL_PANIC = 'runtime error: invalid memory address or nil pointer dereference';
const NIL_LIST = new GoSlice(ANY_SLICE, [], true);

/** Sprig's list.go. Each function that may fail has a twin with `must`; a panic and an error have the same effect in a template. */
export const listFunctions: GoFunctionTable = {
  list: variadic([], 'any', (_, ...values) => goList(values)),
  tuple: variadic([], 'any', (_, ...values) => goList(values)),
  sortAlpha: fn(['any'], (context, value) => sortAlpha(context, value)),
  concat: variadic([], 'any', (context, ...lists) => concat(context, lists)),
  ...withMust({
    first: fn(['any'], (_, value) => itemsOf(value, 'Cannot find first on type')[0]),
    last: fn(['any'], (_, value) => itemsOf(value, 'Cannot find last on type').at(-1)),
    rest: fn(['any'], (_, value) => orNil(itemsOf(value, 'Cannot find rest on type'), (items) => items.slice(1))),
    initial: fn(['any'], (_, value) =>
      orNil(itemsOf(value, 'Cannot find initial on type'), (items) => items.slice(0, -1)),
    ),
    reverse: fn(['any'], (_, value) => goList(itemsOf(value, 'Cannot find reverse on type').slice().reverse())),
    append: fn(['any', 'any'], (_, value, item) => goList([...itemsOf(value, 'Cannot push on type'), item])),
    push: fn(['any', 'any'], (_, value, item) => goList([...itemsOf(value, 'Cannot push on type'), item])),
    prepend: fn(['any', 'any'], (_, value, item) => goList([item, ...itemsOf(value, 'Cannot prepend on type')])),
    compact: fn(['any'], (_, value) =>
      goList(itemsOf(value, 'Cannot compact on type').filter((item) => !isEmpty(item))),
    ),
    uniq: fn(['any'], (context, value) => uniq(context, itemsOf(value, 'Cannot find uniq on type'))),
    without: variadic(['any'], 'any', (context, value, ...left) =>
      goList(itemsOf(value, 'Cannot find without on type').filter((item) => !isIn(context, left, item))),
    ),
    has: fn(['any', 'any'], (context, needle, value) =>
      value === null ? false : isIn(context, itemsOf(value, 'Cannot find has on type'), needle),
    ),
    slice: variadic(['any'], 'any', slice),
    chunk: fn(['int', 'any'], chunk),
  }),
};

/** Adds `mustX` for every `x`. */
export function withMust(table: { readonly [name: string]: GoFunction }): GoFunctionTable {
  const twins = Object.entries(table).map(([name, fn]) => [`must${name[0]?.toUpperCase()}${name.slice(1)}`, fn]);
  return { ...table, ...Object.fromEntries(twins) };
}

function itemsOf(value: Value, problem: string): readonly Value[] {
  if (value instanceof GoSlice) return value.items;
  if (value === null || value === undefined) throw new GoError(NIL_PANIC);
  throw new GoError(`${problem} ${goKindOf(value)}`);
}

function orNil(items: readonly Value[], take: (items: readonly Value[]) => Value[]): GoSlice {
  return items.length === 0 ? NIL_LIST : goList(take(items));
}

function isIn(context: CallContext, items: readonly Value[], needle: Value): boolean {
  return items.some((item) => {
    context.budget.step();
    return deepEqual(needle, item, context.budget);
  });
}

function uniq(context: CallContext, items: readonly Value[]): GoSlice {
  const kept: Value[] = [];
  for (const item of items) if (!isIn(context, kept, item)) kept.push(item);
  return goList(kept);
}

function sortAlpha(context: CallContext, value: Value): GoSlice {
  if (!(value instanceof GoSlice)) return strings([strval(value, context.budget)]);
  return strings(strslice(value, context.budget).sort(compareBytes));
}

function concat(context: CallContext, lists: readonly Value[]): GoSlice {
  const items: Value[] = [];
  for (const each of lists) {
    if (each === null || each === undefined) throw new GoError(NIL_PANIC);
    if (!(each instanceof GoSlice)) throw new GoError(`Cannot concat type ${goKindOf(each)} as list`);
    context.budget.allocate(each.items.length * 16);
    for (const item of each.items) items.push(item);
  }
  return items.length === 0 ? NIL_LIST : goList(items);
}

function slice(context: CallContext, value: Value, ...bounds: Value[]): Value {
  if (value === null || value === undefined) throw new GoError(NIL_PANIC);
  if (!(value instanceof GoSlice)) throw new GoError(`list should be type of slice or array but ${goKindOf(value)}`);
  const { items, type } = value;
  if (items.length === 0) return null;
  const [first, second] = bounds;
  const start = bounds.length > 0 ? Number(toInt64(context, first)) : 0;
  const end = bounds.length > 1 ? Number(toInt64(context, second)) : items.length;
  if (start < 0 || end < start || end > items.length) {
    throw new GoError('reflect.Value.Slice: slice index out of bounds');
  }
  return new GoSlice(type, items.slice(start, end));
}

function chunk(context: CallContext, size: number, value: Value): Value {
  if (value === null || value === undefined) throw new GoError(NIL_PANIC);
  if (!(value instanceof GoSlice)) throw new GoError(`Cannot chunk type ${goKindOf(value)}`);
  const { items } = value;
  const count = Math.floor((items.length - 1) / size) + 1;
  // A negative size returns one list of the remainder.
  const last = Math.trunc(items.length % size) || size;
  const isOne = count === 1 && last >= 0 && last <= items.length;
  // Also when count is NaN; then and for other negative sizes Go's make panics.
  if (!(count >= 0) || !Number.isFinite(count) || (count > 0 && size <= 0 && !isOne)) {
    throw new GoError('runtime error: makeslice: len out of range');
  }
  if (size < 0 && isOne) return new GoSlice(ANY_SLICES, [goList(items.slice(0, last))]);
  context.budget.allocate(count * 32);
  const chunks = Array.from({ length: count }, (_, index) => goList(items.slice(index * size, (index + 1) * size)));
  return new GoSlice(ANY_SLICES, chunks);
}
