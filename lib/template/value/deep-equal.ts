import type { TemplateBudget } from '../exec/budget';
import { GoComplex, GoInt, GoMap, GoObject, GoSlice, type Value } from './value';

/** Go's reflect.DeepEqual: types have to be the same too, and nil is not empty. */
export function deepEqual(a: Value, b: Value, budget: TemplateBudget, level = 0): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return (a ?? null) === (b ?? null);
  budget.nest(level);
  if (a instanceof GoInt) return b instanceof GoInt && a.type === b.type && a.value === b.value;
  if (a instanceof GoComplex) return b instanceof GoComplex && a.real === b.real && a.imaginary === b.imaginary;
  if (a instanceof GoSlice) return b instanceof GoSlice && equalSlices(a, b, budget, level + 1);
  if (a instanceof GoMap) return b instanceof GoMap && equalMaps(a, b, budget, level + 1);
  return b instanceof GoObject && equalObjects(a, b, budget, level + 1);
}

function equalSlices(a: GoSlice, b: GoSlice, budget: TemplateBudget, level: number): boolean {
  if (a.type.name !== b.type.name || a.isNil !== b.isNil || a.items.length !== b.items.length) return false;
  return a === b || a.items.every((item, at) => deepEqual(item, b.items[at], budget, level));
}

function equalMaps(a: GoMap, b: GoMap, budget: TemplateBudget, level: number): boolean {
  if (a.type.name !== b.type.name || a.isNil !== b.isNil || a.size !== b.size) return false;
  if (a === b) return true;
  return a.keys().every((key) => b.has(key) && deepEqual(a.get(key), b.get(key), budget, level));
}

function equalObjects(a: GoObject, b: GoObject, budget: TemplateBudget, level: number): boolean {
  if (a.type !== b.type) return false;
  if (a === b) return true;
  const [fieldsA, fieldsB] = [a.fields(), b.fields()];
  return (
    fieldsA.length === fieldsB.length &&
    fieldsA.every(([name, value], at) => fieldsB[at]?.[0] === name && deepEqual(value, fieldsB[at]?.[1], budget, level))
  );
}
