import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import { kubeHealthOf } from '@/lib/kube/health/health';
import type { Health } from '@/lib/kube/health/verdict';
import type { KubeObject } from '@/lib/kube/object';

/** The health of an object of an Instance: the completed pod of a Job is healthy. */
export function healthOfOwned(object: KubeObject): Health {
  const hasEnded = object.kind === 'Pod' && stringAt(object.status, 'phase') === 'Succeeded';
  return hasEnded ? { state: 'healthy', message: 'completed' } : kubeHealthOf(object);
}

/** The finalizers of an object that is being deleted; absent for others. Waiting for what the object owns is no finalizer that somebody has to remove. */
export function heldBy({ metadata }: KubeObject): { readonly heldBy?: readonly string[] } {
  if ((metadata.deletionTimestamp ?? '') === '') return {};
  const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== 'foregroundDeletion');
  return finalizers.length === 0 ? {} : { heldBy: finalizers };
}

/** One more fact for lists: the size of a claim, the type of a Service, the replicas of a ReplicaSet. Empty without one. */
export function factOf({ kind, spec, ...object }: KubeObject): string {
  switch (kind) {
    case 'PersistentVolumeClaim':
      return stringAt(spec, 'resources', 'requests', 'storage') ?? '';
    case 'Service':
      return stringAt(spec, 'type') ?? '';
    case 'ReplicaSet':
      return replicas(numberAt(spec, 'replicas') ?? 1);
    case 'CronJob':
      return stringAt(spec, 'schedule') ?? '';
    case 'ControllerRevision': {
      const revision = numberAt(object, 'revision');
      return revision === undefined ? '' : `revision ${revision}`;
    }
    case 'EndpointSlice': {
      const count = arrayAt(object, 'endpoints').length;
      return count === 1 ? '1 endpoint' : `${count} endpoints`;
    }
    default:
      return '';
  }
}

function replicas(count: number): string {
  return count === 1 ? '1 replica' : `${count} replicas`;
}
