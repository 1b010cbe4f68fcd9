import { messageOf } from '@/lib/errors/errors';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { statusCodeOf } from '../core/failures';
import { resources } from '../core/resources';

/**
 * Makes a pod of an owner that cares for no names, with the event that Kubernetes records; a refusal is thrown.
 *
 * @param component who records the events, such as `replicaset-controller`
 */
export function createPod(context: WorkloadContext, component: string, owner: KubeObject, pod: KubeObject): void {
  try {
    const made = context.create(resources.pods, pod);
    context.events.normal(component, owner, 'SuccessfulCreate', `Created pod: ${nameOf(made)}`);
  } catch (error) {
    if (statusCodeOf(error) !== undefined) {
      context.events.warning(component, owner, 'FailedCreate', `Error creating: ${messageOf(error)}`);
    }
    throw error;
  }
}

/** Deletes such a pod, with its event. */
export function removePod(context: WorkloadContext, component: string, owner: KubeObject, pod: KubeObject): void {
  context.delete(resources.pods, pod);
  context.events.normal(component, owner, 'SuccessfulDelete', `Deleted pod: ${nameOf(pod)}`);
}
