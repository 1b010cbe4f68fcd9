import type { TemplateBudget } from '../exec/budget';
import { formatValue } from '../format/print';
import { GoSlice, type Value } from '../value/value';

/** Sprig's strval: text as it is, anything else as `%v` prints it. */
export function strval(value: Value, budget: TemplateBudget): string {
  return typeof value === 'string' ? value : value === undefined ? '<nil>' : formatValue(value, budget);
}

/** Sprig's strslice: the members as texts, nil left out; a single value is a list of one. */
export function strslice(value: Value, budget: TemplateBudget): string[] {
  if (value === null || value === undefined) return [];
  if (!(value instanceof GoSlice)) return [strval(value, budget)];
  return value.items.filter((item) => item !== null && item !== undefined).map((item) => strval(item, budget));
}
