import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { createdMs, isReady, phaseOf } from './pod-state';

const PHASE_ORDER: { readonly [phase: string]: number } = { Pending: 0, Unknown: 1, Running: 2 };
const COST = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * Which of two pods goes first when a ReplicaSet shrinks (Kubernetes controller.ActivePodsWithRanks): unscheduled before
 * scheduled, pending before running, not ready before ready, the cheaper, more often restarted, and younger first.
 */
export function byDeletionOrder(a: KubeObject, b: KubeObject): number {
  return (
    scheduled(a) - scheduled(b) ||
    (PHASE_ORDER[phaseOf(a)] ?? 2) - (PHASE_ORDER[phaseOf(b)] ?? 2) ||
    Number(isReady(a)) - Number(isReady(b)) ||
    cost(a) - cost(b) ||
    restarts(b) - restarts(a) ||
    createdMs(b) - createdMs(a) ||
    Number(b.metadata.resourceVersion) - Number(a.metadata.resourceVersion)
  );
}

function scheduled(pod: KubeObject): number {
  return stringAt(pod, 'spec', 'nodeName') === undefined ? 0 : 1;
}

function cost(pod: KubeObject): number {
  const value = Number(stringAt(pod.metadata.annotations, COST) ?? 0);
  return Number.isInteger(value) ? value : 0;
}

function restarts(pod: KubeObject): number {
  const counts = arrayAt(pod, 'status', 'containerStatuses').map((status) => numberAt(status, 'restartCount') ?? 0);
  return Math.max(0, ...counts);
}
