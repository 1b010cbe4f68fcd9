import { effectiveValues, secretParameters } from '@/lib/kudo/parameters';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';

/** The values of an Instance's secret parameters: what no sentence may show. */
export function secretTextsOf(instance: Instance, operatorVersion: OperatorVersion | undefined): Set<string> {
  if (operatorVersion === undefined) return new Set(Object.values(instance.spec?.parameters ?? {}));
  const names = secretParameters(operatorVersion);
  const values = [...effectiveValues(operatorVersion, instance)];
  return new Set(values.flatMap(([name, value]) => (names.has(name) && value !== '' ? [value] : [])));
}
