import { numberAt, objectAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import {
  DESIRED,
  isRolling,
  type Rollout,
  replicasAnnotations,
  replicasOf,
  surgeOf,
  unavailableOf,
} from './replica-sets';

/** Sets the replicas of one ReplicaSet and says so in an event; true when anything was written. */
export function scaleTo(context: WorkloadContext, deployment: KubeObject, set: KubeObject, replicas: number): boolean {
  const before = replicasOf(set);
  const updated = context.update(resources.replicasets, set, (copy) => {
    objectAt(copy, 'spec').replicas = replicas;
    copy.metadata.annotations = { ...copy.metadata.annotations, ...replicasAnnotations(deployment) };
  });
  if (before !== replicas) recordScaling(context, deployment, set, before, replicas);
  return updated !== set && before !== replicas;
}

export function recordScaling(
  context: WorkloadContext,
  deployment: KubeObject,
  set: KubeObject,
  before: number,
  after: number,
): void {
  const message = `Scaled ${after > before ? 'up' : 'down'} replica set ${nameOf(set)} from ${before} to ${after}`;
  context.events.record(deployment, {
    type: 'Normal',
    reason: 'ScalingReplicaSet',
    message,
    component: 'deployment-controller',
  });
}

/** How many replicas the present ReplicaSet should have now (Kubernetes NewRSNewReplicas). */
export function newReplicas(rollout: Rollout): number {
  const { deployment, current } = rollout;
  const wanted = replicasOf(deployment);
  if (!isRolling(deployment)) return wanted;
  const own = current === undefined ? 0 : replicasOf(current);
  const total = own + sum(rollout.old, replicasOf);
  const room = wanted + surgeOf(deployment) - total;
  return room <= 0 ? own : own + Math.min(room, wanted - own);
}

/** One step of a rolling update; true when something was scaled (Kubernetes rolloutRolling). */
export function rollOn(context: WorkloadContext, rollout: Rollout): boolean {
  const { current } = rollout;
  if (current !== undefined && scaleNew(context, rollout, current)) return true;
  return scaleOldDown(context, rollout);
}

function scaleNew(context: WorkloadContext, rollout: Rollout, current: KubeObject): boolean {
  const wanted = replicasOf(rollout.deployment);
  if (replicasOf(current) === wanted) return false;
  const target = replicasOf(current) > wanted ? wanted : newReplicas(rollout);
  return scaleTo(context, rollout.deployment, current, target);
}

/** Takes away old replicas: unhealthy ones first, then as many as availability allows (reconcileOldReplicaSets). */
function scaleOldDown(context: WorkloadContext, rollout: Rollout): boolean {
  const { deployment, current } = rollout;
  const oldPods = sum(rollout.old, replicasOf);
  if (oldPods === 0) return false;
  const minAvailable = replicasOf(deployment) - unavailableOf(deployment);
  const newUnavailable = current === undefined ? 0 : replicasOf(current) - availableOf(current);
  const all = oldPods + (current === undefined ? 0 : replicasOf(current));
  const maxScaledDown = all - minAvailable - newUnavailable;
  if (maxScaledDown <= 0) return false;
  const targets = new Map(rollout.old.map((set) => [set, replicasOf(set)]));
  takeUnhealthy(targets, maxScaledDown);
  const available = sum(rollout.old, availableOf) + (current === undefined ? 0 : availableOf(current));
  takeHealthy(targets, available - minAvailable);
  let changed = false;
  for (const [set, target] of targets) {
    if (target !== replicasOf(set)) changed = scaleTo(context, deployment, set, target) || changed;
  }
  return changed;
}

function takeUnhealthy(targets: Map<KubeObject, number>, limit: number): void {
  let left = limit;
  for (const [set, target] of targets) {
    const taken = Math.min(left, Math.max(0, target - availableOf(set)));
    targets.set(set, target - taken);
    left -= taken;
  }
}

function takeHealthy(targets: Map<KubeObject, number>, limit: number): void {
  let left = limit;
  for (const [set, target] of targets) {
    if (left <= 0) return;
    const taken = Math.min(left, target);
    targets.set(set, target - taken);
    left -= taken;
  }
}

/** Recreate: all old ones go to 0; true when anything was scaled. */
export function scaleOldToZero(context: WorkloadContext, rollout: Rollout): boolean {
  let changed = false;
  for (const set of rollout.old) {
    if (replicasOf(set) > 0) changed = scaleTo(context, rollout.deployment, set, 0) || changed;
  }
  return changed;
}

/** True when the Deployment's size changed since its active ReplicaSets were last scaled (isScalingEvent). */
export function isScalingEvent(rollout: Rollout): boolean {
  return all(rollout).some((set) => {
    const desired = set.metadata.annotations?.[DESIRED];
    return replicasOf(set) > 0 && desired !== undefined && Number(desired) !== replicasOf(rollout.deployment);
  });
}

/**
 * Follows a changed size without rolling: the only active ReplicaSet (or else the newest) takes it whole; when the new
 * one has all it wants, old ones go to 0; in the middle of a rollout each gets its share (Kubernetes scale).
 */
export function followSize(context: WorkloadContext, rollout: Rollout): void {
  const { deployment, current } = rollout;
  const active = all(rollout).filter((set) => replicasOf(set) > 0);
  const only = active.length > 1 ? undefined : (active[0] ?? current ?? rollout.old.at(-1));
  if (only !== undefined) {
    scaleTo(context, deployment, only, replicasOf(deployment));
    return;
  }
  if (active.length === 0) return;
  if (current !== undefined && isSaturated(deployment, current)) {
    scaleOldToZero(context, rollout);
    return;
  }
  if (isRolling(deployment)) share(context, deployment, active);
}

function isSaturated(deployment: KubeObject, set: KubeObject): boolean {
  const wanted = replicasOf(deployment);
  const desired = Number(set.metadata.annotations?.[DESIRED] ?? -1);
  return replicasOf(set) === wanted && desired === wanted && availableOf(set) === wanted;
}

/** Larger ReplicaSets get a larger share of what is added or taken; the largest takes the remainder. */
function share(context: WorkloadContext, deployment: KubeObject, active: readonly KubeObject[]): void {
  const wanted = replicasOf(deployment);
  const allowed = wanted > 0 ? wanted + surgeOf(deployment) : 0;
  const total = sum(active, replicasOf);
  const toAdd = allowed - total;
  const sorted = [...active].sort((a, b) => replicasOf(b) - replicasOf(a));
  let added = 0;
  const targets = sorted.map((set) => {
    const part = Math.trunc((replicasOf(set) * toAdd) / total);
    added += part;
    return replicasOf(set) + part;
  });
  targets[0] = Math.max(0, (targets[0] ?? 0) + toAdd - added);
  for (const [index, set] of sorted.entries()) scaleTo(context, deployment, set, Math.max(0, targets[index] ?? 0));
}

export function all(rollout: Rollout): KubeObject[] {
  return rollout.current === undefined ? [...rollout.old] : [...rollout.old, rollout.current];
}

export function availableOf(set: KubeObject): number {
  return numberAt(set, 'status', 'availableReplicas') ?? 0;
}

export function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
