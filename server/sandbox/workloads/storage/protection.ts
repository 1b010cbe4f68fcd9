import { arrayAt, stringAt } from '@/lib/json/json';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { type Controller, queueKey, type WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { finalizersOf } from '../pods/claim';
import { isFinished, isTerminating } from '../pods/pod-state';

const CLAIM_FINALIZER = 'kubernetes.io/pvc-protection';
const VOLUME_FINALIZER = 'kubernetes.io/pv-protection';

/** Keeps a deleted claim while a pod uses it, and a deleted volume while it is bound (pkg/controller/volume/pv*protection). */
export function storageProtection(context: WorkloadContext): Controller {
  return {
    name: 'storage-protection',
    *keysFor(event) {
      const { resource, group } = event.resource;
      if (group !== '') return;
      const ended = event.type === 'DELETED' || isFinished(event.object);
      if (resource === 'pods' && ended) yield* claimsOf(event.object);
      if (event.type === 'DELETED') return;
      if (resource === 'persistentvolumeclaims' || resource === 'persistentvolumes') yield queueKey(event.object);
    },
    reconcile(namespace, name) {
      if (namespace === '') return volume(context, name);
      return claim(context, namespace, name);
    },
  };
}

function* claimsOf(pod: KubeObject): Generator<string> {
  for (const each of arrayAt(pod, 'spec', 'volumes')) {
    const name = stringAt(each, 'persistentVolumeClaim', 'claimName');
    if (name !== undefined) yield `${namespaceOf(pod)}/${name}`;
  }
}

function claim(context: WorkloadContext, namespace: string, name: string): undefined {
  const object = context.get(resources.persistentvolumeclaims, namespace, name);
  if (object === undefined) return undefined;
  if (!isTerminating(object)) return add(context, resources.persistentvolumeclaims, object, CLAIM_FINALIZER);
  const used = context
    .list(resources.pods, namespace)
    .some((pod) => !isFinished(pod) && [...claimsOf(pod)].includes(queueKey(object)));
  if (!used) remove(context, resources.persistentvolumeclaims, object, CLAIM_FINALIZER);
  return undefined;
}

function volume(context: WorkloadContext, name: string): undefined {
  const object = context.get(resources.persistentvolumes, '', name);
  if (object === undefined) return undefined;
  if (!isTerminating(object)) return add(context, resources.persistentvolumes, object, VOLUME_FINALIZER);
  const claimed = context.get(
    resources.persistentvolumeclaims,
    stringAt(object, 'spec', 'claimRef', 'namespace') ?? '',
    stringAt(object, 'spec', 'claimRef', 'name') ?? '',
  );
  const bound = claimed !== undefined && stringAt(claimed, 'spec', 'volumeName') === nameOf(object);
  if (!bound) remove(context, resources.persistentvolumes, object, VOLUME_FINALIZER);
  return undefined;
}

function add(context: WorkloadContext, resource: GroupVersionResource, object: KubeObject, name: string): undefined {
  if (finalizersOf(object).includes(name)) return undefined;
  context.update(resource, object, (copy) => {
    copy.metadata.finalizers = [...(copy.metadata.finalizers ?? []), name];
  });
  return undefined;
}

function remove(context: WorkloadContext, resource: GroupVersionResource, object: KubeObject, name: string): void {
  if (!finalizersOf(object).includes(name)) return;
  context.update(resource, object, (copy) => {
    const rest = finalizersOf(copy).filter((finalizer) => finalizer !== name);
    if (rest.length > 0) copy.metadata.finalizers = rest;
    else delete copy.metadata.finalizers;
  });
}
