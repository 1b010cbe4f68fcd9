import { arrayAt, numberAt, objectAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { controllerOf, namespaceOf, parseApiVersion } from '@/lib/kube/object';
import { matchesLabelSelector } from '../../selectors/selector';
import { findCondition } from '../core/conditions';
import { queueKey, reconcileEach, type WorkloadContext, type WorkloadController } from '../core/context';
import { resources } from '../core/resources';
import { scaleValue } from '../deployments/replica-sets';
import { isFinished, isReady, isTerminating } from '../pods/pod-state';

/** Keeps the status of PodDisruptionBudgets (Kubernetes pkg/controller/disruption). */
export function disruptionController(context: WorkloadContext): WorkloadController {
  return {
    name: 'disruption',
    *keysFor(event, before) {
      const { resource, group } = event.resource;
      if (group === 'policy' && resource === 'poddisruptionbudgets') yield queueKey(event.object);
      if (group !== '' || resource !== 'pods') return;
      for (const budget of context.list(resources.poddisruptionbudgets, namespaceOf(event.object))) {
        const selector = objectAt(budget, 'spec').selector;
        const chosen = matchesLabelSelector(selector, event.object.metadata.labels);
        if (chosen || (before !== undefined && matchesLabelSelector(selector, before.metadata.labels)))
          yield queueKey(budget);
      }
    },
    reconcile: reconcileEach(context, resources.poddisruptionbudgets, writeStatus),
  };
}

function writeStatus(context: WorkloadContext, budget: KubeObject): undefined {
  if (isTerminating(budget)) return;
  const selector = objectAt(budget, 'spec').selector;
  const pods = context
    .list(resources.pods, namespaceOf(budget))
    .filter((pod) => !isFinished(pod) && matchesLabelSelector(selector, pod.metadata.labels));
  const healthy = pods.filter((pod) => isReady(pod) && !isTerminating(pod)).length;
  const { expected, desired } = countsFor(context, budget, pods);
  const allowed = expected === 0 ? 0 : Math.max(0, healthy - desired);
  const status = allowed > 0 ? 'True' : 'False';
  const before = findCondition(arrayAt(budget, 'status', 'conditions'), 'DisruptionAllowed');
  const observedGeneration = budget.metadata.generation ?? 0;
  const condition = {
    type: 'DisruptionAllowed',
    status,
    observedGeneration,
    lastTransitionTime: before?.status === status ? (before.lastTransitionTime ?? null) : context.now(),
    reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  };
  context.updateStatus(resources.poddisruptionbudgets, budget, {
    observedGeneration,
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    conditions: [condition],
  });
}

function countsFor(context: WorkloadContext, budget: KubeObject, pods: readonly KubeObject[]) {
  const { maxUnavailable = null, minAvailable = 1 } = objectAt(budget, 'spec');
  if (maxUnavailable === null && typeof minAvailable === 'number') {
    return { expected: pods.length, desired: minAvailable };
  }
  const expected = scaleOf(context, pods);
  if (maxUnavailable === null) return { expected, desired: scaleValue(minAvailable, expected, Math.ceil) };
  return { expected, desired: Math.max(0, expected - scaleValue(maxUnavailable, expected, Math.ceil)) };
}

/** How many pods their owners want; pods without an owner with a scale count one by one. */
function scaleOf(context: WorkloadContext, pods: readonly KubeObject[]): number {
  const seen = new Set<string>();
  let total = 0;
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner === undefined || seen.has(owner.uid)) continue;
    seen.add(owner.uid);
    const resource = OWNERS[`${parseApiVersion(owner.apiVersion).group}/${owner.kind}`];
    const object = resource === undefined ? undefined : context.get(resource, namespaceOf(pod), owner.name);
    total += object === undefined ? 0 : (numberAt(object, 'spec', 'replicas') ?? 1);
  }
  return total;
}

const OWNERS: { readonly [kind: string]: (typeof resources)[keyof typeof resources] } = {
  'apps/ReplicaSet': resources.replicasets,
  'apps/StatefulSet': resources.statefulsets,
};
