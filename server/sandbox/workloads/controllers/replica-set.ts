import { messageOf } from '@/lib/errors/errors';
import { arrayAt, numberAt, objectAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf } from '@/lib/kube/object';
import { withCondition, withoutCondition, withoutZeros } from '../core/conditions';
import { reconcileEach, type WorkloadContext, type WorkloadController } from '../core/context';
import { statusCodeOf } from '../core/failures';
import { resources } from '../core/resources';
import { claim } from '../pods/claim';
import { byDeletionOrder } from '../pods/deletion-order';
import { hasEveryLabel } from '../pods/label-selector';
import { type Ownership, ownersToReconcile, selectorOf } from '../pods/owned-pods';
import { burst, MOST_AT_ONCE } from '../pods/pod-burst';
import { countAvailable, isActive, isFinished, isReady, isTerminating } from '../pods/pod-state';
import { podFromTemplate } from '../pods/pod-template';
import { createPod, removePod } from '../pods/replaceable-pods';

const COMPONENT = 'replicaset-controller';
const OWNERSHIP: Ownership = { owner: { ...resources.replicasets, kind: 'ReplicaSet' }, owned: resources.pods };

/**
 * Keeps the number of pods of a ReplicaSet (Kubernetes pkg/controller/replicaset): claims pods by selector, creates
 * missing ones, deletes surplus ones, and writes the status.
 */
export function replicaSetController(context: WorkloadContext): WorkloadController {
  return {
    name: 'replicaset',
    keysFor: (event, before) => ownersToReconcile(context, OWNERSHIP, event, before),
    reconcile: reconcileEach(context, resources.replicasets, reconcile),
  };
}

function reconcile(context: WorkloadContext, set: KubeObject): number | undefined {
  const claimed = claim(context, set, resources.pods, selectorOf(set));
  const terminating = claimed.filter((pod) => isTerminating(pod) && !isFinished(pod)).length;
  const pods = claimed.filter(isActive);
  const failure = isTerminating(set) ? undefined : manage(context, set, pods);
  return writeStatus(context, set, { pods, terminating, failure });
}

/** Makes or deletes pods; the message says what was refused, which is reported in the status and tried again later. */
function manage(context: WorkloadContext, set: KubeObject, pods: KubeObject[]): string | undefined {
  const wanted = numberAt(set, 'spec', 'replicas') ?? 1;
  try {
    for (let missing = burst(wanted - pods.length, pods.length); missing > 0; missing--) {
      createPod(context, COMPONENT, set, podFromTemplate(set, objectAt(set, 'spec', 'template'), `${nameOf(set)}-`));
    }
  } catch (error) {
    if (statusCodeOf(error) === undefined) throw error;
    return messageOf(error);
  }
  const surplus = Math.max(0, Math.min(MOST_AT_ONCE, pods.length - wanted));
  for (const pod of [...pods].sort(byDeletionOrder).slice(0, surplus)) removePod(context, COMPONENT, set, pod);
  return undefined;
}

interface Observed {
  readonly pods: readonly KubeObject[];
  readonly terminating: number;
  readonly failure: string | undefined;
}

/** Counts the pods as they were claimed; those just created cause another reconcile. */
function writeStatus(context: WorkloadContext, set: KubeObject, observed: Observed): number | undefined {
  const minReady = numberAt(set, 'spec', 'minReadySeconds') ?? 0;
  const templateLabels = objectAt(set, 'spec', 'template', 'metadata', 'labels');
  const { available, waitMs } = countAvailable(observed.pods, minReady, context.clock.now());
  const conditions = conditionsOf(context, set, observed.failure);
  const counts = withoutZeros({
    readyReplicas: observed.pods.filter(isReady).length,
    availableReplicas: available,
    fullyLabeledReplicas: observed.pods.filter((pod) => hasEveryLabel(templateLabels, pod.metadata.labels)).length,
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

function conditionsOf(context: WorkloadContext, set: KubeObject, message: string | undefined) {
  const present = arrayAt(set, 'status', 'conditions');
  if (message === undefined) return withoutCondition(present, 'ReplicaFailure');
  const lastTransitionTime = context.now();
  const made = { type: 'ReplicaFailure', status: 'True', lastTransitionTime, reason: 'FailedCreate', message };
  return withCondition(present, made);
}
