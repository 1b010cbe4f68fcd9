import { arrayAt, getAt, type JsonValue, numberAt, objectAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf } from '@/lib/kube/object';
import { findCondition, withCondition } from '../core/conditions';
import { type Controller, queueKey, type WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { claim, ownerKeys } from '../pods/claim';
import { type Ownership, ownersToReconcile } from '../pods/owned-pods';
import { createdMs, isFinished, isTerminating } from '../pods/pod-state';
import { condition, countsOf, isComplete, statusWith, withAvailability, writeRolloutStatus } from './deployment-status';
import {
  createReplicaSet,
  isRolling,
  REVISION,
  type Rollout,
  replicasOf,
  revisionOf,
  splitReplicaSets,
  syncReplicaSet,
} from './replica-sets';
import { followSize, isScalingEvent, newReplicas, recordScaling, rollOn, scaleOldToZero, scaleTo } from './scaling';

const KIND = { group: 'apps', kind: 'Deployment' };
const OWNERSHIP: Ownership = { owner: { ...resources.deployments, kind: 'Deployment' }, owned: resources.replicasets };

/**
 * Rolls Deployments out by ReplicaSets (Kubernetes pkg/controller/deployment). Each reconcile reads all, takes one step
 * (create, scale up, scale down, clean up), and writes the status; its changes cause the next reconcile.
 */
export function deploymentController(context: WorkloadContext): Controller {
  return {
    name: 'deployment',
    *keysFor(event, before) {
      yield* ownersToReconcile(context, OWNERSHIP, event, before);
      // Recreate waits until the old pods are deleted.
      if (event.resource.resource === 'pods' && event.type === 'DELETED') yield* grandOwner(context, event.object);
    },
    reconcile(namespace, name) {
      const deployment = context.get(resources.deployments, namespace, name);
      return deployment === undefined ? undefined : reconcile(context, deployment);
    },
  };
}

function* grandOwner(context: WorkloadContext, pod: KubeObject): Generator<string> {
  for (const key of ownerKeys({ group: 'apps', kind: 'ReplicaSet' }, pod)) {
    const [namespace = '', name = ''] = key.split('/');
    yield* ownerKeys(KIND, context.get(resources.replicasets, namespace, name));
  }
}

function reconcile(context: WorkloadContext, deployment: KubeObject): number | undefined {
  const sets = claim(context, deployment, resources.replicasets, objectAt(deployment, 'spec', 'selector'));
  const rollout = splitReplicaSets(deployment, sets);
  if (isTerminating(deployment)) return writePlainStatus(context, rollout, conditionsOf(deployment));
  const conditions = pauseConditions(context, deployment);
  if (getAt(deployment, 'spec', 'paused') === true) {
    followSize(context, rollout);
    cleanUp(context, rollout, true);
    return writePlainStatus(context, refreshed(context, rollout), conditions);
  }
  if (isScalingEvent(rollout)) {
    followSize(context, rollout);
    return writePlainStatus(context, refreshed(context, rollout), conditions);
  }
  return isRolling(deployment) ? roll(context, rollout, conditions) : recreate(context, rollout, conditions);
}

function roll(context: WorkloadContext, rollout: Rollout, conditions: JsonValue[]): number | undefined {
  const step = withCurrent(context, rollout, conditions);
  if (!step.made && rollOn(context, step.rollout)) {
    return writeRolloutStatus(context, refreshed(context, step.rollout), step.conditions);
  }
  cleanUp(context, step.rollout, false);
  return writeRolloutStatus(context, step.rollout, step.conditions);
}

function recreate(context: WorkloadContext, rollout: Rollout, conditions: JsonValue[]): number | undefined {
  if (scaleOldToZero(context, rollout) || hasOldPods(context, rollout)) {
    return writeRolloutStatus(context, refreshed(context, rollout), conditions);
  }
  const step = withCurrent(context, rollout, conditions);
  if (step.rollout.current !== undefined && !step.made) {
    scaleTo(context, rollout.deployment, step.rollout.current, replicasOf(rollout.deployment));
  }
  cleanUp(context, step.rollout, false);
  return writeRolloutStatus(context, refreshed(context, step.rollout), step.conditions);
}

/** True while a pod of an old template still lives; finished ones do not count, terminating ones do. */
function hasOldPods(context: WorkloadContext, rollout: Rollout): boolean {
  return rollout.old.some((set) =>
    context.index.dependentsOf(set.metadata.uid ?? '', 'pods').some((pod) => !isFinished(pod)),
  );
}

interface Step {
  readonly rollout: Rollout;
  readonly conditions: JsonValue[];
  readonly made: boolean;
}

/** Creates the ReplicaSet of the present template if it does not exist yet, and writes the revisions. */
function withCurrent(context: WorkloadContext, rollout: Rollout, conditions: JsonValue[]): Step {
  const revision = Math.max(0, ...rollout.old.map(revisionOf)) + 1;
  const synced = syncReplicaSet(context, rollout, revision);
  const set = synced ?? createReplicaSet(context, rollout, revision, newReplicas(rollout));
  if (synced === undefined && replicasOf(set) > 0) recordScaling(context, rollout.deployment, set, 0, replicasOf(set));
  const note = (copy: KubeObject) => {
    copy.metadata.annotations = { ...copy.metadata.annotations, [REVISION]: String(revisionOf(set)) };
  };
  // With the status: an annotation written otherwise makes a new generation.
  const deployment = context.update(resources.deployments, rollout.deployment, note, 'status');
  const next: Rollout = { ...rollout, deployment, current: set };
  const made = synced === undefined;
  return { rollout: next, made, conditions: foundCondition(context, next, conditions, made) };
}

function foundCondition(
  context: WorkloadContext,
  rollout: Rollout,
  conditions: JsonValue[],
  made: boolean,
): JsonValue[] {
  const { deployment, current } = rollout;
  if (current === undefined || numberAt(deployment, 'spec', 'progressDeadlineSeconds') === undefined) return conditions;
  if (!made && findCondition(conditions, 'Progressing') !== undefined) return conditions;
  return withCondition(
    conditions,
    condition(context, {
      type: 'Progressing',
      status: 'True',
      reason: made ? 'NewReplicaSetCreated' : 'FoundNewReplicaSet',
      message: `${made ? 'Created new replica set' : 'Found new replica set'} "${nameOf(current)}"`,
    }),
  );
}

/** Paused and resumed Deployments say so in Progressing, and deadlines do not count meanwhile (checkPausedConditions). */
function pauseConditions(context: WorkloadContext, deployment: KubeObject): JsonValue[] {
  const conditions = conditionsOf(deployment);
  const paused = getAt(deployment, 'spec', 'paused') === true;
  const present = findCondition(conditions, 'Progressing');
  if (numberAt(deployment, 'spec', 'progressDeadlineSeconds') === undefined) return conditions;
  if (present?.reason === 'ProgressDeadlineExceeded') return conditions;
  const wasPaused = present?.reason === 'DeploymentPaused';
  if (paused === wasPaused) return conditions;
  return withCondition(
    conditions,
    condition(context, {
      type: 'Progressing',
      status: 'Unknown',
      reason: paused ? 'DeploymentPaused' : 'DeploymentResumed',
      message: paused ? 'Deployment is paused' : 'Deployment is resumed',
    }),
  );
}

function writePlainStatus(
  context: WorkloadContext,
  rollout: Rollout,
  conditions: readonly JsonValue[],
): number | undefined {
  const complete = withAvailability(context, rollout, conditions);
  context.updateStatus(resources.deployments, rollout.deployment, statusWith(rollout, complete));
  return undefined;
}

/** Deletes old, empty ReplicaSets beyond `revisionHistoryLimit`, the oldest revisions first (cleanupDeployment). */
function cleanUp(context: WorkloadContext, rollout: Rollout, evenIncomplete: boolean): void {
  const { deployment } = rollout;
  if (!evenIncomplete && !isComplete(deployment, countsOf(rollout))) return;
  const limit = numberAt(deployment, 'spec', 'revisionHistoryLimit');
  if (limit === undefined) return;
  const candidates = rollout.old
    .filter((set) => !isTerminating(set))
    .sort((a, b) => revisionOf(a) - revisionOf(b) || createdMs(a) - createdMs(b));
  for (const set of candidates.slice(0, Math.max(0, candidates.length - limit))) {
    const busy = (numberAt(set, 'status', 'replicas') ?? 0) > 0 || replicasOf(set) > 0;
    const behind = (numberAt(set, 'status', 'observedGeneration') ?? 0) < (set.metadata.generation ?? 0);
    if (!busy && !behind) context.delete(resources.replicasets, set);
  }
}

/** The same rollout after our own writes. */
function refreshed(context: WorkloadContext, rollout: Rollout): Rollout {
  const again = (object: KubeObject): KubeObject => {
    const [namespace = '', name = ''] = queueKey(object).split('/');
    const resource = object.kind === 'Deployment' ? resources.deployments : resources.replicasets;
    return context.get(resource, namespace, name) ?? object;
  };
  return {
    deployment: again(rollout.deployment),
    current: rollout.current === undefined ? undefined : again(rollout.current),
    old: rollout.old.map(again),
  };
}

function conditionsOf(deployment: KubeObject): JsonValue[] {
  return [...arrayAt(deployment, 'status', 'conditions')];
}
