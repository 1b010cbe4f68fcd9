import { ACTED_UPON_ANNOTATION, actedUpon, formatActedUpon, showsSecretParameters } from '@/lib/kudo/plan/acted-upon';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { World } from './world';

/**
 * Replaces the values of secret parameters in the record that a version before 0.2 wrote on an Instance by their fingerprints. For
 * Instances at rest, where nothing of the record is needed but its values.
 */
export async function hideSecrets(
  { store, fingerprints }: Pick<World, 'store' | 'fingerprints'>,
  instance: Instance,
  operatorVersion: OperatorVersion | undefined,
): Promise<void> {
  const record = actedUpon(instance);
  if (record === undefined || record.ended !== undefined || operatorVersion === undefined) return;
  if (!showsSecretParameters(record, operatorVersion)) return;
  const { operatorVersion: reference, parameters, plan, uid, startedAt } = record;
  const execution = plan === undefined || uid === undefined ? undefined : { plan, uid, startedAt: startedAt ?? '' };
  const text = formatActedUpon(
    { spec: { operatorVersion: reference, parameters } },
    { fingerprints, operatorVersion },
    execution,
  );
  await store.annotate(instance, { [ACTED_UPON_ANNOTATION]: text });
}
