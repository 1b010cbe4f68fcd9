import { findParameter } from '@/lib/kudo/parameters/parameters';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { evaluate } from './expression';
import { parameterText } from './parameter-text';
import type { ExpressionScope } from './types';

/** Values of parameters by name; null where the resource gives none, so that the default holds. */
export interface MappedValues {
  readonly [name: string]: string | null;
}

/**
 * What a resource says about the parameters that are mapped. A parameter that the version does not have is left out.
 *
 * @throws TerminalError `ExpressionFailed`
 */
export function mappedParameters(
  mapping: { readonly [name: string]: string },
  scope: ExpressionScope,
  operatorVersion: OperatorVersion,
): MappedValues {
  const values: { [name: string]: string | null } = {};
  for (const [name, text] of Object.entries(mapping)) {
    const parameter = findParameter(operatorVersion, name);
    if (parameter === undefined) continue;
    const value = evaluate(text, scope);
    values[name] = value === null ? null : parameterText(value, parameter['value-type']);
  }
  return values;
}

/** The values that are given; where there is none, the default holds. */
export function givenValues(values: MappedValues): { [name: string]: string } {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null));
}

/** The mapped values that an Instance does not have yet. A value that is the default counts as given when neither sets another one. */
export function differingValues(
  instance: Instance,
  values: MappedValues,
  operatorVersion: OperatorVersion,
): MappedValues {
  const own = instance.spec?.parameters ?? {};
  const differs = ([name, value]: readonly [string, string | null]): boolean => {
    if (!Object.hasOwn(own, name)) return value !== null && value !== findParameter(operatorVersion, name)?.default;
    if (value !== null) return own[name] !== value;
    // Admission writes the defaults of immutable parameters down.
    return own[name] !== findParameter(operatorVersion, name)?.default;
  };
  return Object.fromEntries(Object.entries(values).filter(differs));
}
