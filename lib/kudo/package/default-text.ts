import type { JsonValue } from '@/lib/json/json';
import { wrapParameter } from '@/lib/kudo/rendering/wrap-text';
import { TemplateBudget } from '@/lib/template/exec/budget';
import { formatValue } from '@/lib/template/format/print';
import { toLooseText } from '@/lib/template/value/bytes';
import { valueFromJson } from '@/lib/template/value/from-json';

/**
 * A value of params.yaml as the text that the OperatorVersion stores (KUDO pkg/util/convert): `map` and
 * `array` as YAML, everything else as Go prints it (`3`, `1e+06`, `[a b]`, `map[k:v]`).
 */
export function defaultText(value: JsonValue, type: string | undefined): string {
  return wrapParameter(value, type) ?? goText(value);
}

/** Go's `%v` of a decoded JSON value. */
export function goText(value: JsonValue): string {
  return value === null ? '<nil>' : toLooseText(formatValue(valueFromJson(value), new TemplateBudget()));
}
