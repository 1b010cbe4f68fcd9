import { GoError } from '../template-error';
import { typeName } from '../value/describe';
import { ANY_MAP } from '../value/types';
import { GoMap, goList, strings, type Value } from '../value/value';
import { type CallContext, fn, type GoFunctionTable, variadic } from './define';
import { mergeMaps } from './merge';
import { strval } from './strval';

/** Sprig's dict.go: maps from text to anything, changed in place by `set`, `unset` and the merges. */
export const dictFunctions: GoFunctionTable = {
  dict: variadic([], 'any', (context, ...values) => dict(context, values)),
  get: fn(['dict', 'string'], (_, map, key) => (map.has(key) ? map.get(key) : '')),
  set: fn(['dict', 'string', 'any'], (_, map, key, value) => {
    if (map.isNil) throw new GoError('assignment to entry in nil map');
    map.set(key, value);
    return map;
  }),
  unset: fn(['dict', 'string'], (_, map, key) => {
    map.delete(key);
    return map;
  }),
  hasKey: fn(['dict', 'string'], (_, map, key) => map.has(key)),
  pluck: variadic(['string'], 'dict', (_, key, ...maps) =>
    goList(maps.filter((map) => map.has(key)).map((map) => map.get(key))),
  ),
  keys: variadic([], 'dict', (_, ...maps) => strings(maps.flatMap((map) => map.keys()))),
  values: fn(['dict'], (_, map) => goList(map.keys().map((key) => map.get(key)))),
  pick: variadic(['dict'], 'string', (_, map, ...keys) => {
    const found = keys.filter((key) => map.has(key));
    return GoMap.of(
      ANY_MAP,
      found.map((key) => [key, map.get(key)]),
    );
  }),
  omit: variadic(['dict'], 'string', (_, map, ...keys) => {
    const left = new Set(keys);
    const kept = map.keys().filter((key) => !left.has(key));
    return GoMap.of(
      ANY_MAP,
      kept.map((key) => [key, map.get(key)]),
    );
  }),
  dig: variadic([], 'any', (_, ...values) => dig(values)),
  merge: variadic(['dict'], 'dict', (context, target, ...sources) => merge(context, target, sources, false) ?? ''),
  mergeOverwrite: variadic(
    ['dict'],
    'dict',
    (context, target, ...sources) => merge(context, target, sources, true) ?? '',
  ),
  mustMerge: variadic(['dict'], 'dict', (context, target, ...sources) =>
    required(merge(context, target, sources, false)),
  ),
  mustMergeOverwrite: variadic(['dict'], 'dict', (context, target, ...sources) =>
    required(merge(context, target, sources, true)),
  ),
};

function dict(context: CallContext, values: readonly Value[]): GoMap {
  const map = GoMap.of();
  for (let index = 0; index < values.length; index += 2) {
    map.set(strval(values[index], context.budget), index + 1 < values.length ? values[index + 1] : '');
  }
  return map;
}

function dig(values: readonly Value[]): Value {
  if (values.length < 3) throw new GoError('dig needs at least three arguments');
  let map = asDict(values.at(-1));
  const keys = values.slice(0, -2).map((key) => {
    if (typeof key === 'string') return key;
    throw new GoError(`interface conversion: interface {} is ${conversionName(key)}, not string`);
  });
  for (const [index, key] of keys.entries()) {
    if (!map.has(key)) return values.at(-2);
    const step = map.get(key);
    if (index === keys.length - 1) return step;
    map = asDict(step);
  }
  return null;
}

function asDict(value: Value): GoMap {
  if (value instanceof GoMap && value.type === ANY_MAP) return value;
  throw new GoError(`interface conversion: interface {} is ${conversionName(value)}, not map[string]interface {}`);
}

function conversionName(value: Value): string {
  return value === null || value === undefined ? 'nil' : typeName(value);
}

/** Undefined when maps cannot be merged. */
function merge(context: CallContext, target: GoMap, sources: readonly GoMap[], overwrite: boolean): GoMap | undefined {
  let merged: GoMap | undefined = target;
  for (const source of sources) {
    merged = merged && mergeMaps(merged, source, { overwrite, context, level: 0 });
  }
  return merged;
}

function required(map: GoMap | undefined): GoMap {
  if (map === undefined) throw new GoError('src and dst must be of same type');
  return map;
}
