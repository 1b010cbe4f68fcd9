import { isJsonObject } from '@/lib/json/json';

/**
 * A JSON value as Go's `%v` prints it after decoding into `interface{}`: `map[a:1 b:[x y]]`, keys sorted, `<nil>` for
 * null. Kubernetes puts such text into messages.
 */
export function formatGo(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(formatGo).join(' ')}]`;
  if (typeof value === 'number') return formatGoNumber(value);
  if (!isJsonObject(value)) return String(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${key}:${formatGo(value[key])}`);
  return `map[${members.join(' ')}]`;
}

/** Kubernetes decodes whole numbers as int64 and the rest as float64; `%v` writes floats from 1e21 on with exponent. */
export function formatGoNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
}
