import { GoError } from '../template-error';
import { deepCopy } from '../value/deep-copy';
import { deepEqual } from '../value/deep-equal';
import { goKindOf, typeName } from '../value/describe';
import type { Value } from '../value/value';
import { type CallContext, fn, type GoFunctionTable, variadic } from './define';
import { isEmpty } from './empty';

/** Sprig's defaults.go and reflect.go, and `fail`. */
export const reflectionFunctions: GoFunctionTable = {
  default: variadic(['any'], 'any', (_, fallback, ...given) =>
    given.length === 0 || isEmpty(given[0]) ? fallback : given[0],
  ),
  empty: fn(['any'], (_, value) => isEmpty(value)),
  coalesce: variadic([], 'any', (_, ...values) => values.find((value) => !isEmpty(value))),
  all: variadic([], 'any', (_, ...values) => values.every((value) => !isEmpty(value))),
  any: variadic([], 'any', (_, ...values) => values.some((value) => !isEmpty(value))),
  ternary: fn(['any', 'any', 'bool'], (_, yes, no, condition) => (condition ? yes : no)),
  typeOf: fn(['any'], (_, value) => goTypeName(value)),
  typeIs: fn(['string', 'any'], (_, name, value) => name === goTypeName(value)),
  typeIsLike: fn(['string', 'any'], (_, name, value) => {
    const type = goTypeName(value);
    return name === type || `*${name}` === type;
  }),
  kindOf: fn(['any'], (_, value) => goKindOf(value)),
  kindIs: fn(['string', 'any'], (_, name, value) => name === goKindOf(value)),
  deepEqual: fn(['any', 'any'], (context, a, b) => deepEqual(a, b, context.budget)),
  deepCopy: fn(['any'], copy),
  mustDeepCopy: fn(['any'], copy),
  fail: fn(['string'], (_, message) => {
    throw new GoError(message);
  }),
};

function copy(context: CallContext, value: Value): Value {
  if (value === null) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  return deepCopy(value, context.budget);
}

function goTypeName(value: Value): string {
  return value === null ? '<nil>' : typeName(value);
}
