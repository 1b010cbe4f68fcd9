import { parameterSchemaOf, type ReferenceTrait } from '@/lib/kudo/parameters/parameter-schema';
import { effectiveValue, parametersOf } from '@/lib/kudo/parameters/parameters';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { INSTANCE_TYPE, parseReference, type ReferenceTarget } from './reference-target';

/** A parameter of type `instance`, and what it may name. */
export interface ReferenceParameter extends ReferenceTrait {
  readonly parameter: string;
}

/** The parameters of type `instance` of a version, in its order. */
export function referenceParameters(operatorVersion: OperatorVersion | undefined): ReferenceParameter[] {
  const found = parametersOf(operatorVersion).filter((parameter) => parameter['value-type'] === INSTANCE_TYPE);
  if (found.length === 0) return [];
  const { parameters } = parameterSchemaOf(operatorVersion);
  return found.map(({ name }) => ({ ...parameters.get(name)?.reference, parameter: name }));
}

/** The reference that a parameter of an Instance names; undefined when it has no value, or one that names nothing. */
export function referenceOf(
  { parameter }: ReferenceParameter,
  { instance, operatorVersion }: { readonly instance: Instance; readonly operatorVersion: OperatorVersion },
): ReferenceTarget | undefined {
  const definition = parametersOf(operatorVersion).find(({ name }) => name === parameter);
  const value = definition === undefined ? undefined : effectiveValue(definition, instance.spec?.parameters);
  return value === undefined || value === '' ? undefined : parseReference(value, instance.metadata.namespace ?? '');
}

/** The parameter by which an Instance refers to that one; undefined when none does. */
export function refersTo(
  from: { readonly instance: Instance; readonly operatorVersion: OperatorVersion },
  to: { readonly namespace: string; readonly name: string },
): string | undefined {
  return referenceParameters(from.operatorVersion).find((parameter) => {
    const target = referenceOf(parameter, from);
    return target?.kind === 'Instance' && target.name === to.name && target.namespace === to.namespace;
  })?.parameter;
}
