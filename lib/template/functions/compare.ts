import { formatValue } from '../format/print';
import { sprintf } from '../format/printf';
import { GoError } from '../template-error';
import { deepEqual } from '../value/deep-equal';
import { isSigned, typeName } from '../value/describe';
import { GoComplex, GoInt, GoMap, GoSlice, type Value } from '../value/value';
import { type CallContext, fn, type GoFunctionTable, variadic } from './define';

/** eq, ne, lt, le, gt and ge (Go text/template/funcs.go). */
export const compareBuiltins: GoFunctionTable = {
  eq: variadic(['reflect'], 'reflect', (context, first, ...others) => isEqual(context, first, others)),
  ne: fn(['reflect', 'reflect'], (context, a, b) => !isEqual(context, a, [b])),
  lt: fn(['reflect', 'reflect'], (_, a, b) => isLess(a, b)),
  le: fn(['reflect', 'reflect'], (context, a, b) => isLessOrEqual(context, a, b)),
  gt: fn(['reflect', 'reflect'], (context, a, b) => !isLessOrEqual(context, a, b)),
  ge: fn(['reflect', 'reflect'], (_, a, b) => !isLess(a, b)),
};

type BasicKind = 'bool' | 'complex' | 'int' | 'float' | 'string' | 'uint' | 'none';

const INCOMPATIBLE = 'incompatible types for comparison';

function basicKind(value: Value): BasicKind {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'float';
  if (typeof value === 'string') return 'string';
  if (value instanceof GoInt) return isSigned(value.type) ? 'int' : 'uint';
  return value instanceof GoComplex ? 'complex' : 'none';
}

function isEqual(context: CallContext, first: Value, others: readonly Value[]): boolean {
  if (others.length === 0) throw new GoError('missing argument for comparison');
  return others.some((other) => equals(context, first, other));
}

function equals(context: CallContext, a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a === b;
  const [kind, other] = [basicKind(a), basicKind(b)];
  if (a instanceof GoInt && b instanceof GoInt) return a.value === b.value;
  if (kind !== other) {
    // A signed and an unsigned integer were compared above.
    if (isValid(a) && isValid(b)) throw new GoError(INCOMPATIBLE);
    return false;
  }
  if (kind !== 'none') return a instanceof GoComplex ? deepEqual(a, b, context.budget) : a === b;
  return equalComposite(context, a, b);
}

function isValid(value: Value): boolean {
  return value !== undefined && value !== null;
}

function equalComposite(context: CallContext, a: Value, b: Value): boolean {
  if (!isValid(a) || !isValid(b)) return isNil(a) === isNil(b);
  const shapeA = shapeOf(a);
  if (shapeA !== shapeOf(b)) {
    const [textA, textB] = [sprintf('%s', [a], context.budget), formatValue(b, context.budget)];
    throw new GoError(`non-comparable types ${textA}: ${typeName(a)}, ${typeName(b)}: ${textB}`);
  }
  if (isNil(a) || isNil(b)) return isNil(a) === isNil(b);
  // Go shows the second of them, with a verb for texts.
  if (shapeA !== 'object') {
    throw new GoError(`non-comparable type ${sprintf('%s', [b], context.budget)}: ${typeName(b)}`);
  }
  return a === b || (typeName(a) === typeName(b) && typeName(a)[0] !== '*' && deepEqual(a, b, context.budget));
}

function shapeOf(value: Value): 'slice' | 'map' | 'object' {
  return value instanceof GoSlice ? 'slice' : value instanceof GoMap ? 'map' : 'object';
}

function isNil(value: Value): boolean {
  if (value instanceof GoSlice || value instanceof GoMap) return value.isNil;
  return !isValid(value);
}

function isLess(a: Value, b: Value): boolean {
  const kindA = requireBasic(a);
  const kindB = requireBasic(b);
  if (a instanceof GoInt && b instanceof GoInt) return a.value < b.value;
  if (kindA !== kindB) throw new GoError(INCOMPATIBLE);
  if (typeof a === 'string' && typeof b === 'string') return a < b;
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  throw new GoError('invalid type for comparison');
}

function requireBasic(value: Value): BasicKind {
  const kind = basicKind(value);
  if (kind === 'none') throw new GoError('invalid type for comparison');
  return kind;
}

function isLessOrEqual(context: CallContext, a: Value, b: Value): boolean {
  return isLess(a, b) || isEqual(context, a, [b]);
}
