import { effectiveValues, secretParameters } from '@/lib/kudo/parameters/parameters';
import { sourcesOf } from '@/lib/kudo/sources/parameter-source';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { SecretTexts } from './drift-words';

/** The values of an Instance's secret parameters: what no sentence may show. Those in Secrets are not on it, so any text may be one. */
export function secretTextsOf(instance: Instance, operatorVersion: OperatorVersion | undefined): SecretTexts {
  const isElsewhere = sourcesOf(instance.spec).some(({ kind }) => kind === 'Secret');
  return isElsewhere ? 'any text' : ownSecretTexts(instance, operatorVersion);
}

/** The values of secret parameters that are in the Instance or are defaults; all its values when the version is not known. */
export function ownSecretTexts(instance: Instance, operatorVersion: OperatorVersion | undefined): ReadonlySet<string> {
  if (operatorVersion === undefined) return new Set(Object.values(instance.spec?.parameters ?? {}));
  const names = secretParameters(operatorVersion);
  const values = [...effectiveValues(operatorVersion, instance)];
  return new Set(values.flatMap(([name, value]) => (names.has(name) && value !== '' ? [value] : [])));
}

/**
 * The values of secret parameters, and of those that come from Secrets, whatever the operator says of them.
 *
 * @param instance with the values of its sources among its parameters
 */
export function readSecretTexts(instance: Instance, operatorVersion: OperatorVersion | undefined): ReadonlySet<string> {
  const values = instance.spec?.parameters ?? {};
  const ofSecrets = sourcesOf(instance.spec)
    .filter(({ kind }) => kind === 'Secret')
    .map(({ parameter }) => values[parameter] ?? '');
  return new Set([...ownSecretTexts(instance, operatorVersion), ...ofSecrets.filter((text) => text !== '')]);
}
