import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';

/**
 * JSON without a schema as CEL sees it: members are keys of maps, whole numbers are CEL's integers. What holds none is given
 * as it is, not copied: nearly all of an object is text.
 */
export function asCel(value: JsonValue): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return arrayAsCel(value);
  return isJsonObject(value) ? mapAsCel(value) : value;
}

function arrayAsCel(list: readonly JsonValue[]): readonly unknown[] {
  const items = list.map(asCel);
  return items.some((item, index) => item !== list[index]) ? items : list;
}

function mapAsCel(map: JsonObject): { readonly [key: string]: unknown } {
  let copy: { [key: string]: unknown } | undefined;
  for (const key of Object.keys(map)) {
    const member = map[key] ?? null;
    const converted = key === '__proto__' ? undefined : asCel(member);
    if (converted === member) continue;
    copy ??= { ...map };
    if (key === '__proto__') delete copy[key];
    else copy[key] = converted;
  }
  return copy ?? map;
}
