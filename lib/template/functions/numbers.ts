import { parseInt64 } from '../format/parse-number';
import { GoError } from '../template-error';
import { INT_SLICE } from '../value/types';
import { GoSlice, int, int64, type Value } from '../value/value';
import {
  addDecimals,
  type Decimal,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
  toDecimal,
  toNumber,
} from './decimal';
import { type CallContext, fn, type GoFunctionTable, variadic } from './define';
import { strval } from './strval';
import { toFloat64, toInt64 } from './to-number';

const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

/** Sprig's numeric.go: integers are int64 and wrap around, the functions with `f` calculate in decimals. */
export const numberFunctions: GoFunctionTable = {
  int: fn(['any'], (context, value) => int(toInt64(context, value))),
  int64: fn(['any'], (context, value) => int64(toInt64(context, value))),
  float64: fn(['any'], (context, value) => toFloat64(context, value)),
  atoi: fn(['string'], (_, text) => int(parseInt64(text, 10).value)),
  toDecimal: fn(['any'], (context, value) => int64(octal(strval(value, context.budget)))),
  add: variadic([], 'any', (context, ...values) =>
    int64(values.reduce((sum: bigint, each) => sum + toInt64(context, each), 0n)),
  ),
  add1: fn(['any'], (context, value) => int64(toInt64(context, value) + 1n)),
  sub: fn(['any', 'any'], (context, a, b) => int64(toInt64(context, a) - toInt64(context, b))),
  div: fn(['any', 'any'], (context, a, b) => int64(toInt64(context, a) / divisor(context, b))),
  mod: fn(['any', 'any'], (context, a, b) => int64(toInt64(context, a) % divisor(context, b))),
  mul: variadic(['any'], 'any', (context, first, ...rest) =>
    int64(rest.reduce((product: bigint, each) => wrap(product * toInt64(context, each)), toInt64(context, first))),
  ),
  max: variadic(['any'], 'any', (context, ...values) => int64(extreme(context, values, (a, b) => a > b))),
  biggest: variadic(['any'], 'any', (context, ...values) => int64(extreme(context, values, (a, b) => a > b))),
  min: variadic(['any'], 'any', (context, ...values) => int64(extreme(context, values, (a, b) => a < b))),
  maxf: variadic(['any'], 'any', (context, ...values) => floatExtreme(context, values, Math.max)),
  minf: variadic(['any'], 'any', (context, ...values) => floatExtreme(context, values, Math.min)),
  floor: fn(['any'], (context, value) => Math.floor(toFloat64(context, value))),
  ceil: fn(['any'], (context, value) => Math.ceil(toFloat64(context, value))),
  round: variadic(['any', 'int'], 'float64', (context, value, places, roundOn = 0.5) =>
    round(toFloat64(context, value), places, roundOn),
  ),
  add1f: fn(['any'], (context, value) => decimals(context, [value, 1], addDecimals)),
  addf: variadic([], 'any', (context, ...values) => decimals(context, [0, ...values], addDecimals)),
  subf: variadic(['any'], 'any', (context, ...values) => decimals(context, values, subtractDecimals)),
  mulf: variadic(['any'], 'any', (context, ...values) => decimals(context, values, multiplyDecimals)),
  divf: variadic(['any'], 'any', (context, ...values) => decimals(context, values, divideDecimals)),
  until: fn(['int'], (context, count) => intList(steps(context, 0, count, count < 0 ? -1 : 1))),
  untilStep: fn(['int', 'int', 'int'], (context, start, stop, step) => intList(steps(context, start, stop, step))),
  seq: variadic([], 'int', (context, ...bounds) => sequence(context, bounds).join(' ')),
};

function divisor(context: CallContext, value: Value): bigint {
  const result = toInt64(context, value);
  if (result === 0n) throw new GoError('runtime error: integer divide by zero');
  return result;
}

function octal(text: string): bigint {
  if (!/^[+-]?[0-7]+$/.test(text)) return 0n;
  const magnitude = BigInt(`0o${text.replace(/^[+-]/, '')}`);
  const value = text.startsWith('-') ? -magnitude : magnitude;
  return wrap(value) === value ? value : 0n;
}

function extreme(context: CallContext, values: readonly Value[], wins: (a: bigint, b: bigint) => boolean): bigint {
  const numbers = values.map((value) => toInt64(context, value));
  return numbers.reduce((best, each) => (wins(each, best) ? each : best), numbers[0] ?? 0n);
}

function floatExtreme(
  context: CallContext,
  values: readonly Value[],
  choose: (a: number, b: number) => number,
): number {
  const numbers = values.map((value) => toFloat64(context, value));
  const infinite = choose(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
  // Go's math.Max and Min let an infinity win over NaN.
  return numbers.reduce((best, each) => (best === infinite || each === infinite ? infinite : choose(best, each)));
}

function round(value: number, places: number, roundOn: number): number {
  const power = places >= 0 ? Number(`1e${places}`) : 1 / Number(`1e${-places}`);
  const scaled = power * value;
  const fraction = Number.isFinite(scaled) ? scaled - Math.trunc(scaled) : Number.NaN;
  return (fraction >= roundOn ? Math.ceil(scaled) : Math.floor(scaled)) / power;
}

function decimals(
  context: CallContext,
  values: readonly Value[],
  operate: (a: Decimal, b: Decimal) => Decimal,
): number {
  const [first = 0, ...rest] = values;
  // In order: the first invalid one is the error.
  return toNumber(
    rest.reduce(
      (result: Decimal, each) => {
        context.budget.allocate(64);
        return operate(result, toDecimal(toFloat64(context, each)));
      },
      toDecimal(toFloat64(context, first)),
    ),
  );
}

/** The numbers from start towards stop, without it. */
function steps(context: CallContext, start: number, stop: number, step: number): number[] {
  const goesDown = stop < start;
  if (goesDown ? step >= 0 : step <= 0) return [];
  const count = Math.ceil((stop - start) / step);
  context.budget.allocate(count * 48);
  context.budget.step(Math.ceil(count / 16));
  return Array.from({ length: count }, (_, index) => start + index * step);
}

function intList(numbers: readonly number[]): GoSlice {
  return new GoSlice(INT_SLICE, numbers.map(int));
}

/** `seq 3`, `seq 1 3`, `seq 1 2 9`: last, or first and last, or first, step and last. */
function sequence(context: CallContext, bounds: readonly number[]): number[] {
  const [a = 0, b = 0, c = 0] = bounds;
  switch (bounds.length) {
    case 1: {
      const step = a < 1 ? -1 : 1;
      return steps(context, 1, a + step, step);
    }
    case 2: {
      const step = b < a ? -1 : 1;
      return steps(context, a, b + step, step);
    }
    case 3: {
      if (c < a && b > 0) return [];
      return steps(context, a, c + (c < a ? -1 : 1), b);
    }
    default:
      return [];
  }
}
