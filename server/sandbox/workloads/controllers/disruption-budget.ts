import { parseTime } from '@/lib/clock/clock';
import { arrayAt, getAt, type JsonObject, numberAt, objectAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { controllerOf, namespaceOf, parseApiVersion } from '@/lib/kube/object';
import { findCondition } from '../core/conditions';
import { type Controller, queueKey, type WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { scaleValue } from '../deployments/replica-sets';
import { matchesSelector } from '../pods/label-selector';
import { isFinished, isReady, isTerminating } from '../pods/pod-state';

/** After this time an announced eviction that did not happen no longer counts. */
const DELETION_TIMEOUT_MS = 120_000;

/** Keeps the status of PodDisruptionBudgets (Kubernetes pkg/controller/disruption). */
export function disruptionController(context: WorkloadContext): Controller {
  return {
    name: 'disruption',
    *keysFor(event, before) {
      const { resource, group } = event.resource;
      if (group === 'policy' && resource === 'poddisruptionbudgets') yield queueKey(event.object);
      if (group !== '' || resource !== 'pods') return;
      for (const budget of context.list(resources.poddisruptionbudgets, namespaceOf(event.object))) {
        const selector = objectAt(budget, 'spec').selector;
        const chosen = matchesSelector(selector, event.object.metadata.labels);
        if (chosen || (before !== undefined && matchesSelector(selector, before.metadata.labels)))
          yield queueKey(budget);
      }
    },
    reconcile(namespace, name) {
      const budget = context.get(resources.poddisruptionbudgets, namespace, name);
      return budget === undefined || isTerminating(budget) ? undefined : reconcile(context, budget);
    },
  };
}

function reconcile(context: WorkloadContext, budget: KubeObject): number | undefined {
  const selector = objectAt(budget, 'spec').selector;
  const pods = context
    .list(resources.pods, namespaceOf(budget))
    .filter((pod) => !isFinished(pod) && matchesSelector(selector, pod.metadata.labels));
  const disrupted = stillDisrupted(context, budget, pods);
  const healthy = pods.filter(
    (pod) => isReady(pod) && !isTerminating(pod) && !Object.hasOwn(disrupted, pod.metadata.name ?? ''),
  );
  const { expected, desired } = countsFor(context, budget, pods);
  const allowed = expected === 0 ? 0 : Math.max(0, healthy.length - desired);
  const generation = budget.metadata.generation;
  context.updateStatus(resources.poddisruptionbudgets, budget, {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    disruptionsAllowed: allowed,
    currentHealthy: healthy.length,
    desiredHealthy: desired,
    expectedPods: expected,
    ...(Object.keys(disrupted).length === 0 ? {} : { disruptedPods: disrupted }),
    conditions: [conditionFor(context, budget, allowed)],
  });
  return Object.keys(disrupted).length === 0 ? undefined : DELETION_TIMEOUT_MS;
}

/** Evictions that were announced and are not done yet. */
function stillDisrupted(context: WorkloadContext, budget: KubeObject, pods: readonly KubeObject[]): JsonObject {
  const result: JsonObject = {};
  for (const [name, time] of Object.entries(objectAt(budget, 'status', 'disruptedPods'))) {
    const pod = pods.find((each) => each.metadata.name === name);
    const sinceMs = parseTime(typeof time === 'string' ? time : undefined) ?? 0;
    if (pod === undefined || isTerminating(pod) || sinceMs + DELETION_TIMEOUT_MS < context.clock.now()) continue;
    result[name] = time;
  }
  return result;
}

function countsFor(context: WorkloadContext, budget: KubeObject, pods: readonly KubeObject[]) {
  const maxUnavailable = getAt(budget, 'spec', 'maxUnavailable');
  const minAvailable = getAt(budget, 'spec', 'minAvailable');
  if (maxUnavailable !== undefined && maxUnavailable !== null) {
    const expected = scaleOf(context, pods);
    return { expected, desired: Math.max(0, expected - scaleValue(maxUnavailable, expected, Math.ceil)) };
  }
  if (typeof minAvailable === 'number') return { expected: pods.length, desired: minAvailable };
  const expected = scaleOf(context, pods);
  return { expected, desired: scaleValue(minAvailable ?? 1, expected, Math.ceil) };
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

function conditionFor(context: WorkloadContext, budget: KubeObject, allowed: number): JsonObject {
  const status = allowed > 0 ? 'True' : 'False';
  const before = findCondition(arrayAt(budget, 'status', 'conditions'), 'DisruptionAllowed');
  const generation = budget.metadata.generation;
  return {
    type: 'DisruptionAllowed',
    status,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    lastTransitionTime: before?.status === status ? (before.lastTransitionTime ?? context.now()) : context.now(),
    reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  };
}
