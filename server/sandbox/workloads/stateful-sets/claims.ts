import { jsonEqual, stringAt } from '@/lib/json/json';
import type { KubeObject, OwnerReference } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { controllerReference, type WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { claimsOf } from './identity';

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
  context.events.record(set, {
    type: 'Normal',
    reason: 'SuccessfulCreate',
    message,
    component: 'statefulset-controller',
  });
}

function keepOwners(
  context: WorkloadContext,
  set: KubeObject,
  claim: KubeObject,
  condemned: KubeObject | undefined,
): void {
  const present = claim.metadata.ownerReferences ?? [];
  const ours = ownersFor(set, condemned);
  const others = present.filter((owner) => !isOurs(set, owner, condemned));
  const wanted = [...others, ...ours];
  if (jsonEqual(present, wanted)) return;
  context.update(resources.persistentvolumeclaims, claim, (copy) => {
    if (wanted.length > 0) copy.metadata.ownerReferences = wanted;
    else delete copy.metadata.ownerReferences;
  });
}

/** References that this controller writes: to the set, or to one of its pods. */
function isOurs(set: KubeObject, owner: OwnerReference, condemned: KubeObject | undefined): boolean {
  if (owner.uid === set.metadata.uid || owner.uid === condemned?.metadata.uid) return true;
  return owner.kind === 'Pod' && owner.name.startsWith(`${nameOf(set)}-`);
}

function ownersFor(set: KubeObject, condemned: KubeObject | undefined): OwnerReference[] {
  const deleted = policy(set, 'whenDeleted') === 'Delete';
  const scaled = policy(set, 'whenScaled') === 'Delete';
  if (condemned !== undefined && scaled) return [controllerReference(condemned)];
  return deleted ? [controllerReference(set)] : [];
}

function policy(set: KubeObject, when: 'whenDeleted' | 'whenScaled'): string {
  return stringAt(set, 'spec', 'persistentVolumeClaimRetentionPolicy', when) ?? 'Retain';
}
