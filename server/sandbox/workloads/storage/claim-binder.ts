import { arrayAt, cloneJson, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { parseQuantity } from '@/lib/kube/quantity';
import { matchesLabelSelector } from '../../selectors/selector';
import { queueKey, type WorkloadContext, type WorkloadController } from '../core/context';
import { resources } from '../core/resources';
import { isTerminating } from '../pods/pod-state';
import { defaultClass, isProvisioned, PROVISIONER } from './storage-class';

const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';

/**
 * Binds claims to volumes (Kubernetes pkg/controller/volume/persistentvolume): to the one they name, to the smallest that
 * fits, or to a new one when their class is provisioned here, which also grows with its claim. A volume whose claim was deleted is
 * released, or deleted.
 */
export function claimBinder(context: WorkloadContext): WorkloadController {
  return {
    name: 'claim-binder',
    *keysFor(event) {
      const { resource, group } = event.resource;
      const { object, type } = event;
      const isVolume = group === '' && resource === 'persistentvolumes';
      const isClaim = group === '' && resource === 'persistentvolumeclaims';
      if ((isVolume || isClaim) && type !== 'DELETED') yield queueKey(object);
      // The volume of a claim that has gone is released.
      if (isClaim && type === 'DELETED') yield `/${stringAt(object, 'spec', 'volumeName') ?? ''}`;
      if (isVolume || resource === 'storageclasses') {
        for (const claim of context.list(resources.persistentvolumeclaims)) if (!isBound(claim)) yield queueKey(claim);
      }
    },
    reconcile(namespace, name) {
      if (namespace === '') reconcileVolume(context, name);
      else reconcileClaim(context, context.get(resources.persistentvolumeclaims, namespace, name));
      return undefined;
    },
  };
}

function isBound(object: KubeObject): boolean {
  return stringAt(object, 'status', 'phase') === 'Bound';
}

function reconcileClaim(context: WorkloadContext, given: KubeObject | undefined): void {
  if (given === undefined || isTerminating(given)) return;
  if (isBound(given)) {
    grow(context, given);
    return;
  }
  const claim = withDefaultClass(context, given);
  const named = stringAt(claim, 'spec', 'volumeName') ?? '';
  const volume =
    named === ''
      ? (bestVolume(context, claim) ?? provision(context, claim))
      : context.get(resources.persistentvolumes, '', named);
  if (volume !== undefined && isFor(volume, claim)) bind(context, volume, claim);
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
  const { selector } = objectAt(claim, 'spec');
  const fits = (volume: KubeObject): boolean =>
    isFor(volume, claim) &&
    !isTerminating(volume) &&
    (stringAt(volume, 'spec', 'storageClassName') ?? '') === (stringAt(claim, 'spec', 'storageClassName') ?? '') &&
    bytesAt(volume, 'capacity') >= bytesAt(claim, 'resources', 'requests') &&
    arrayAt(claim, 'spec', 'accessModes').every((mode) => arrayAt(volume, 'spec', 'accessModes').includes(mode)) &&
    (selector === undefined || matchesLabelSelector(selector, volume.metadata.labels));
  const smaller = (a: KubeObject, b: KubeObject): number =>
    Number(bytesAt(a, 'capacity') - bytesAt(b, 'capacity')) || (nameOf(a) < nameOf(b) ? -1 : 1);
  return context.list(resources.persistentvolumes).filter(fits).sort(smaller)[0];
}

/** The amount of `storage` in a list of the spec, in billionths of a byte. */
function bytesAt(object: KubeObject, ...path: string[]): bigint {
  return parseQuantity(stringAt(object, 'spec', ...path, 'storage') ?? '0')?.nano ?? 0n;
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

/** Makes a volume for a claim of a class that is provisioned here; otherwise an event says what is waited for. */
function provision(context: WorkloadContext, claim: KubeObject): KubeObject | undefined {
  const className = stringAt(claim, 'spec', 'storageClassName') ?? '';
  const say = (reason: string, message: string, type: 'Normal' | 'Warning' = 'Normal'): undefined => {
    context.events.record(claim, { type, reason, message, component: 'persistentvolume-controller' });
  };
  if (className === '') {
    return say('FailedBinding', 'no persistent volumes available for this claim and no storage class is set');
  }
  const storageClass = context.get(resources.storageclasses, '', className);
  if (storageClass === undefined) {
    return say('ProvisioningFailed', `storageclass.storage.k8s.io "${className}" not found`, 'Warning');
  }
  if (!isProvisioned(storageClass)) {
    const provisioner = stringAt(storageClass, 'provisioner') ?? '';
    const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
    return say('ExternalProvisioning', message);
  }
  const volume = newVolume(claim, storageClass);
  const made =
    context.get(resources.persistentvolumes, '', nameOf(volume)) ?? context.create(resources.persistentvolumes, volume);
  say('ProvisioningSucceeded', `Successfully provisioned volume ${nameOf(made)}`);
  return made;
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

/** A claim that asks for more than it has gets it at once when its volume was provisioned here, as from a driver that grows in use. */
function grow(context: WorkloadContext, claim: KubeObject): void {
  const wanted = bytesAt(claim, 'resources', 'requests');
  const volume = context.get(resources.persistentvolumes, '', stringAt(claim, 'spec', 'volumeName') ?? '');
  if (volume?.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] !== PROVISIONER) return;
  const capacity = { storage: stringAt(claim, 'spec', 'resources', 'requests', 'storage') ?? '' };
  if (bytesAt(volume, 'capacity') < wanted) {
    context.update(resources.persistentvolumes, volume, (copy) => {
      objectAt(copy, 'spec').capacity = { ...capacity };
    });
  }
  const had = parseQuantity(stringAt(claim, 'status', 'capacity', 'storage') ?? '0')?.nano ?? 0n;
  if (had >= wanted) return;
  context.updateStatus(resources.persistentvolumeclaims, claim, { ...objectAt(claim, 'status'), capacity });
  context.events.record(claim, {
    ...{ type: 'Normal', reason: 'FileSystemResizeSuccessful', component: 'kubelet' },
    message: `MountVolume.NodeExpandVolume succeeded for volume "${nameOf(volume)}"`,
  });
}

/** A volume is Available, Bound, or after its claim Released; a provisioned one with policy Delete goes with its claim. */
function reconcileVolume(context: WorkloadContext, name: string): void {
  const volume = context.get(resources.persistentvolumes, '', name);
  if (volume === undefined || isTerminating(volume)) return;
  const status = objectAt(volume, 'status');
  const reference = objectAt(volume, 'spec', 'claimRef');
  const setPhase = (phase: string): void => {
    if (status.phase !== phase) context.updateStatus(resources.persistentvolumes, volume, { ...status, phase });
  };
  const uid = stringAt(reference, 'uid') ?? '';
  if (uid === '') {
    setPhase('Available');
    return;
  }
  const { namespace = '', name: claimName = '' } = reference;
  const claim = context.get(resources.persistentvolumeclaims, String(namespace), String(claimName));
  if (claim?.metadata.uid === uid) return;
  const isProvisionedHere = volume.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] !== undefined;
  if (isProvisionedHere && stringAt(volume, 'spec', 'persistentVolumeReclaimPolicy') === 'Delete') {
    context.delete(resources.persistentvolumes, volume);
  } else setPhase('Released');
}
