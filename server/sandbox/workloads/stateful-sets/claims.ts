import { objectAt } from '@/lib/json/json';
import type { KubeObject, OwnerReference } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { controllerReference, type WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { claimsOf, STATEFUL_SET_CONTROLLER } from './identity';

/**
 * Makes the claims that a pod lacks, and keeps their owner references as `persistentVolumeClaimRetentionPolicy` wants:
 * the set owns them with `whenDeleted: Delete`; a pod that is scaled away owns them with `whenScaled: Delete`.
 */
export function syncClaims(context: WorkloadContext, set: KubeObject, podName: string, condemned?: KubeObject): void {
  for (const wanted of claimsOf(set, podName)) {
    const present = context.get(resources.persistentvolumeclaims, namespaceOf(set), nameOf(wanted));
    if (present !== undefined) keepOwners(context, set, present, condemned);
    else if (condemned === undefined) create(context, set, wanted, podName);
  }
}

function create(context: WorkloadContext, set: KubeObject, wanted: KubeObject, podName: string): void {
  const owners = ownersFor(set, undefined);
  if (owners.length > 0) wanted.metadata.ownerReferences = owners;
  context.create(resources.persistentvolumeclaims, wanted);
  const message = `create Claim ${nameOf(wanted)} Pod ${podName} in StatefulSet ${nameOf(set)} success`;
  context.events.normal(STATEFUL_SET_CONTROLLER, set, 'SuccessfulCreate', message);
}

function keepOwners(
  context: WorkloadContext,
  set: KubeObject,
  claim: KubeObject,
  condemned: KubeObject | undefined,
): void {
  // References that this controller writes: to the set, or to one of its pods.
  const isOurs = ({ uid, kind, name }: OwnerReference): boolean =>
    uid === set.metadata.uid || (kind === 'Pod' && name.startsWith(`${nameOf(set)}-`));
  const others = (claim.metadata.ownerReferences ?? []).filter((owner) => !isOurs(owner));
  const wanted = [...others, ...ownersFor(set, condemned)];
  context.update(resources.persistentvolumeclaims, claim, (copy) => {
    if (wanted.length > 0) copy.metadata.ownerReferences = wanted;
    else delete copy.metadata.ownerReferences;
  });
}

function ownersFor(set: KubeObject, condemned: KubeObject | undefined): OwnerReference[] {
  const { whenDeleted, whenScaled } = objectAt(set, 'spec', 'persistentVolumeClaimRetentionPolicy');
  if (condemned !== undefined && whenScaled === 'Delete') return [controllerReference(condemned)];
  return whenDeleted === 'Delete' ? [controllerReference(set)] : [];
}
