import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { canonicalYaml } from '../rendering/canonical-yaml';
import { formatFloat } from '../rendering/format-float';

/**
 * A value of params.yaml as the text that the OperatorVersion stores (spec packages 6.1; KUDO pkg/util/convert): `map` and
 * `array` as YAML, everything else as Go prints it (`3`, `1e+06`, `[a b]`, `map[k:v]`).
 */
export function defaultText(value: JsonValue, type: string | undefined): string {
  return type === 'map' || type === 'array' ? canonicalYaml(value) : goText(value);
}

/** Go's `%v` of a decoded JSON value. */
export function goText(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return formatFloat(value);
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${key}:${goText(value[key] ?? null)}`);
  return `map[${members.join(' ')}]`;
}
