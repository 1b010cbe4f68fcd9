import { arrayAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { queueKey, type WorkloadContext, type WorkloadController } from '../core/context';
import { resources } from '../core/resources';
import { finalizersOf } from '../pods/claim';
import { isFinished, isTerminating } from '../pods/pod-state';

/** Keeps a deleted claim while a pod uses it, and a deleted volume while it is bound (pkg/controller/volume/pv*protection). */
export function storageProtection(context: WorkloadContext): WorkloadController {
  return {
    name: 'storage-protection',
    *keysFor({ object, type, resource: { resource, group } }) {
      if (group !== '') return;
      if (resource === 'pods' && (type === 'DELETED' || isFinished(object))) yield* claimsOf(object);
      const isProtected = resource === 'persistentvolumeclaims' || resource === 'persistentvolumes';
      if (isProtected && type !== 'DELETED') yield queueKey(object);
    },
    reconcile(namespace, name) {
      const resource = namespace === '' ? resources.persistentvolumes : resources.persistentvolumeclaims;
      const finalizer = `kubernetes.io/${namespace === '' ? 'pv' : 'pvc'}-protection`;
      const object = context.get(resource, namespace, name);
      if (object === undefined) return undefined;
      const isWanted = !isTerminating(object) || (namespace === '' ? isBound : isUsed)(context, object);
      if (finalizersOf(object).includes(finalizer) === isWanted) return undefined;
      context.update(resource, object, (copy) => {
        const rest = finalizersOf(copy).filter((each) => each !== finalizer);
        const finalizers = isWanted && !isTerminating(object) ? [...rest, finalizer] : rest;
        if (finalizers.length > 0) copy.metadata.finalizers = finalizers;
        else delete copy.metadata.finalizers;
      });
      return undefined;
    },
  };
}

function* claimsOf(pod: KubeObject): Generator<string> {
  for (const each of arrayAt(pod, 'spec', 'volumes')) {
    const name = stringAt(each, 'persistentVolumeClaim', 'claimName');
    if (name !== undefined) yield `${namespaceOf(pod)}/${name}`;
  }
}

/** True for a claim that a pod on a node uses. A pod without a node waits for another claim of this name. */
function isUsed(context: WorkloadContext, claim: KubeObject): boolean {
  return context
    .list(resources.pods, namespaceOf(claim))
    .some(
      (pod) =>
        stringAt(pod, 'spec', 'nodeName') !== undefined &&
        !isFinished(pod) &&
        [...claimsOf(pod)].includes(queueKey(claim)),
    );
}

/** True for a volume whose claim is there. */
function isBound(context: WorkloadContext, volume: KubeObject): boolean {
  const { namespace = '', name = '' } = objectAt(volume, 'spec', 'claimRef');
  const claim = context.get(resources.persistentvolumeclaims, String(namespace), String(name));
  return stringAt(claim, 'spec', 'volumeName') === nameOf(volume);
}
