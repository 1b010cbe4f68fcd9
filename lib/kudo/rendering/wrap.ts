import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { canonicalYaml } from './canonical-yaml';
import { formatFloat } from './format-float';

/**
 * A value of a parameter file as the text that an Instance stores (KUDO convert.WrapParamValue): lists and maps
 * as YAML, numbers in Go's shortest `%g` form (`1000000` → `1e+06`), null is undefined.
 */
export function wrapValue(value: JsonValue): string | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return formatFloat(value);
  return canonicalYaml(isJsonObject(value) || Array.isArray(value) ? value : null);
}
