import type { JsonValue } from '@/lib/json/json';
import { effectiveValue, parametersOf } from '@/lib/kudo/parameters';
import type { OperatorVersion, Parameter } from '@/lib/kudo/types';
import { readYaml, readYamlDocuments } from '@/lib/yaml/yaml';
import { RenderError } from './render-error';

/** What `.Params` holds: a value for every defined parameter; undefined is Go's nil list. */
export type TemplateParameters = { readonly [name: string]: JsonValue | undefined };

/**
 * The parameters as templates see them: `map` and `array` parsed, everything else text, also numbers and booleans
 * (engine 2.2, KUDO ParamsMap). Values of undefined parameters are invisible.
 * @throws RenderError `InvalidParams` for an `array` that is no list and for text that is no YAML
 */
export function unwrapParameters(
  operatorVersion: OperatorVersion,
  values: { readonly [name: string]: string } | undefined,
): TemplateParameters {
  const result: { [name: string]: JsonValue | undefined } = Object.create(null);
  for (const parameter of parametersOf(operatorVersion)) {
    result[parameter.name] = unwrapParameter(parameter, effectiveValue(parameter, values));
  }
  return result;
}

/** One value by its declared type; undefined is "not set and no default". */
export function unwrapParameter(parameter: Parameter, value: string | undefined): JsonValue | undefined {
  const text = value ?? '';
  switch (parameter['value-type']) {
    case 'map':
      return text === '' ? null : parse(parameter, text);
    case 'array': {
      const list = text === '' ? [] : parse(parameter, text);
      if (list === null) return undefined;
      if (!Array.isArray(list)) throw invalid(parameter, 'it is not a list');
      return list;
    }
    default:
      return text;
  }
}

function parse(parameter: Parameter, text: string): JsonValue {
  // Like Go's reader: the first document counts, whatever follows.
  const result = readYamlDocuments(text)[0] ?? readYaml(text);
  if (!result.ok) throw invalid(parameter, result.problems[0]?.message ?? 'it is not valid YAML');
  return result.value;
}

function invalid(parameter: Parameter, why: string): RenderError {
  const type = parameter['value-type'] ?? 'string';
  return new RenderError(`parameter "${parameter.name}" cannot be read as ${type}: ${why}`, 'InvalidParams');
}
