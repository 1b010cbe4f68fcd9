import { numberAt, objectAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { isRolling, type Rollout, replicasAnnotations, replicasOf, surgeOf, unavailableOf } from './replica-sets';

/** Sets the replicas of one ReplicaSet and says so in an event; true when they were others before. */
export function scaleTo(context: WorkloadContext, deployment: KubeObject, set: KubeObject, replicas: number): boolean {
  const before = replicasOf(set);
  context.update(resources.replicasets, set, (copy) => {
    objectAt(copy, 'spec').replicas = replicas;
    copy.metadata.annotations = { ...copy.metadata.annotations, ...replicasAnnotations(deployment) };
  });
  if (before !== replicas) recordScaling(context, deployment, set, [before, replicas]);
  return before !== replicas;
}

/** @param change how many replicas the set had and has */
export function recordScaling(
  context: WorkloadContext,
  deployment: KubeObject,
  set: KubeObject,
  [before, after]: readonly [number, number],
): void {
  const message = `Scaled ${after > before ? 'up' : 'down'} replica set ${nameOf(set)} from ${before} to ${after}`;
  context.events.normal('deployment-controller', deployment, 'ScalingReplicaSet', message);
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
  const { deployment, current } = rollout;
  const wanted = replicasOf(deployment);
  if (current !== undefined && replicasOf(current) !== wanted) {
    const target = replicasOf(current) > wanted ? wanted : newReplicas(rollout);
    if (scaleTo(context, deployment, current, target)) return true;
  }
  return scaleOldDown(context, rollout);
}

/** Takes away old replicas: unhealthy ones first, then as many as availability allows (reconcileOldReplicaSets). */
function scaleOldDown(context: WorkloadContext, rollout: Rollout): boolean {
  const { deployment, current, old } = rollout;
  if (sum(old, replicasOf) === 0) return false;
  const minAvailable = replicasOf(deployment) - unavailableOf(deployment);
  const newUnavailable = current === undefined ? 0 : replicasOf(current) - availableOf(current);
  const maxScaledDown = sum(all(rollout), replicasOf) - minAvailable - newUnavailable;
  if (maxScaledDown <= 0) return false;
  const targets = new Map(old.map((set) => [set, replicasOf(set)]));
  take(targets, maxScaledDown, (set, target) => target - availableOf(set));
  take(targets, sum(all(rollout), availableOf) - minAvailable, (_set, target) => target);
  return scaleEach(context, deployment, targets);
}

/** Lowers the targets by `limit` together, the first ones first, each by at most `most`. */
function take(
  targets: Map<KubeObject, number>,
  limit: number,
  most: (set: KubeObject, target: number) => number,
): void {
  let left = Math.max(0, limit);
  for (const [set, target] of targets) {
    const taken = Math.min(left, Math.max(0, most(set, target)));
    targets.set(set, target - taken);
    left -= taken;
  }
}

/** Recreate: all old ones go to 0; true when anything was scaled. */
export function scaleOldToZero(context: WorkloadContext, { deployment, old }: Rollout): boolean {
  return scaleEach(context, deployment, new Map(old.map((set) => [set, 0])));
}

function scaleEach(
  context: WorkloadContext,
  deployment: KubeObject,
  targets: ReadonlyMap<KubeObject, number>,
): boolean {
  const changes = [...targets].filter(([set, target]) => target !== replicasOf(set));
  for (const [set, target] of changes) scaleTo(context, deployment, set, target);
  return changes.length > 0;
}

/** Follows a changed size without rolling: the newest active ReplicaSet, or the newest of all, takes the difference. */
export function followSize(context: WorkloadContext, rollout: Rollout): void {
  const { deployment } = rollout;
  const sets = all(rollout);
  const newest = sets.filter((set) => replicasOf(set) > 0).at(-1) ?? sets.at(-1);
  if (newest === undefined) return;
  const others = sum(sets, replicasOf) - replicasOf(newest);
  scaleTo(context, deployment, newest, Math.max(0, replicasOf(deployment) - others));
}

export function all(rollout: Rollout): KubeObject[] {
  return rollout.current === undefined ? [...rollout.old] : [...rollout.old, rollout.current];
}

function availableOf(set: KubeObject): number {
  return numberAt(set, 'status', 'availableReplicas') ?? 0;
}

export function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
