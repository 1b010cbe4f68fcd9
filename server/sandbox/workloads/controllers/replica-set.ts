import { messageOf } from '@/lib/errors/errors';
import { arrayAt, numberAt, objectAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf } from '@/lib/kube/object';
import { withCondition, withoutCondition, withoutZeros } from '../core/conditions';
import type { Controller, WorkloadContext } from '../core/context';
import { statusCodeOf } from '../core/failures';
import { resources } from '../core/resources';
import { claim } from '../pods/claim';
import { byDeletionOrder } from '../pods/deletion-order';
import { matchesLabels } from '../pods/label-selector';
import { type Ownership, ownersToReconcile, selectorOf } from '../pods/owned-pods';
import { burst, MOST_AT_ONCE } from '../pods/pod-burst';
import { availability, isActive, isFinished, isReady, isTerminating } from '../pods/pod-state';
import { podFromTemplate } from '../pods/pod-template';
import { replaceablePods } from '../pods/replaceable-pods';

const COMPONENT = 'replicaset-controller';
const OWNERSHIP: Ownership = { owner: { ...resources.replicasets, kind: 'ReplicaSet' }, owned: resources.pods };

/**
 * Keeps the number of pods of a ReplicaSet (Kubernetes pkg/controller/replicaset): claims pods by selector, creates
 * missing ones, deletes surplus ones, and writes the status.
 */
export function replicaSetController(context: WorkloadContext): Controller {
  return {
    name: 'replicaset',
    keysFor: (event, before) => ownersToReconcile(context, OWNERSHIP, event, before),
    reconcile(namespace, name) {
      const set = context.get(resources.replicasets, namespace, name);
      return set === undefined ? undefined : reconcile(context, set);
    },
  };
}

function reconcile(context: WorkloadContext, set: KubeObject): number | undefined {
  const claimed = claim(context, set, resources.pods, selectorOf(set));
  const terminating = claimed.filter((pod) => isTerminating(pod) && !isFinished(pod)).length;
  const pods = claimed.filter(isActive);
  const failure = isTerminating(set) ? undefined : manage(context, set, pods);
  return writeStatus(context, set, { pods, terminating, failure });
}

interface Failure {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly error: unknown;
}

/** Makes or deletes pods; what was refused is reported in the status and tried again later. */
function manage(context: WorkloadContext, set: KubeObject, pods: KubeObject[]): Failure | undefined {
  const wanted = numberAt(set, 'spec', 'replicas') ?? 1;
  const replicas = replaceablePods(COMPONENT);
  try {
    for (let missing = burst(wanted - pods.length, pods.length); missing > 0; missing--) {
      replicas.create(context, set, podFromTemplate(set, objectAt(set, 'spec', 'template'), `${nameOf(set)}-`));
    }
  } catch (error) {
    if (statusCodeOf(error) === undefined) throw error;
    const message = `Error creating: ${messageOf(error)}`;
    context.events.record(set, {
      type: 'Warning',
      reason: 'FailedCreate',
      message,
      component: COMPONENT,
    });
    return { reason: 'FailedCreate', error };
  }
  if (pods.length <= wanted) return undefined;
  const victims = [...pods].sort(byDeletionOrder).slice(0, Math.min(MOST_AT_ONCE, pods.length - wanted));
  for (const pod of victims) {
    replicas.remove(context, set, pod);
  }
  return undefined;
}

interface Observed {
  readonly pods: readonly KubeObject[];
  readonly terminating: number;
  readonly failure: Failure | undefined;
}

/** Counts the pods as they were claimed; those just created cause another reconcile. */
function writeStatus(context: WorkloadContext, set: KubeObject, observed: Observed): number | undefined {
  const minReady = numberAt(set, 'spec', 'minReadySeconds') ?? 0;
  const templateLabels = objectAt(set, 'spec', 'template', 'metadata', 'labels');
  let available = 0;
  let waitMs: number | undefined;
  for (const pod of observed.pods) {
    const state = availability(pod, minReady, context.clock.now());
    if (state === true) available++;
    else if (state !== false) waitMs = Math.min(waitMs ?? state, state);
  }
  const conditions = conditionsOf(context, set, observed.failure);
  const counts = withoutZeros({
    readyReplicas: observed.pods.filter(isReady).length,
    availableReplicas: available,
    fullyLabeledReplicas: observed.pods.filter((pod) => matchesLabels(templateLabels, pod.metadata.labels)).length,
    observedGeneration: set.metadata.generation,
  });
  context.updateStatus(resources.replicasets, set, {
    ...counts,
    replicas: observed.pods.length,
    terminatingReplicas: observed.terminating,
    ...(conditions.length === 0 ? {} : { conditions }),
  });
  return observed.failure === undefined ? waitMs : 5_000;
}

function conditionsOf(context: WorkloadContext, set: KubeObject, failure: Failure | undefined) {
  const present = arrayAt(set, 'status', 'conditions');
  if (failure === undefined) return withoutCondition(present, 'ReplicaFailure');
  return withCondition(present, {
    type: 'ReplicaFailure',
    status: 'True',
    lastTransitionTime: context.now(),
    reason: failure.reason,
    message: messageOf(failure.error),
  });
}
