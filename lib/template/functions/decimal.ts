import { GoError } from '../template-error';

/** shopspring/decimal as Sprig uses it: exact decimals, divisions to 16 places. value = digits × 10^exponent. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const DIVISION_PLACES = 16;

/** The shortest decimal that is this float. */
export function toDecimal(value: number): Decimal {
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
    throw new GoError(`Cannot create a Decimal from ${name}`);
  }
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** The nearest float. */
export function toNumber(value: Decimal): number {
  return Number(`${value.digits}e${value.exponent}`);
}

function align(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [shift(a.digits, a.exponent - exponent), shift(b.digits, b.exponent - exponent), exponent];
}

function shift(digits: bigint, places: number): bigint {
  return digits * 10n ** BigInt(places);
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const [x, y, exponent] = align(a, b);
  return { digits: x + y, exponent };
}

export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  const [x, y, exponent] = align(a, b);
  return { digits: x - y, exponent };
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, exponent: a.exponent + b.exponent };
}

/** Half away from zero at the sixteenth place. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  if (b.digits === 0n) throw new GoError('decimal division by 0');
  const places = a.exponent - b.exponent + DIVISION_PLACES;
  const numerator = places >= 0 ? shift(a.digits, places) : a.digits;
  const denominator = places >= 0 ? b.digits : shift(b.digits, -places);
  const quotient = numerator / denominator;
  const rest = numerator % denominator;
  const isUp = 2n * magnitude(rest) >= magnitude(denominator);
  const sign = numerator < 0n === denominator < 0n ? 1n : -1n;
  return { digits: isUp ? quotient + sign : quotient, exponent: -DIVISION_PLACES };
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
