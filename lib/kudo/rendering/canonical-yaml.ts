import type { JsonValue } from '@/lib/json/json';
import { TemplateBudget } from '@/lib/template/exec/budget';
import { formatGoFloat } from '@/lib/template/format/float';
import { toLooseText } from '@/lib/template/value/bytes';
import { valueFromJson } from '@/lib/template/value/from-json';
import { INT64 } from '@/lib/template/value/types';
import { GoInt, GoMap, GoSlice, type Value } from '@/lib/template/value/value';
import { encodeYaml } from '@/lib/template/yaml/encode';

/**
 * YAML as sigs.k8s.io/yaml with yaml.v2 2.3.0 writes it, byte for byte: the text of stored parameters, and the one that
 * dependency hashes are made of. Block style, two spaces, list dashes at the column of their key, no folding,
 * keys in natural order. Not for people to read: lib/yaml writes what people read.
 */
export function canonicalYaml(value: JsonValue): string {
  return toLooseText(encodeYaml(asWritten(valueFromJson(value)), new TemplateBudget(BOUNDLESS)));
}

/** Objects of the cluster, not of a template: what is already there may be written, however long it is. */
const BOUNDLESS = { steps: Number.POSITIVE_INFINITY, outputBytes: Number.POSITIVE_INFINITY };

/** On their way through JSON, whole numbers that fit 64 bits become integers again. */
function asWritten(value: Value): Value {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return new GoInt(INT64, BigInt(value));
    if (!Number.isInteger(value) || Math.abs(value) > 2 ** 64) return value;
    const written = BigInt(formatGoFloat(value, 'f', -1));
    return written >= -(2n ** 63n) && written < 2n ** 64n ? new GoInt(INT64, written) : value;
  }
  if (value instanceof GoSlice) return new GoSlice(value.type, value.items.map(asWritten), value.isNil);
  if (!(value instanceof GoMap)) return value;
  return GoMap.of(
    value.type,
    value.keys().map((key) => [key, asWritten(value.get(key))]),
  );
}
