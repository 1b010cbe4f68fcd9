import { TerminalError } from '@/lib/errors/errors';
import type { JsonValue } from '@/lib/json/json';
import { effectiveValue, parametersOf } from '@/lib/kudo/parameters/parameters';
import type { OperatorVersion, Parameter } from '@/lib/kudo/types';
import { RenderError } from './render-error';
import { unwrapValue as unwrapText } from './wrap-text';

/** What `.Params` holds: a value for every defined parameter; undefined is Go's nil list. */
export type TemplateParameters = { readonly [name: string]: JsonValue | undefined };

/**
 * The parameters as templates see them: `map` and `array` parsed, everything else text, also numbers and booleans
 * (KUDO ParamsMap). Values of undefined parameters are invisible.
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

/** One value by its declared type; undefined is Go's nil list. */
export function unwrapParameter(parameter: Parameter, value: string | undefined): JsonValue | undefined {
  const type = parameter['value-type'];
  if (type === 'array' && (value ?? '') === '') return [];
  try {
    return unwrapText(value, type);
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    const message = `parameter "${parameter.name}" cannot be read as ${type ?? 'string'}: ${error.message}`;
    throw new RenderError(message, 'InvalidParams');
  }
}
