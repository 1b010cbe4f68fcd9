import { formatValue } from '../format/print';
import { sprint, sprintf, sprintln } from '../format/printf';
import { GoError } from '../template-error';
import { isTruth, typeName } from '../value/describe';
import { UINT8 } from '../value/types';
import { GoInt, GoMap, GoSlice, int, type Value, zeroOf } from '../value/value';
import { compareBuiltins } from './compare';
import { type CallContext, fn, type GoFunctionTable, variadic } from './define';
import { escapeHtml, escapeJs, escapeUrlQuery } from './escape';

/** The functions that text/template brings itself (Go text/template/funcs.go). */
export const builtinFunctions: GoFunctionTable = {
  // The evaluator executes `and` and `or` (exec/call); these entries define arity and types.
  and: variadic(['reflect'], 'reflect', (_, first) => first),
  or: variadic(['reflect'], 'reflect', (_, first) => first),
  not: fn(['reflect'], (_, value) => !isTruth(value)),
  call: variadic(['reflect'], 'reflect', call),
  html: variadic([], 'any', (context, ...values) => escapeHtml(joined(context, values))),
  js: variadic([], 'any', (context, ...values) => escapeJs(joined(context, values))),
  urlquery: variadic([], 'any', (context, ...values) => escapeUrlQuery(joined(context, values))),
  index: variadic(['reflect'], 'reflect', index),
  len: fn(['reflect'], (_, value) => int(lengthOf(value))),
  print: variadic([], 'any', (context, ...values) => sprint(values, context.budget)),
  printf: variadic(['string'], 'any', (context, format, ...values) => sprintf(format, values, context.budget)),
  println: variadic([], 'any', (context, ...values) => sprintln(values, context.budget)),
  ...compareBuiltins,
};

/** The evaluator passes the text of the callee first; no value of a template is a function. */
function call(context: CallContext, ...values: Value[]): Value {
  const [name, callee] = values;
  if (callee === undefined) throw new GoError('call of nil');
  throw new GoError(`non-function ${formatValue(name, context.budget)} of type ${typeName(callee)}`);
}

/** text/template evalArgs: one string as it is, anything else as fmt.Sprint prints it. */
function joined(context: CallContext, values: readonly Value[]): string {
  const [first] = values;
  if (values.length === 1 && typeof first === 'string') return first;
  const shown = values.map((value) => (value === undefined || value === null ? '<no value>' : value));
  return sprint(shown, context.budget);
}

function lengthOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof GoSlice) return value.items.length;
  if (value instanceof GoMap) return value.size;
  if (value === undefined || value === null) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  throw new GoError(`len of type ${typeName(value)}`);
}

function index(context: CallContext, item: Value, ...keys: Value[]): Value {
  if (item === undefined || item === null) throw new GoError('index of untyped nil');
  let current: Value = item;
  for (const key of keys) current = indexOne(context, current, key);
  return current;
}

function indexOne(context: CallContext, item: Value, key: Value): Value {
  if (item === undefined || item === null) throw new GoError('index of nil pointer');
  if (item instanceof GoMap) {
    if (typeof key !== 'string') {
      if (key === undefined || key === null) throw new GoError('value is nil; should be of type string');
      throw new GoError(`value has type ${typeName(key)}; should be string`);
    }
    return item.get(key) ?? zeroOf(item.type.elem);
  }
  if (typeof item === 'string')
    return new GoInt(UINT8, BigInt(item.charCodeAt(position(context, key, item.length, 'string'))));
  if (item instanceof GoSlice) return item.items[position(context, key, item.items.length, 'slice')];
  throw new GoError(`can't index item of type ${typeName(item)}`);
}

/** text/template indexArg. */
function position(context: CallContext, key: Value, length: number, what: 'string' | 'slice'): number {
  if (key === undefined || key === null) throw new GoError('cannot index slice/array with nil');
  if (!(key instanceof GoInt)) throw new GoError(`cannot index slice/array with type ${typeName(key)}`);
  // Go checks against the capacity first, and reflect against the length.
  if (key.value === BigInt(length)) throw new GoError(`reflect: ${what} index out of range`);
  if (key.value < 0n || key.value > BigInt(length)) {
    throw new GoError(`index out of range: ${formatValue(key, context.budget)}`);
  }
  return Number(key.value);
}
