import type { JsonValue } from '@/lib/json/json';

/** Go's word for the type of a JSON value. */
export function jsonTypeName(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
