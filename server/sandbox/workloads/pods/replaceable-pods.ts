import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';

/** Pods of a workload that counts them and cares for no names, made and removed with the event that Kubernetes records. */
export interface ReplaceablePods {
  create(context: WorkloadContext, set: KubeObject, pod: KubeObject): void;
  remove(context: WorkloadContext, set: KubeObject, pod: KubeObject): void;
}

/** @param component who records the events, such as `replicaset-controller` */
export function replaceablePods(component: string): ReplaceablePods {
  return {
    create(context, set, pod) {
      const message = `Created pod: ${nameOf(context.create(resources.pods, pod))}`;
      context.events.record(set, { type: 'Normal', reason: 'SuccessfulCreate', message, component });
    },
    remove(context, set, pod) {
      context.delete(resources.pods, pod);
      const message = `Deleted pod: ${nameOf(pod)}`;
      context.events.record(set, { type: 'Normal', reason: 'SuccessfulDelete', message, component });
    },
  };
}
