import { limits } from '@/lib/limits/limits';

/** A resource amount (Kubernetes apimachinery resource.Quantity): exact, in billionths of the unit. */
export interface Quantity {
  readonly nano: bigint;
  readonly format: 'BinarySI' | 'DecimalSI' | 'DecimalExponent';
}

const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*)([-+]?\d*)$/;
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const ONE = 1_000_000_000n;

/** What kube-apiserver says of a text that is no quantity. */
export const QUANTITY_PROBLEM =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Reads `500m`, `1.5Gi`, `1e3`, 2 …; undefined when it is no quantity. More than nine decimals are rounded up. */
export function parseQuantity(value: string | number): Quantity | undefined {
  const text = String(value);
  if (text.length > limits.quantityChars) return undefined;
  const match = SHAPE.exec(text.trim());
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', letters = '', exponent = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const scale = scaleOf(letters, exponent);
  if (scale === undefined) return undefined;
  const digits = BigInt(whole + fraction);
  const nano = scaled(digits * scale.factor, 9 + scale.exponent - fraction.length);
  return { nano: sign === '-' ? -nano : nano, format: scale.format };
}

interface Scale {
  readonly factor: bigint;
  readonly exponent: number;
  readonly format: Quantity['format'];
}

function scaleOf(letters: string, exponent: string): Scale | undefined {
  if (letters === 'e' || letters === 'E') {
    if (/^[-+]?\d{1,3}$/.test(exponent)) return { factor: 1n, exponent: Number(exponent), format: 'DecimalExponent' };
    if (exponent !== '' || letters === 'e') return undefined;
  }
  if (exponent !== '') return undefined;
  const decimal = DECIMAL.get(letters);
  if (decimal !== undefined) return { factor: 1n, exponent: decimal, format: 'DecimalSI' };
  const binary = BINARY.indexOf(letters);
  return binary > 0 ? { factor: 1024n ** BigInt(binary), exponent: 0, format: 'BinarySI' } : undefined;
}

/** `value` × 10^`exponent`, rounded up. */
function scaled(value: bigint, exponent: number): bigint {
  if (exponent >= 0) return value * 10n ** BigInt(Math.min(exponent, 60));
  const divisor = 10n ** BigInt(Math.min(-exponent, 400));
  return value / divisor + (value % divisor === 0n ? 0n : 1n);
}

/** The canonical text, as the API server writes it: no fraction, the largest suffix that keeps it exact. */
export function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return '0';
  const kibi = 1024n * ONE;
  if (format === 'BinarySI' && (nano >= kibi || nano <= -kibi)) return formatBinary(nano);
  let amount = nano;
  let exponent = -9;
  while (amount % 1000n === 0n && exponent < 18) {
    amount /= 1000n;
    exponent += 3;
  }
  if (format === 'DecimalExponent') return exponent === 0 ? String(amount) : `${amount}e${exponent}`;
  const suffix = [...DECIMAL].find(([, power]) => power === exponent)?.[0] ?? '';
  return `${amount}${suffix}`;
}

function formatBinary(nano: bigint): string {
  const rest = nano % ONE;
  let amount = nano / ONE + (rest === 0n ? 0n : rest > 0n ? 1n : -1n);
  let power = 0;
  while (amount % 1024n === 0n && power < BINARY.length - 1) {
    amount /= 1024n;
    power++;
  }
  return `${amount}${BINARY[power] ?? ''}`;
}

/** The canonical text of a quantity, or undefined when it is none. */
export function canonicalQuantity(value: string | number): string | undefined {
  const quantity = parseQuantity(value);
  return quantity === undefined ? undefined : formatQuantity(quantity);
}

/** Below 0, 0 or above 0 as `a` is less than, equal to or more than `b`. Texts that are no quantity count as 0. */
export function compareQuantities(a: string | number, b: string | number): number {
  const difference = (parseQuantity(a)?.nano ?? 0n) - (parseQuantity(b)?.nano ?? 0n);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
