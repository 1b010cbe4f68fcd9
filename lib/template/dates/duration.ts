import { quoteTime } from './quote-time';

/** Go's time.Duration in nanoseconds: String and ParseDuration. */
const SECOND = 1_000_000_000n;

/** `1h2m3.5s`, `1.5µs`, `0s` (as a byte string). */
export function formatGoDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const value = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (value < SECOND) {
    if (value < 1_000n) return `${sign}${value}ns`;
    if (value < 1_000_000n) return `${sign}${fraction(value, 1_000n, 3)}\xc2\xb5s`;
    return `${sign}${fraction(value, 1_000_000n, 6)}ms`;
  }
  const seconds = fraction(value % (60n * SECOND), SECOND, 9);
  const minutes = value / (60n * SECOND);
  if (minutes === 0n) return `${sign}${seconds}s`;
  if (minutes < 60n) return `${sign}${minutes}m${seconds}s`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}s`;
}

function fraction(value: bigint, unit: bigint, digits: number): string {
  const rest = (value % unit).toString().padStart(digits, '0').replace(/0+$/, '');
  return rest === '' ? `${value / unit}` : `${value / unit}.${rest}`;
}

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\xc2\xb5s', 1_000n],
  ['\xce\xbcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', SECOND],
  ['m', 60n * SECOND],
  ['h', 3600n * SECOND],
]);

const PART = /^([0-9]*)(?:\.([0-9]*))?([^0-9.]+)/;
const MAX = 1n << 63n;

/** Nanoseconds of a Go duration, or Go's error message. */
export function parseGoDuration(text: string, quoted: string): bigint | string {
  const negative = text.startsWith('-');
  let rest = /^[+-]/.test(text) ? text.slice(1) : text;
  if (rest === '0') return 0n;
  if (rest === '') return `time: invalid duration ${quoted}`;
  let total = 0n;
  while (rest !== '') {
    const part = readPart(rest, quoted);
    if (typeof part === 'string') return part;
    total += part.nanoseconds;
    if (total > MAX) return `time: invalid duration ${quoted}`;
    rest = rest.slice(part.length);
  }
  if (total === MAX && !negative) return `time: invalid duration ${quoted}`;
  return negative ? -total : total;
}

/** The number and unit at the beginning of a text, or Go's error message. */
function readPart(text: string, quoted: string): { nanoseconds: bigint; length: number } | string {
  const match = PART.exec(text);
  if (match === null) {
    return /^[0-9]*\.?[0-9]+$|^[0-9]+\.?$/.test(text)
      ? `time: missing unit in duration ${quoted}`
      : `time: invalid duration ${quoted}`;
  }
  const [whole, digits = '', decimals = '', unitName = ''] = match;
  if (digits === '' && decimals === '') return `time: invalid duration ${quoted}`;
  const unit = UNITS.get(unitName);
  if (unit === undefined) return `time: unknown unit ${quoteTime(unitName)} in duration ${quoted}`;
  const units = BigInt(digits === '' ? '0' : digits) * unit;
  const fractions = decimals === '' ? 0n : (BigInt(decimals) * unit) / 10n ** BigInt(decimals.length);
  return { nanoseconds: units + fractions, length: whole.length };
}
