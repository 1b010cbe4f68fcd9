/**
 * Go's strconv.FormatFloat(value, verb, precision, 64) for the verbs b, e, E, f, g, G, x and X. A precision of -1 returns
 * the fewest digits that read back as the same number.
 */
export function formatGoFloat(value: number, verb: string, precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const magnitude = Math.abs(value);
  switch (verb) {
    case 'b':
      return sign + formatBinary(magnitude);
    case 'x':
    case 'X': {
      const text = formatHex(magnitude, precision);
      return sign + (verb === 'X' ? text.toUpperCase() : text);
    }
    case 'e':
    case 'E': {
      const decimal = precision < 0 ? shortest(magnitude) : significant(magnitude, precision + 1);
      return sign + exponential(decimal, precision < 0 ? decimal.digits.length - 1 : precision, verb);
    }
    case 'f':
    case 'F':
      return sign + formatFixed(magnitude, precision);
    default:
      return sign + formatGeneral(magnitude, precision, verb === 'G' ? 'E' : 'e');
  }
}

/** Digits without leading zeros, and the place of the point: 0.DIGITS × 10^point. Zero has no digits. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

const ZERO: Decimal = { digits: '', point: 0 };

function shortest(value: number): Decimal {
  if (value === 0) return ZERO;
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 };
}

/** The exact decimal expansion. */
function exact(value: number): Decimal {
  if (value === 0) return ZERO;
  const { mantissa, exponent } = parts(value);
  if (exponent >= 0) {
    const digits = (mantissa << BigInt(exponent)).toString();
    return trimZeros({ digits, point: digits.length });
  }
  const digits = (mantissa * 5n ** BigInt(-exponent)).toString();
  return trimZeros({ digits, point: digits.length + exponent });
}

function trimZeros(decimal: Decimal): Decimal {
  return { digits: decimal.digits.replace(/0+$/, ''), point: decimal.point };
}

/** Mantissa and exponent of two: value = mantissa × 2^exponent. */
function parts(value: number): { mantissa: bigint; exponent: number } {
  const bits = new BigUint64Array(new Float64Array([value]).buffer)[0] ?? 0n;
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

/** Rounds to a number of digits, exactly half to even. */
function round(decimal: Decimal, count: number): Decimal {
  const { digits, point } = decimal;
  if (count >= digits.length) return decimal;
  if (count < 0) return ZERO;
  const next = digits.charCodeAt(count) - 48;
  const isHalf = next === 5 && count + 1 === digits.length;
  const previousIsOdd = count > 0 && (digits.charCodeAt(count - 1) - 48) % 2 === 1;
  const up = isHalf ? previousIsOdd : next >= 5;
  const kept = digits.slice(0, count);
  if (!up) return kept === '' ? ZERO : trimZeros({ digits: kept, point });
  const raised = (BigInt(`0${kept}`) + 1n).toString().padStart(count, '0');
  return trimZeros({ digits: raised, point: point + (raised.length - count) });
}

function significant(value: number, count: number): Decimal {
  return round(exact(value), count);
}

function exponential(decimal: Decimal, precision: number, letter: string): string {
  const { digits } = decimal;
  const first = digits[0] ?? '0';
  const rest = precision > 0 ? `.${digits.slice(1, precision + 1).padEnd(precision, '0')}` : '';
  const exponent = digits === '' ? 0 : decimal.point - 1;
  return `${first}${rest}${letter}${exponent < 0 ? '-' : '+'}${Math.abs(exponent).toString().padStart(2, '0')}`;
}

function fixed(decimal: Decimal, precision: number): string {
  const { digits, point } = decimal;
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  if (precision <= 0) return whole;
  const fraction = point >= 0 ? digits.slice(point) : '0'.repeat(Math.min(-point, precision)) + digits;
  return `${whole}.${fraction.slice(0, precision).padEnd(precision, '0')}`;
}

function formatFixed(value: number, precision: number): string {
  if (precision < 0) {
    const decimal = shortest(value);
    return fixed(decimal, Math.max(decimal.digits.length - decimal.point, 0));
  }
  const decimal = exact(value);
  return fixed(round(decimal, decimal.point + precision), precision);
}

function formatGeneral(value: number, wanted: number, letter: string): string {
  const isShortest = wanted < 0;
  const precision = wanted === 0 ? 1 : wanted;
  const decimal = isShortest ? shortest(value) : significant(value, precision);
  const count = decimal.digits.length;
  let limit = isShortest ? 6 : precision;
  if (!isShortest && limit > count && count >= decimal.point) limit = count;
  const exponent = decimal.point - 1;
  if (exponent < -4 || exponent >= limit) {
    const digits = isShortest || precision > count ? count : precision;
    return exponential(decimal, digits - 1, letter);
  }
  return fixed(decimal, Math.max(count - decimal.point, 0));
}

function formatBinary(value: number): string {
  const { mantissa, exponent } = parts(value);
  return `${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`;
}

function formatHex(value: number, precision: number): string {
  let { mantissa, exponent } = parts(value);
  if (mantissa === 0n) return `0x0${precision > 0 ? `.${'0'.repeat(precision)}` : ''}p+00`;
  // One bit before the point, 60 after it.
  const length = mantissa.toString(2).length;
  exponent += length - 1;
  mantissa <<= BigInt(61 - length);
  if (precision >= 0 && precision < 15) {
    const drop = BigInt(60 - precision * 4);
    const extra = mantissa & ((1n << drop) - 1n);
    const half = 1n << (drop - 1n);
    mantissa >>= drop;
    if (extra > half || (extra === half && (mantissa & 1n) === 1n)) mantissa += 1n;
    mantissa <<= drop;
    if (mantissa >> 61n !== 0n) {
      mantissa >>= 1n;
      exponent++;
    }
  }
  const hex = (mantissa & ((1n << 60n) - 1n)).toString(16).padStart(15, '0');
  const fraction = precision < 0 ? hex.replace(/0+$/, '') : hex.slice(0, precision).padEnd(precision, '0');
  const point = fraction === '' ? '' : `.${fraction}`;
  return `0x1${point}p${exponent < 0 ? '-' : '+'}${Math.abs(exponent).toString().padStart(2, '0')}`;
}
