import type { Problem } from '@/lib/errors/errors';
import { isUnknownValue, NO_VALUE } from '@/lib/kudo/plan/unknown-value';
import { INSTANCE_TYPE, referenceTextProblem } from '@/lib/kudo/references/reference-target';
import type { OperatorVersion, Parameter } from '@/lib/kudo/types';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { readYamlAsKubernetes } from '@/lib/yaml/yaml';
import { goBooleanProblem, goFloatProblem, goIntegerProblem } from './go-scalars';
import { type ParameterValues, parametersOf, secretParameters } from './parameters';

/**
 * What is wrong with a text as the value of a parameter, or undefined (KUDO parameter_types_helpers.go ValidateValue).
 * The empty text passes unless the parameter is required and has no default; then the type, then the enum is checked.
 */
export function parameterProblem(parameter: Parameter, value: string | undefined): string | undefined {
  const text = value ?? '';
  if (text === '') {
    const missing = parameter.required === true && (parameter.default === undefined || parameter.default === null);
    return missing ? `parameter "${parameter.name}" is required but has no value set` : undefined;
  }
  const wrong = typeProblem(parameter['value-type'], text) ?? enumProblem(parameter.enum, text);
  return wrong === undefined ? undefined : `parameter "${parameter.name}" has an invalid value "${text}": ${wrong}`;
}

/**
 * All problems of a set of values against all definitions, in their order. `path` is the parameter's name. The texts end up
 * in events and answers of the API: they do not hold the value of a secret parameter. Values that come from a source are not
 * judged here, because they are not known (`sourceHold`).
 */
export function parameterProblems(
  operatorVersion: OperatorVersion | undefined,
  values: ParameterValues | undefined,
): Problem[] {
  return parametersOf(operatorVersion).flatMap((parameter) => {
    const set = values !== undefined && Object.hasOwn(values, parameter.name) ? values[parameter.name] : undefined;
    const own = set === NO_VALUE ? undefined : set;
    if (own !== undefined && isUnknownValue(own)) return [];
    const message = parameterProblem(parameter, own);
    if (message === undefined) return [];
    const isHidden = own !== undefined && own !== '' && secretParameters(operatorVersion).has(parameter.name);
    return [{ path: parameter.name, message: isHidden ? hiddenProblem(parameter.name) : message }];
  });
}

/** What is said of a secret value that does not fit. */
export function hiddenProblem(name: string): string {
  return `parameter "${name}" has an invalid value ${SECRET_MARK}: it does not fit its type or is not allowed`;
}

/** What is wrong with a text of that type, in KUDO's words. An absent, `string` or unknown type takes everything. */
export function typeProblem(type: string | undefined, text: string): string | undefined {
  switch (type) {
    case 'integer':
      return scalarProblem(type, text, goIntegerProblem(text));
    case 'number':
      return scalarProblem(type, text, goFloatProblem(text));
    case 'boolean':
      return scalarProblem(type, text, goBooleanProblem(text));
    case 'array':
    case 'map':
      return structureProblem(type, text);
    case INSTANCE_TYPE:
      return referenceTextProblem(text);
    default:
      return undefined;
  }
}

function scalarProblem(type: string, text: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `type is "${type}" but format of "${text}" is invalid: ${problem}`;
}

function structureProblem(type: 'array' | 'map', text: string): string | undefined {
  const read = readYamlAsKubernetes(text);
  if (!read.ok) return `type is "${type}", but format of ${text} is invalid`;
  if (read.value === null) return undefined;
  const isArray = Array.isArray(read.value);
  if (type === 'array') return isArray ? undefined : `type is "array" but value ${text} is not an array`;
  return !isArray && typeof read.value === 'object' ? undefined : `type is "map" but value ${text} is not a map`;
}

/** Exact equality with a member; an absent or empty list of members allows everything. */
export function enumProblem(members: readonly string[] | null | undefined, text: string): string | undefined {
  if (members === undefined || members === null || members.length === 0 || members.includes(text)) return undefined;
  return `value is "${text}", but only allowed values are [${members.join(' ')}]`;
}
