import { effectiveValues, secretParameters } from '@/lib/kudo/parameters';
import { sourcesOf } from '@/lib/kudo/sources/parameter-source';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { SecretTexts } from './drift-words';

/** The values of an Instance's secret parameters: what no sentence may show. Those in Secrets are not on it, so any text may be one. */
export function secretTextsOf(instance: Instance, operatorVersion: OperatorVersion | undefined): SecretTexts {
  if (sourcesOf(instance.spec).some(({ kind }) => kind === 'Secret')) return 'any text';
  if (operatorVersion === undefined) return new Set(Object.values(instance.spec?.parameters ?? {}));
  const names = secretParameters(operatorVersion);
  const values = [...effectiveValues(operatorVersion, instance)];
  return new Set(values.flatMap(([name, value]) => (names.has(name) && value !== '' ? [value] : [])));
}
