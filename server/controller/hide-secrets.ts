import {
  ACTED_UPON_ANNOTATION,
  type ActedUpon,
  actedUpon,
  formatActedUpon,
  showsSecretParameters,
} from '@/lib/kudo/plan/acted-upon';
import { unknownValue } from '@/lib/kudo/plan/unknown-value';
import { entriesFor } from '@/lib/kudo/sources/parameter-source';
import type { Instance, InstanceSpec, OperatorVersion } from '@/lib/kudo/types';
import type { World } from './world';

/**
 * Replaces the values of secret parameters in a record by their fingerprints: one that a version before 0.2 wrote, or one with a
 * parameter that its OperatorVersion has called secret since.
 * For Instances at rest, where nothing of the record is needed but its values.
 */
export async function hideSecrets(
  { store, fingerprints }: Pick<World, 'store' | 'fingerprints'>,
  instance: Instance,
  operatorVersion: OperatorVersion | undefined,
): Promise<void> {
  const record = actedUpon(instance);
  if (record === undefined || record.ended !== undefined || operatorVersion === undefined) return;
  if (!showsSecretParameters(record, operatorVersion)) return;
  const { operatorVersion: reference, plan, uid, startedAt } = record;
  const execution = plan === undefined || uid === undefined ? undefined : { plan, uid, startedAt: startedAt ?? '' };
  const text = formatActedUpon(
    { spec: { operatorVersion: reference, ...inputsOf(record) } },
    { fingerprints, operatorVersion },
    execution,
  );
  await store.annotate(instance, { [ACTED_UPON_ANNOTATION]: text });
}

/** What a record says of values: those that it shows, the fingerprints of others, and where they came from. */
function inputsOf({ parameters, fingerprints = {}, sources = {} }: ActedUpon): InstanceSpec {
  const hidden = Object.entries(fingerprints).map(([name, fingerprint]) => [name, unknownValue(fingerprint)] as const);
  return {
    parameters: { ...parameters, ...Object.fromEntries(hidden) },
    parametersFrom: [...entriesFor(sources, undefined)],
  };
}
