/**
 * Go's strconv.ParseInt, ParseUint and ParseFloat on byte strings. Each returns the value, or one of Go's two
 * errors: `invalid syntax` or `value out of range`.
 */
export type Parsed<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly error: ParseProblem; readonly value: T };
export type ParseProblem = 'invalid syntax' | 'value out of range';

const MAX_UINT64 = 0xffff_ffff_ffff_ffffn;
export const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;
export const MIN_INT64 = -0x8000_0000_0000_0000n;

/** strconv.ParseUint(text, base, 64); base 0 reads prefixes and underscores. */
export function parseUint(text: string, base: 0 | 10): Parsed<bigint> {
  const digits = base === 10 ? (/^[0-9]+$/.test(text) ? text : undefined) : prefixedDigits(text);
  if (digits === undefined) return { error: 'invalid syntax', value: 0n };
  const value = BigInt(digits);
  return value > MAX_UINT64 ? { error: 'value out of range', value: MAX_UINT64 } : { value };
}

/** strconv.ParseInt(text, base, 64). For out of range it returns the nearest value. */
export function parseInt64(text: string, base: 0 | 10): Parsed<bigint> {
  const negative = text[0] === '-';
  const magnitude = parseUint(negative || text[0] === '+' ? text.slice(1) : text, base);
  if (magnitude.error === 'invalid syntax') return magnitude;
  const value = negative ? -magnitude.value : magnitude.value;
  if (value > MAX_INT64) return { error: 'value out of range', value: MAX_INT64 };
  if (value < MIN_INT64) return { error: 'value out of range', value: MIN_INT64 };
  return { value };
}

/** What BigInt() reads of a Go integer with an optional prefix and underscores, or undefined. */
function prefixedDigits(text: string): string | undefined {
  const lower = text.toLowerCase();
  const [, prefix = '', digits = ''] = /^(0[xob]|0(?=[0-9_]))?(.*)$/s.exec(lower) ?? [];
  const body = prefix === '' ? digits : `_${digits.replace(/^_/, '')}`;
  const pattern = DIGITS.get(prefix) ?? DECIMAL;
  if (prefix === '' ? !/^[0-9]/.test(body) : body === '_') return undefined;
  if (!pattern.test(body)) return undefined;
  const plain = body.replaceAll('_', '');
  return prefix === '' ? plain : `${prefix === '0' ? '0o' : prefix}${plain}`;
}

const DECIMAL = /^(_?[0-9])+$/;
const DIGITS: ReadonlyMap<string, RegExp> = new Map([
  ['0x', /^(_?[0-9a-f])+$/],
  ['0o', /^(_?[0-7])+$/],
  ['0', /^(_?[0-7])+$/],
  ['0b', /^(_?[01])+$/],
]);

const FLOAT = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i;
/** Underscores are allowed between digits only. */
const STRAY_UNDERSCORE = /(?:^|[^0-9])_|_(?:$|[^0-9])/;
const HEX_FLOAT = /^([+-]?)0x([0-9a-f_]*)\.?([0-9a-f_]*)p([+-]?[0-9_]+)$/i;
const SPECIAL = /^([+-]?)(inf|infinity|nan)$/i;

/** strconv.ParseFloat(text, 64). */
export function parseFloat64(written: string): Parsed<number> {
  const isDecimal = written.includes('_') && !STRAY_UNDERSCORE.test(written) && !/^[+-]?0[xX]/.test(written);
  const text = isDecimal ? written.replaceAll('_', '') : written;
  if (FLOAT.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? { value } : { error: 'value out of range', value };
  }
  const [whole, sign = '', word = ''] = SPECIAL.exec(text) ?? [];
  if (whole !== undefined) {
    if (word.toLowerCase() === 'nan')
      return sign === '' ? { value: Number.NaN } : { error: 'invalid syntax', value: 0 };
    return { value: sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY };
  }
  return parseHexFloat(text);
}

function parseHexFloat(text: string): Parsed<number> {
  const match = HEX_FLOAT.exec(text);
  if (match === null) return { error: 'invalid syntax', value: 0 };
  const [, sign = '', whole = '', fraction = '', exponent = ''] = match;
  const badUnderscore = /__|_$|_[.p]|\._/i.test(text) || /_$|^[+-]?_|__/.test(exponent);
  const digits = (whole + fraction).replaceAll('_', '');
  if (digits === '' || badUnderscore) return { error: 'invalid syntax', value: 0 };
  const shift = Number(exponent.replaceAll('_', '')) - 4 * fraction.replaceAll('_', '').length;
  const value = scale(BigInt(`0x${digits}`), shift) * (sign === '-' ? -1 : 1);
  return Number.isFinite(value) ? { value } : { error: 'value out of range', value };
}

/** mantissa × 2^shift, rounded once (to nearest even). */
function scale(mantissa: bigint, shift: number): number {
  if (mantissa === 0n) return 0;
  const length = mantissa.toString(2).length;
  // Bits that the result keeps: 53, fewer for subnormal numbers.
  const keep = Math.min(53, length + shift + 1074);
  if (keep < 0 || length + shift > 1100) return keep < 0 ? 0 : Number.POSITIVE_INFINITY;
  const drop = length - keep;
  if (drop <= 0) return Number(mantissa) * 2 ** Math.max(shift, -1074) * 2 ** Math.min(0, shift + 1074);
  const half = 1n << BigInt(drop - 1);
  const rest = mantissa & ((1n << BigInt(drop)) - 1n);
  let kept = mantissa >> BigInt(drop);
  if (rest > half || (rest === half && (kept & 1n) === 1n)) kept += 1n;
  const power = shift + drop;
  return power < -1000
    ? Number(kept) * 2 ** (power + 500) * 2 ** -500
    : Number(kept) * 2 ** Math.min(power, 1000) * 2 ** Math.max(0, power - 1000);
}
