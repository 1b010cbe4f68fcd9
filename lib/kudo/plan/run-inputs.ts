import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance } from '@/lib/kudo/types';
import { instanceAsActedUpon, valuesActedUpon } from './acted-upon';
import { actedUpon } from './acted-upon-record';
import { isUnknownValue } from './unknown-value';

/** Values of secret parameters by name, as a run began with them. */
export interface SecretInputs {
  readonly [name: string]: string;
}

/** The values of secret parameters of the run that the record names, as far as the Instance still has them. */
export function secretInputs(instance: Instance, fingerprints: Fingerprinter): SecretInputs {
  const record = actedUpon(instance);
  if (record === undefined) return {};
  const values = valuesActedUpon(record, instance, fingerprints);
  const known = Object.keys(record.fingerprints ?? {}).flatMap((name) => {
    const value = values[name];
    return value === undefined || isUnknownValue(value) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(known);
}

/**
 * The Instance with the version and the values that its run began with. A secret value that was edited while the run was under way
 * is taken from `inputs`; one that no memory holds any more is the present one, whose own plan follows anyway.
 */
export function instanceOfRun(
  instance: Instance,
  fingerprints: Fingerprinter | undefined,
  inputs: SecretInputs,
): Instance {
  const begun = instanceAsActedUpon(instance, fingerprints);
  const values = Object.entries(begun.spec?.parameters ?? {}).flatMap(([name, value]) => {
    const known = isUnknownValue(value) ? (inputs[name] ?? instance.spec?.parameters?.[name]) : value;
    return known === undefined ? [] : [[name, known] as const];
  });
  return { ...begun, spec: { ...begun.spec, parameters: Object.fromEntries(values) } };
}
