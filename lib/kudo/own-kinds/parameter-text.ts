import type { JsonValue } from '@/lib/json/json';
import { canonicalYaml } from '@/lib/kudo/rendering/canonical-yaml';

/** The text of a parameter's value: lists and maps as YAML, everything else as it is written in JSON without quotes. */
export function parameterText(value: JsonValue, type: string | undefined): string {
  if (typeof value === 'string') return value;
  if (type === 'array' || type === 'map' || typeof value === 'object') return canonicalYaml(value);
  return String(value);
}
