import { arrayAt, cloneJson, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { parseQuantity } from '@/lib/kube/quantity';
import type { ObjectEvent } from '../../api';
import { matchesLabelSelector } from '../../selectors/selector';
import { type Controller, queueKey, type WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { isTerminating } from '../pods/pod-state';
import { defaultClass, isProvisioned } from './storage-class';

const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';

/**
 * Binds claims to volumes (Kubernetes pkg/controller/volume/persistentvolume): to the one they name, to the smallest that
 * fits, or to a new one when their class is provisioned here. A volume whose claim was deleted is released, or deleted.
 */
export function claimBinder(context: WorkloadContext): Controller {
  return {
    name: 'claim-binder',
    *keysFor(event) {
      const { resource, group } = event.resource;
      if (group === '' && resource === 'persistentvolumeclaims') yield* ringClaim(context, event);
      if (group === '' && resource === 'persistentvolumes') yield* ringVolume(context, event);
      if (resource === 'storageclasses') yield* unboundClaims(context);
    },
    reconcile(namespace, name) {
      if (namespace === '') return reconcileVolume(context, name);
      const claim = context.get(resources.persistentvolumeclaims, namespace, name);
      return claim === undefined ? undefined : reconcileClaim(context, claim);
    },
  };
}

function* ringClaim(context: WorkloadContext, { object, type }: ObjectEvent): Generator<string> {
  if (type !== 'DELETED') {
    yield queueKey(object);
    return;
  }
  const volume = stringAt(object, 'spec', 'volumeName');
  if (volume !== undefined && context.get(resources.persistentvolumes, '', volume) !== undefined) yield `/${volume}`;
}

function* ringVolume(context: WorkloadContext, { object, type }: ObjectEvent): Generator<string> {
  if (type !== 'DELETED') yield queueKey(object);
  yield* unboundClaims(context);
}

function* unboundClaims(context: WorkloadContext): Generator<string> {
  for (const claim of context.list(resources.persistentvolumeclaims)) {
    if (stringAt(claim, 'status', 'phase') !== 'Bound') yield queueKey(claim);
  }
}

function reconcileClaim(context: WorkloadContext, given: KubeObject): undefined {
  if (stringAt(given, 'status', 'phase') === 'Bound' || isTerminating(given)) return undefined;
  const claim = withDefaultClass(context, given);
  const named = stringAt(claim, 'spec', 'volumeName');
  if (named !== undefined && named !== '') {
    const volume = context.get(resources.persistentvolumes, '', named);
    if (volume !== undefined && isFor(volume, claim)) bind(context, volume, claim);
    return undefined;
  }
  const volume = bestVolume(context, claim) ?? provision(context, claim);
  if (volume !== undefined) bind(context, volume, claim);
  return undefined;
}

/** A claim without a class gets the default class, when there is one. */
function withDefaultClass(context: WorkloadContext, claim: KubeObject): KubeObject {
  if (stringAt(claim, 'spec', 'storageClassName') !== undefined) return claim;
  const storageClass = defaultClass(context);
  if (storageClass === undefined) return claim;
  return context.update(resources.persistentvolumeclaims, claim, (copy) => {
    objectAt(copy, 'spec').storageClassName = nameOf(storageClass);
  });
}

/** The smallest free volume of the claim's class that is large enough, has its access modes and matches its selector. */
function bestVolume(context: WorkloadContext, claim: KubeObject): KubeObject | undefined {
  const wanted = requestOf(claim);
  const selector = objectAt(claim, 'spec').selector;
  return context
    .list(resources.persistentvolumes)
    .filter((volume) => !isTerminating(volume) && isFor(volume, claim))
    .filter(
      (volume) =>
        (stringAt(volume, 'spec', 'storageClassName') ?? '') === (stringAt(claim, 'spec', 'storageClassName') ?? ''),
    )
    .filter((volume) => capacityOf(volume) >= wanted)
    .filter((volume) =>
      arrayAt(claim, 'spec', 'accessModes').every((mode) => arrayAt(volume, 'spec', 'accessModes').includes(mode)),
    )
    .filter((volume) => selector === undefined || matchesLabelSelector(selector, volume.metadata.labels))
    .sort((a, b) => compare(capacityOf(a), capacityOf(b)) || (nameOf(a) < nameOf(b) ? -1 : 1))[0];
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** True when the volume is free, or reserved for this very claim. */
function isFor(volume: KubeObject, claim: KubeObject): boolean {
  const reference = objectAt(volume, 'spec').claimRef;
  if (reference === undefined || reference === null) return true;
  const uid = stringAt(reference, 'uid') ?? '';
  return (
    stringAt(reference, 'namespace') === namespaceOf(claim) &&
    stringAt(reference, 'name') === nameOf(claim) &&
    (uid === '' || uid === claim.metadata.uid)
  );
}

function capacityOf(volume: KubeObject): bigint {
  return parseQuantity(stringAt(volume, 'spec', 'capacity', 'storage') ?? '0')?.nano ?? 0n;
}

function requestOf(claim: KubeObject): bigint {
  return parseQuantity(stringAt(claim, 'spec', 'resources', 'requests', 'storage') ?? '0')?.nano ?? 0n;
}

/** Makes a volume for a claim of a class that is provisioned here; otherwise an event says what is waited for. */
function provision(context: WorkloadContext, claim: KubeObject): KubeObject | undefined {
  const className = stringAt(claim, 'spec', 'storageClassName') ?? '';
  if (className === '') {
    warn(
      context,
      claim,
      'Normal',
      'FailedBinding',
      'no persistent volumes available for this claim and no storage class is set',
    );
    return undefined;
  }
  const storageClass = context.get(resources.storageclasses, '', className);
  if (storageClass === undefined) {
    warn(context, claim, 'Warning', 'ProvisioningFailed', `storageclass.storage.k8s.io "${className}" not found`);
    return undefined;
  }
  if (!isProvisioned(storageClass)) {
    const provisioner = stringAt(storageClass, 'provisioner') ?? '';
    const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
    warn(context, claim, 'Normal', 'ExternalProvisioning', message);
    return undefined;
  }
  const name = `pvc-${claim.metadata.uid ?? ''}`;
  const volume =
    context.get(resources.persistentvolumes, '', name) ??
    context.create(resources.persistentvolumes, newVolume(claim, storageClass));
  warn(context, claim, 'Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`);
  return volume;
}

function newVolume(claim: KubeObject, storageClass: KubeObject): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: `pvc-${claim.metadata.uid ?? ''}`,
      annotations: { 'pv.kubernetes.io/provisioned-by': stringAt(storageClass, 'provisioner') ?? '' },
    },
    spec: {
      capacity: { storage: stringAt(claim, 'spec', 'resources', 'requests', 'storage') ?? '1Gi' },
      accessModes: [...arrayAt(claim, 'spec', 'accessModes')],
      persistentVolumeReclaimPolicy: stringAt(storageClass, 'reclaimPolicy') ?? 'Delete',
      storageClassName: nameOf(storageClass),
      volumeMode: stringAt(claim, 'spec', 'volumeMode') ?? 'Filesystem',
      hostPath: { path: `/var/lib/sandbox/${namespaceOf(claim)}/${nameOf(claim)}`, type: 'DirectoryOrCreate' },
      claimRef: referenceTo(claim),
    },
  };
}

function referenceTo(claim: KubeObject): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    name: nameOf(claim),
    namespace: namespaceOf(claim),
    uid: claim.metadata.uid ?? '',
    resourceVersion: claim.metadata.resourceVersion ?? '',
  };
}

/** Volume first, then claim, each with its status. */
function bind(context: WorkloadContext, volume: KubeObject, claim: KubeObject): void {
  const volumeName = nameOf(volume);
  const reserved = stringAt(volume, 'spec', 'claimRef', 'uid') === claim.metadata.uid;
  const bound = context.update(resources.persistentvolumes, volume, (copy) => {
    if (!reserved) {
      objectAt(copy, 'spec').claimRef = referenceTo(claim);
      copy.metadata.annotations = { ...copy.metadata.annotations, [BOUND_BY_CONTROLLER]: 'yes' };
    }
  });
  context.updateStatus(resources.persistentvolumes, bound, { ...objectAt(bound, 'status'), phase: 'Bound' });
  const chosen = stringAt(claim, 'spec', 'volumeName') === undefined;
  const updated = context.update(resources.persistentvolumeclaims, claim, (copy) => {
    objectAt(copy, 'spec').volumeName = volumeName;
    const annotations = { ...copy.metadata.annotations, [BIND_COMPLETED]: 'yes' };
    copy.metadata.annotations = chosen ? { ...annotations, [BOUND_BY_CONTROLLER]: 'yes' } : annotations;
  });
  context.updateStatus(resources.persistentvolumeclaims, updated, {
    ...objectAt(updated, 'status'),
    phase: 'Bound',
    accessModes: cloneJson([...arrayAt(volume, 'spec', 'accessModes')]),
    capacity: cloneJson(objectAt(volume, 'spec', 'capacity')),
  });
}

/** A volume is Available, Bound, or after its claim Released; a provisioned one with policy Delete goes with its claim. */
function reconcileVolume(context: WorkloadContext, name: string): undefined {
  const volume = context.get(resources.persistentvolumes, '', name);
  if (volume === undefined || isTerminating(volume)) return undefined;
  const status = objectAt(volume, 'status');
  const reference = objectAt(volume, 'spec', 'claimRef');
  const claimName = stringAt(reference, 'name');
  if (claimName === undefined) {
    if (status.phase !== 'Available')
      context.updateStatus(resources.persistentvolumes, volume, { ...status, phase: 'Available' });
    return undefined;
  }
  const uid = stringAt(reference, 'uid') ?? '';
  const claim = context.get(resources.persistentvolumeclaims, stringAt(reference, 'namespace') ?? '', claimName);
  if (uid === '' || claim?.metadata.uid === uid) {
    if (uid === '' && status.phase !== 'Available') {
      context.updateStatus(resources.persistentvolumes, volume, { ...status, phase: 'Available' });
    }
    return undefined;
  }
  const provisioned = volume.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] !== undefined;
  if (stringAt(volume, 'spec', 'persistentVolumeReclaimPolicy') === 'Delete' && provisioned) {
    context.delete(resources.persistentvolumes, volume);
  } else if (status.phase !== 'Released') {
    context.updateStatus(resources.persistentvolumes, volume, { ...status, phase: 'Released' });
  }
  return undefined;
}

function warn(
  context: WorkloadContext,
  claim: KubeObject,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
) {
  context.events.record(claim, { type, reason, message, component: 'persistentvolume-controller' });
}
