import { TerminalError } from '@/lib/errors/errors';
import type { JsonValue } from '@/lib/json/json';
import type { ParameterType } from '@/lib/kudo/types';
import { TemplateBudget } from '@/lib/template/exec/budget';
import { formatValue } from '@/lib/template/format/print';
import { toLooseText } from '@/lib/template/value/bytes';
import { valueFromJson } from '@/lib/template/value/from-json';
import { readYamlAsKubernetes } from '@/lib/yaml/yaml';
import { canonicalYaml } from './canonical-yaml';

/**
 * The text that is stored for a default of params.yaml (KUDO pkg/util/convert, WrapParamValue): `map` and `array`
 * become YAML, also when there is no default (`null`); anything else its Go form (`1000000` is `1e+06`).
 * @param value as read from YAML; null when there is none
 * @returns undefined for no default
 */
export function wrapParameter(
  value: JsonValue | undefined,
  type: ParameterType | string | undefined,
): string | undefined {
  if (type === 'map' || type === 'array') return canonicalYaml(value ?? null);
  if (value === undefined || value === null) return undefined;
  return toLooseText(formatValue(valueFromJson(value), new TemplateBudget()));
}

/**
 * What a template sees of a stored text (KUDO pkg/util/convert, UnwrapParamValue): `map` is read as YAML, whatever comes
 * out; `array` has to be a list; everything else stays text.
 * @returns plain data; undefined is Go's nil list (an `array` parameter with the value null or none)
 * @throws TerminalError when the text cannot be read
 */
export function unwrapValue(text: string | undefined, type: ParameterType | string | undefined): JsonValue | undefined {
  if (type !== 'map' && type !== 'array') return text ?? '';
  const read = readYamlAsKubernetes(text ?? '');
  if (!read.ok) {
    const [problem] = read.problems;
    const where = problem === undefined ? '' : `line ${problem.line}: ${problem.message}`;
    throw invalid(where);
  }
  if (type === 'map' || Array.isArray(read.value)) return read.value;
  if (read.value === null) return undefined;
  throw new TerminalError(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${kindOf(read.value)} into Go value of type []interface {}`,
    'ParameterInvalid',
  );
}

function invalid(why: string): TerminalError {
  return new TerminalError(`error converting YAML to JSON: yaml: ${why}`, 'ParameterInvalid');
}

function kindOf(value: JsonValue): string {
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
