import { arrayAt, cloneJson, getAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { findCondition, withoutCondition } from '../core/conditions';
import { queueKey, type WorkloadContext, type WorkloadController } from '../core/context';
import { keyOf } from '../core/owner-index';
import { resources } from '../core/resources';
import { hasEveryLabel } from '../pods/label-selector';
import { isFinished, isTerminating } from '../pods/pod-state';
import { NODE_NAME } from './pod-run';
import { failureOf } from './simulated-failures';

/** Binds pods to the one node, or says in condition and event why not (Kubernetes pkg/scheduler). */
export function scheduler(context: WorkloadContext): WorkloadController {
  return {
    name: 'scheduler',
    *keysFor(event) {
      const { resource, group } = event.resource;
      if (group !== '' || event.type === 'DELETED') return;
      if (resource === 'pods' && isUnbound(event.object)) yield queueKey(event.object);
      if (resource === 'persistentvolumeclaims') yield* waiting(context, namespaceOf(event.object));
      if (resource === 'nodes') yield* waiting(context, undefined);
    },
    reconcile(namespace, name) {
      const pod = context.get(resources.pods, namespace, name);
      if (pod === undefined || !isUnbound(pod)) return undefined;
      const obstacle = obstacleFor(context, pod);
      if (obstacle === undefined) bind(context, pod);
      else refuse(context, pod, obstacle);
      return undefined;
    },
  };
}

function isUnbound(pod: KubeObject): boolean {
  return stringAt(pod, 'spec', 'nodeName') === undefined && !isTerminating(pod) && !isFinished(pod);
}

function* waiting(context: WorkloadContext, namespace: string | undefined): Generator<string> {
  for (const pod of context.list(resources.pods, namespace)) if (isUnbound(pod)) yield queueKey(pod);
}

/** Why the pod cannot run on the node, in the scheduler's words. */
function obstacleFor(context: WorkloadContext, pod: KubeObject): string | undefined {
  if (arrayAt(pod, 'spec', 'schedulingGates').length > 0)
    return 'Scheduling is blocked due to non-empty scheduling gates';
  for (const volume of arrayAt(pod, 'spec', 'volumes')) {
    const name = stringAt(volume, 'persistentVolumeClaim', 'claimName');
    if (name === undefined) continue;
    const claim = context.get(resources.persistentvolumeclaims, namespaceOf(pod), name);
    if (claim === undefined) return `0/1 nodes are available: persistentvolumeclaim "${name}" not found. not found.`;
    if (isTerminating(claim)) return `0/1 nodes are available: persistentvolumeclaim "${name}" is being deleted.`;
    if (stringAt(claim, 'status', 'phase') !== 'Bound') {
      return '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found.';
    }
  }
  if (failureOf(pod) === 'pending')
    return '0/1 nodes are available: 1 node(s) were asked by annotation not to take it.';
  const node = context.get(resources.nodes, '', NODE_NAME);
  if (node === undefined) return 'no nodes available to schedule pods';
  if (getAt(node, 'spec', 'unschedulable') === true && !toleratesCordon(pod)) {
    return '0/1 nodes are available: 1 node(s) were unschedulable.';
  }
  if (!hasEveryLabel(objectAt(pod, 'spec', 'nodeSelector'), node.metadata.labels)) {
    return "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.";
  }
  return undefined;
}

function toleratesCordon(pod: KubeObject): boolean {
  return arrayAt(pod, 'spec', 'tolerations').some(
    (each) => stringAt(each, 'key') === 'node.kubernetes.io/unschedulable',
  );
}

function bind(context: WorkloadContext, pod: KubeObject): void {
  const copy = cloneJson(pod);
  objectAt(copy, 'spec').nodeName = NODE_NAME;
  const status = objectAt(copy, 'status');
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: context.now() };
  copy.status = {
    ...status,
    conditions: [...withoutCondition(arrayAt(status, 'conditions'), 'PodScheduled'), scheduled],
  };
  context.api.update(keyOf(resources.pods, pod), copy, { subresource: 'binding' });
  context.events.record(pod, {
    type: 'Normal',
    reason: 'Scheduled',
    message: `Successfully assigned ${namespaceOf(pod)}/${nameOf(pod)} to ${NODE_NAME}`,
    component: 'default-scheduler',
  });
}

function refuse(context: WorkloadContext, pod: KubeObject, message: string): void {
  const conditions = arrayAt(pod, 'status', 'conditions');
  if (findCondition(conditions, 'PodScheduled')?.message === message) return;
  const gated = message.includes('gates');
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: context.now(),
    reason: gated ? 'SchedulingGated' : 'Unschedulable',
    message,
  };
  const status = {
    ...objectAt(pod, 'status'),
    conditions: [...withoutCondition(conditions, 'PodScheduled'), condition],
  };
  context.updateStatus(resources.pods, pod, status);
  if (gated) return;
  context.events.record(pod, { type: 'Warning', reason: 'FailedScheduling', message, component: 'default-scheduler' });
}
