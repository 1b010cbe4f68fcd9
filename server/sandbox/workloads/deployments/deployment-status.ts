import { parseTime } from '@/lib/clock/clock';
import { arrayAt, type JsonObject, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf } from '@/lib/kube/object';
import { findCondition, withCondition, withoutCondition, withoutZeros } from '../core/conditions';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { type Rollout, replicasOf, unavailableOf } from './replica-sets';
import { all, sum } from './scaling';

const NO_DEADLINE = 2_147_483_647;

/** What the ReplicaSets say together (Kubernetes calculateStatus). */
function countsOf(rollout: Rollout) {
  const total = (field: string): number => sum(all(rollout), (set) => statusNumber(set, field));
  return {
    replicas: total('replicas'),
    updated: rollout.current === undefined ? 0 : statusNumber(rollout.current, 'replicas'),
    ready: total('readyReplicas'),
    available: total('availableReplicas'),
    terminating: total('terminatingReplicas'),
  };
}

/** True when every replica is of the present template and available (Kubernetes DeploymentComplete). */
export function isComplete(rollout: Rollout): boolean {
  const { updated, replicas, available } = countsOf(rollout);
  return [updated, replicas, available].every((count) => count === replicasOf(rollout.deployment));
}

/** The status with these conditions; empty numbers are left out as Go does. */
export function statusWith(rollout: Rollout, conditions: readonly JsonValue[]): JsonObject {
  const { deployment } = rollout;
  const counts = countsOf(rollout);
  const wanted = sum(all(rollout), replicasOf);
  return {
    ...withoutZeros({
      observedGeneration: deployment.metadata.generation,
      replicas: counts.replicas,
      updatedReplicas: counts.updated,
      readyReplicas: counts.ready,
      availableReplicas: counts.available,
      unavailableReplicas: Math.max(0, wanted - counts.available),
    }),
    terminatingReplicas: counts.terminating,
    conditions: [...conditions],
  };
}

/** The conditions with Available set (Kubernetes calculateStatus). */
export function withAvailability(
  context: WorkloadContext,
  rollout: Rollout,
  conditions: readonly JsonValue[],
): JsonValue[] {
  const { deployment } = rollout;
  return countsOf(rollout).available >= replicasOf(deployment) - unavailableOf(deployment)
    ? noted(context, conditions, AVAILABLE)
    : noted(context, conditions, UNAVAILABLE);
}

const AVAILABLE = ['Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.'] as const;
const UNAVAILABLE = [
  'Available',
  'False',
  'MinimumReplicasUnavailable',
  'Deployment does not have minimum availability.',
] as const;

/** Writes status and conditions after a step of a rollout (Kubernetes syncRolloutStatus). */
export function writeRolloutStatus(
  context: WorkloadContext,
  rollout: Rollout,
  conditions: readonly JsonValue[],
): number | undefined {
  const { deployment } = rollout;
  const withProgress = progressOf(context, rollout, withAvailability(context, rollout, conditions));
  const withFailure = failureOf(rollout, withProgress);
  context.updateStatus(resources.deployments, deployment, statusWith(rollout, withFailure));
  return untilDeadline(context, rollout, withFailure);
}

function progressOf(context: WorkloadContext, rollout: Rollout, conditions: JsonValue[]): JsonValue[] {
  const { deployment } = rollout;
  if (deadlineMs(deployment) === undefined) return withoutCondition(conditions, 'Progressing');
  const counts = countsOf(rollout);
  const present = findCondition(conditions, 'Progressing');
  if (counts.replicas === counts.updated && present?.reason === 'NewReplicaSetAvailable') return conditions;
  const who =
    rollout.current === undefined ? `Deployment "${nameOf(deployment)}"` : `ReplicaSet "${nameOf(rollout.current)}"`;
  if (isComplete(rollout)) {
    const message = `${who} has successfully progressed.`;
    return noted(context, conditions, ['Progressing', 'True', 'NewReplicaSetAvailable', message]);
  }
  if (hasProgressed(deployment, counts)) {
    // Set anew also with the same reason: the deadline counts from the last progress.
    const others = withoutCondition(conditions, 'Progressing');
    const kept = present?.status === 'True' ? { lastTransitionTime: present.lastTransitionTime ?? null } : {};
    const made = condition(context, ['Progressing', 'True', 'ReplicaSetUpdated', `${who} is progressing.`]);
    return [...others, { ...made, ...kept }];
  }
  if (!hasTimedOut(context, deployment, present)) return conditions;
  const message = `${who} has timed out progressing.`;
  return noted(context, conditions, ['Progressing', 'False', 'ProgressDeadlineExceeded', message]);
}

function hasProgressed(deployment: KubeObject, counts: ReturnType<typeof countsOf>): boolean {
  const before = (field: string): number => statusNumber(deployment, field);
  return (
    counts.updated > before('updatedReplicas') ||
    counts.replicas - counts.updated < before('replicas') - before('updatedReplicas') ||
    counts.ready > before('readyReplicas') ||
    counts.available > before('availableReplicas')
  );
}

function hasTimedOut(context: WorkloadContext, deployment: KubeObject, present: JsonObject | undefined): boolean {
  if (present === undefined || present.reason === 'NewReplicaSetAvailable') return false;
  if (present.reason === 'ProgressDeadlineExceeded') return true;
  return dueMs(deployment, present) <= context.clock.now();
}

/** When to reconcile again so that a missed deadline is noticed in time. */
function untilDeadline(
  context: WorkloadContext,
  rollout: Rollout,
  conditions: readonly JsonValue[],
): number | undefined {
  const present = findCondition(conditions, 'Progressing');
  if (present === undefined || deadlineMs(rollout.deployment) === undefined) return undefined;
  if (present.reason === 'NewReplicaSetAvailable' || present.reason === 'ProgressDeadlineExceeded') return undefined;
  if (isComplete(rollout)) return undefined;
  return Math.max(0, dueMs(rollout.deployment, present) - context.clock.now()) + 1000;
}

function dueMs(deployment: KubeObject, present: JsonObject): number {
  return (parseTime(stringAt(present, 'lastUpdateTime')) ?? 0) + (deadlineMs(deployment) ?? 0);
}

function deadlineMs(deployment: KubeObject): number | undefined {
  const seconds = numberAt(deployment, 'spec', 'progressDeadlineSeconds');
  return seconds === undefined || seconds === NO_DEADLINE ? undefined : seconds * 1000;
}

/** What a ReplicaSet could not do is the Deployment's failure too. */
function failureOf(rollout: Rollout, conditions: readonly JsonValue[]): JsonValue[] {
  const order = rollout.current === undefined ? rollout.old : [rollout.current, ...rollout.old];
  for (const set of order) {
    const failure = findCondition(arrayAt(set, 'status', 'conditions'), 'ReplicaFailure');
    if (failure !== undefined) {
      return withCondition(conditions, { ...failure, lastUpdateTime: failure.lastTransitionTime ?? null });
    }
  }
  return withoutCondition(conditions, 'ReplicaFailure');
}

type Wording = readonly [type: string, status: string, reason: string, message: string];

/** The conditions with one of a Deployment set. */
export function noted(context: WorkloadContext, conditions: readonly JsonValue[], wording: Wording): JsonValue[] {
  return withCondition(conditions, condition(context, wording));
}

function condition(context: WorkloadContext, [type, status, reason, message]: Wording): JsonObject {
  const time = context.now();
  return { type, status, reason, message, lastUpdateTime: time, lastTransitionTime: time };
}

function statusNumber(object: KubeObject, field: string): number {
  return numberAt(object, 'status', field) ?? 0;
}
