import type { Instance, OperatorVersion, Parameter } from '@/lib/kudo/types';
import { type ParameterSchema, parameterSchemaOf } from './parameter-schema';

/** Values by parameter name, as `Instance.spec.parameters` holds them. */
export type ParameterValues = { readonly [name: string]: string };

/** The definitions, in the package's order. */
export function parametersOf(operatorVersion: OperatorVersion | undefined): readonly Parameter[] {
  return operatorVersion?.spec?.parameters ?? [];
}

/** The definition of a name, if there is one. */
export function findParameter(operatorVersion: OperatorVersion | undefined, name: string): Parameter | undefined {
  return parametersOf(operatorVersion).find((parameter) => parameter.name === name);
}

/** The Instance's entry when the key is present (also `""`), else the default, else undefined (KUDO ParamsMap). */
export function effectiveValue(parameter: Parameter, values: ParameterValues | undefined): string | undefined {
  return values !== undefined && Object.hasOwn(values, parameter.name) ? values[parameter.name] : parameter.default;
}

/** The values that templates see, still as text, for every defined parameter. Unset ones are the empty text. */
export function effectiveValues(
  operatorVersion: OperatorVersion | undefined,
  instance: Instance | undefined,
): Map<string, string> {
  const values = instance?.spec?.parameters;
  return new Map(
    parametersOf(operatorVersion).map((parameter) => [parameter.name, effectiveValue(parameter, values) ?? '']),
  );
}

const SECRET_NAME = /PASSWORD|TOKEN|SECRET|KEY/;

/**
 * True when the value of a parameter is to be masked wherever it is shown: params.yaml says `secret: true`, or the name
 * holds PASSWORD, TOKEN, SECRET or KEY in any case.
 */
export function isSecretParameter(name: string, schema?: ParameterSchema): boolean {
  return schema?.parameters.get(name)?.secret === true || SECRET_NAME.test(name.toUpperCase());
}

/** Names of the secret parameters of an OperatorVersion. */
export function secretParameters(operatorVersion: OperatorVersion | undefined): Set<string> {
  const schema = parameterSchemaOf(operatorVersion);
  const names = parametersOf(operatorVersion).map((parameter) => parameter.name);
  return new Set(names.filter((name) => isSecretParameter(name, schema)));
}

/** Required parameters without default that the values leave out or empty, in the package's order. */
export function missingParameters(operatorVersion: OperatorVersion, values: ParameterValues): string[] {
  return parametersOf(operatorVersion)
    .filter((parameter) => parameter.required === true && (parameter.default ?? undefined) === undefined)
    .map((parameter) => parameter.name)
    .filter((name) => !Object.hasOwn(values, name) || values[name] === '');
}

/** KUDO's diff of two sets of values: entries that are new or differ, and entries that are gone. */
export function parameterDiff(
  before: ParameterValues | undefined,
  after: ParameterValues | undefined,
): { changed: Map<string, string>; removed: Map<string, string> } {
  const was = new Map(Object.entries(before ?? {}));
  const is = new Map(Object.entries(after ?? {}));
  return {
    changed: new Map([...is].filter(([name, value]) => was.get(name) !== value)),
    removed: new Map([...was].filter(([name]) => !is.has(name))),
  };
}
