import { isJsonObject } from '@/lib/json/json';
import { toBytes } from '../../value/bytes';
import { ANY_MAP, ANY_SLICE, INT_SLICE, STRING_MAP, STRING_SLICE } from '../../value/types';
import { GoMap, GoSlice, int, int64, type Value } from '../../value/value';

/**
 * Values of golden files: plain JSON, and objects with one key that begins with `$` for what JSON cannot say
 * (`{"$int":"5"}`, `{"$stringMap":{…}}` …; test/golden/README.md describes the format).
 */
export function decodeGolden(value: unknown): Value {
  if (typeof value === 'string') return toBytes(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return new GoSlice(ANY_SLICE, value.map(decodeGolden));
  if (!isJsonObject(value)) return undefined;
  const keys = Object.keys(value);
  const [key = ''] = keys;
  if (keys.length === 1 && key.startsWith('$')) return decodeTagged(key, value[key]);
  return GoMap.of(
    ANY_MAP,
    keys.map((each) => [toBytes(each), decodeGolden(value[each])]),
  );
}

function decodeTagged(tag: string, value: unknown): Value {
  const texts = Array.isArray(value) ? value.map(String) : [];
  switch (tag) {
    case '$int':
      return int(BigInt(String(value)));
    case '$int64':
      return int64(BigInt(String(value)));
    case '$float':
      return value === '+Inf' ? Number.POSITIVE_INFINITY : value === '-Inf' ? Number.NEGATIVE_INFINITY : Number(value);
    case '$strings':
      return new GoSlice(STRING_SLICE, texts.map(toBytes));
    case '$ints':
      return new GoSlice(
        INT_SLICE,
        texts.map((each) => int(BigInt(each))),
      );
    case '$stringMap':
      return GoMap.of(
        STRING_MAP,
        Object.entries(isJsonObject(value) ? value : {}).map(([key, each]) => [toBytes(key), toBytes(String(each))]),
      );
    case '$nilSlice':
      return new GoSlice(ANY_SLICE, [], true);
    case '$nilMap':
      return GoMap.nil();
    default:
      throw new TypeError(`unknown tag ${tag} in golden data`);
  }
}
