import { effectiveValues, secretParameters } from '@/lib/kudo/parameters/parameters';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { type Source, sourcesOf } from '@/lib/kudo/sources/parameter-source';
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
 * The values of secret parameters, and of those that come from Secrets, whatever the operator says of them. Undefined when one of these
 * is not known: any text may be it then.
 *
 * @param instance as its run began, with the values of its sources among its parameters and the record of what was acted upon
 */
export function readSecretTexts(
  instance: Instance,
  operatorVersion: OperatorVersion | undefined,
): ReadonlySet<string> | undefined {
  const values = instance.spec?.parameters ?? {};
  // A source that had no value has no fingerprint in the record: an optional key may not exist.
  const recorded = actedUpon(instance)?.fingerprints ?? {};
  const isUnknown = ({ parameter }: Source) => Object.hasOwn(recorded, parameter) && values[parameter] === undefined;
  return secretSources(instance).some(isUnknown) ? undefined : knownSecretTexts(instance, operatorVersion);
}

/** Those of them that are known. */
export function knownSecretTexts(
  instance: Instance,
  operatorVersion: OperatorVersion | undefined,
): ReadonlySet<string> {
  const values = instance.spec?.parameters ?? {};
  const texts = secretSources(instance).map(({ parameter }) => values[parameter] ?? '');
  return new Set([...ownSecretTexts(instance, operatorVersion), ...texts.filter((text) => text !== '')]);
}

function secretSources(instance: Instance): Source[] {
  return sourcesOf(instance.spec).filter(({ kind }) => kind === 'Secret');
}
