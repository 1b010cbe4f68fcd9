import { parseFloat64, parseInt64 } from '../format/parse-number';
import { GO_DURATION } from '../value/types';
import { GoInt, type Value } from '../value/value';
import type { CallContext } from './define';

const MIN_INT64 = -(1n << 63n);

/** Go's int64(float64) on amd64: what does not fit becomes the smallest integer. */
export function truncateToInt64(value: number): bigint {
  return Number.isFinite(value) && Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : MIN_INT64;
}

/** Sprig's toInt64: spf13/cast ToInt64 in Sprig 3, base 10 only in Sprig 2; 0 for values that are not numbers. */
export function toInt64(context: CallContext, value: Value): bigint {
  if (typeof value === 'number') return truncateToInt64(value);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (value instanceof GoInt) return intOf(context, value);
  if (typeof value !== 'string') return 0n;
  const isOld = context.compatibility === 'kudo019';
  const parsed = isOld ? parseInt64(value, 10) : parseInt64(trimZeroDecimal(value), 0);
  return parsed.error === undefined ? parsed.value : 0n;
}

function intOf(context: CallContext, value: GoInt): bigint {
  if (context.compatibility === 'kudo019') return value.value > (1n << 63n) - 1n ? (1n << 63n) - 1n : value.value;
  return value.type === GO_DURATION ? 0n : BigInt.asIntN(64, value.value);
}

/** cast reads `1.00` as 1. */
function trimZeroDecimal(text: string): string {
  const match = /^(.*)\.0+$/s.exec(text);
  return match?.[1] ?? text;
}

/** Sprig's toFloat64: spf13/cast ToFloat64; 0 for values that are not numbers. */
export function toFloat64(context: CallContext, value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof GoInt) {
    return context.compatibility === 'sprig3' && value.type === GO_DURATION ? 0 : Number(value.value);
  }
  if (typeof value !== 'string') return 0;
  const parsed = parseFloat64(value);
  return parsed.error === undefined ? parsed.value : 0;
}
