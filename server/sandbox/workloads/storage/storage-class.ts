import { stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { createdMs } from '../pods/pod-state';

export const PROVISIONER = 'sandbox.bravo.kudo.dev/memory';
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

/** Creates the default StorageClass `standard` if it does not exist yet. */
export function ensureStorageClass(context: WorkloadContext): void {
  if (context.get(resources.storageclasses, '', 'standard') !== undefined) return;
  context.create(resources.storageclasses, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'standard', annotations: { [DEFAULT_CLASS]: 'true' } },
    provisioner: PROVISIONER,
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
    allowVolumeExpansion: true,
  });
}

/** The default class: the newest that is marked so. */
export function defaultClass(context: WorkloadContext): KubeObject | undefined {
  return context
    .list(resources.storageclasses)
    .filter((each) => each.metadata.annotations?.[DEFAULT_CLASS] === 'true')
    .sort((a, b) => createdMs(b) - createdMs(a) || (nameOf(a) < nameOf(b) ? -1 : 1))[0];
}

/** True for classes whose volumes this sandbox makes itself. */
export function isProvisioned(storageClass: KubeObject): boolean {
  return stringAt(storageClass, 'provisioner') === PROVISIONER;
}
