import type { TemplateBudget } from '../exec/budget';
import { GoMap, GoSlice, type Value } from './value';

/** mitchellh/copystructure: maps and lists are copied, the rest is shared. */
export function deepCopy(value: Value, budget: TemplateBudget, level = 0): Value {
  if (value instanceof GoSlice) {
    budget.nest(level);
    budget.allocate(value.items.length * 48);
    return new GoSlice(
      value.type,
      value.items.map((item) => deepCopy(item, budget, level + 1)),
      value.isNil,
    );
  }
  if (!(value instanceof GoMap)) return value;
  budget.nest(level);
  if (value.isNil) return value;
  budget.allocate(value.size * 96);
  return GoMap.of(
    value.type,
    value.keys().map((key) => [key, deepCopy(value.get(key), budget, level + 1)]),
  );
}
