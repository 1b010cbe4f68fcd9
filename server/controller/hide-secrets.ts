import { ACTED_UPON_ANNOTATION, actedUpon, formatActedUpon, showsSecretParameters } from '@/lib/kudo/plan/acted-upon';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { World } from './world';

/**
 * Replaces the values of secret parameters in the record that a version before 0.2 wrote on an Instance by their fingerprints. For
 * Instances at rest, where nothing of the record is needed but its values. Gives the Instance as it is stored then.
 */
export async function hideSecrets(
  { store, fingerprints }: Pick<World, 'store' | 'fingerprints'>,
  instance: Instance,
  operatorVersion: OperatorVersion | undefined,
): Promise<Instance> {
  const record = actedUpon(instance);
  if (record === undefined || record.ended !== undefined || operatorVersion === undefined) return instance;
  if (!showsSecretParameters(record, operatorVersion)) return instance;
  const { operatorVersion: reference, parameters, plan, uid, startedAt } = record;
  const execution = plan === undefined || uid === undefined ? undefined : { plan, uid, startedAt: startedAt ?? '' };
  const text = formatActedUpon(
    { spec: { operatorVersion: reference, parameters } },
    { fingerprints, operatorVersion },
    execution,
  );
  return store.annotate(instance, { [ACTED_UPON_ANNOTATION]: text });
}
