import { namespaceOf } from '@/lib/kube/object';
import { operatorVersionKey } from '@/lib/kudo/names';
import { groupWait } from '@/lib/kudo/plan/concurrency';
import { type Scheduled, scheduledPlan } from '@/lib/kudo/plan/scheduled';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { keyOf } from './instance-store';
import type { ReconcilerDeps } from './reconciler-deps';

/** How soon a run that waits for its group is looked at again. */
export const GROUP_AGAIN_MS = 5_000;

/**
 * Lets a run of a concurrency group begin, or says for which run it waits. Decided and noted without a pause, so that two Instances that are reconciled
 * at once do not both take the last place; what has begun is in the statuses, so that the next controller knows it.
 */
export function takeGroupSlot(
  deps: ReconcilerDeps,
  instance: Instance,
  scheduled: Scheduled,
  operatorVersion: OperatorVersion,
): string | undefined {
  if (planMetadataOf(operatorVersion, scheduled.plan).concurrency === undefined) return undefined;
  const { watches, store, admitted } = deps;
  const others = watches.instances
    .list(namespaceOf(instance))
    .flatMap((other) => store.get(keyOf(other)) ?? [])
    .filter((other) => scheduledPlan(other) !== undefined);
  const scheduledUids = new Set(others.map((other) => scheduledPlan(other)?.uid ?? ''));
  const namespace = namespaceOf(instance);
  for (const [uid, place] of admitted) if (place === namespace && !scheduledUids.has(uid)) admitted.delete(uid);
  const wait = groupWait({
    instance,
    scheduled,
    operatorVersion,
    others,
    versionOf: (other) => {
      const key = operatorVersionKey(other);
      return watches.operatorVersions.get(key.namespace, key.name) as OperatorVersion | undefined;
    },
    isAdmitted: (uid) => admitted.has(uid),
  });
  if (wait === undefined) admitted.set(scheduled.uid, namespace);
  return wait;
}
