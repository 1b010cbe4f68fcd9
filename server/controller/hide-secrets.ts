import { formatActedUpon, showsSecretParameters } from '@/lib/kudo/plan/acted-upon';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { type ActedUpon, actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { unknownValue } from '@/lib/kudo/plan/unknown-value';
import { entriesFor } from '@/lib/kudo/sources/parameter-source';
import type { Instance, InstanceSpec, OperatorVersion } from '@/lib/kudo/types';
import type { ReconcilerDeps } from './reconciler-deps';

/**
 * Replaces the values of secret parameters in a record by their fingerprints: in one that a version before 0.2 wrote, and in one with
 * a parameter that became secret later. For Instances at rest, where nothing of the record is needed but its values.
 * Gives the Instance as it is stored then.
 */
export async function hideSecrets(
  { store, fingerprints }: Pick<ReconcilerDeps, 'store' | 'fingerprints'>,
  instance: Instance,
  operatorVersion: OperatorVersion | undefined,
): Promise<Instance> {
  const record = actedUpon(instance);
  if (record === undefined || record.ended !== undefined || operatorVersion === undefined) return instance;
  if (!showsSecretParameters(record, operatorVersion)) return instance;
  const { operatorVersion: reference, plan, uid, startedAt } = record;
  const execution = plan === undefined || uid === undefined ? undefined : { plan, uid, startedAt: startedAt ?? '' };
  const text = formatActedUpon(
    { spec: { operatorVersion: reference, ...inputsOf(record) } },
    { fingerprints, operatorVersion },
    execution,
  );
  return store.annotate(instance, { [ACTED_UPON_ANNOTATION]: text });
}

/** What a record says of values: those that it shows, the fingerprints of others, and where they came from. */
function inputsOf({ parameters, fingerprints = {}, sources = {} }: ActedUpon): InstanceSpec {
  const hidden = Object.entries(fingerprints).map(([name, fingerprint]) => [name, unknownValue(fingerprint)] as const);
  return {
    parameters: { ...parameters, ...Object.fromEntries(hidden) },
    parametersFrom: [...entriesFor(sources, undefined)],
  };
}
