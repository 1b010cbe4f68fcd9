import { CelError, CelMap, CelOptional, CelUint, type CelValue, isCelList, typeNameOf } from '@/lib/cel/values';
import type { JsonObject, JsonValue } from '@/lib/json/json';

/**
 * A CEL value as JSON; an optional without value is null.
 *
 * @throws CelError for a value that JSON has no form for
 */
export function celToJson(value: CelValue): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof CelUint) return Number(value.value);
  if (value instanceof CelOptional) return value.value === undefined ? null : celToJson(value.value);
  if (isCelList(value)) return value.map(celToJson);
  if (value instanceof CelMap) return mapToJson(value);
  throw new CelError(`a value of type ${typeNameOf(value)} cannot be stored; convert it with string()`);
}

function mapToJson(map: CelMap): JsonObject {
  const entries = map.keys().map((key): [string, JsonValue] => {
    if (typeof key !== 'string') throw new CelError('a map that is stored has keys of type string');
    return [key, celToJson(map.find(key) ?? null)];
  });
  return Object.fromEntries(entries);
}
