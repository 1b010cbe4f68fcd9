import { arrayAt, getAt, type JsonValue, numberAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { controllerOf, nameOf, namespaceOf } from '@/lib/kube/object';
import { findCondition } from '../core/conditions';
import { reconcileEach, type WorkloadContext, type WorkloadController } from '../core/context';
import { resources } from '../core/resources';
import { claim, ownerKeys } from '../pods/claim';
import { type Ownership, ownersToReconcile, selectorOf } from '../pods/owned-pods';
import { createdMs, isFinished, isTerminating } from '../pods/pod-state';
import { isComplete, noted, statusWith, withAvailability, writeRolloutStatus } from './deployment-status';
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
import { followSize, newReplicas, recordScaling, rollOn, scaleOldToZero, scaleTo } from './scaling';

const OWNERSHIP: Ownership = { owner: { ...resources.deployments, kind: 'Deployment' }, owned: resources.replicasets };

/**
 * Rolls Deployments out by ReplicaSets (Kubernetes pkg/controller/deployment). Each reconcile reads all, takes one step
 * (create, scale up, scale down, clean up), and writes the status; its changes cause the next reconcile.
 */
export function deploymentController(context: WorkloadContext): WorkloadController {
  return {
    name: 'deployment',
    *keysFor(event, before) {
      yield* ownersToReconcile(context, OWNERSHIP, event, before);
      // Recreate waits until the old pods are deleted.
      const owner = event.resource.resource === 'pods' ? controllerOf(event.object) : undefined;
      if (event.type !== 'DELETED' || owner?.kind !== 'ReplicaSet') return;
      const set = context.get(resources.replicasets, namespaceOf(event.object), owner.name);
      yield* ownerKeys(OWNERSHIP.owner, set);
    },
    reconcile: reconcileEach(context, resources.deployments, reconcile),
  };
}

function rolloutOf(context: WorkloadContext, deployment: KubeObject): Rollout {
  return splitReplicaSets(deployment, claim(context, deployment, resources.replicasets, selectorOf(deployment)));
}

/** The same rollout after our own writes. */
function refreshed(context: WorkloadContext, { deployment }: Rollout): Rollout {
  const present = context.get(resources.deployments, namespaceOf(deployment), nameOf(deployment));
  return rolloutOf(context, present ?? deployment);
}

function reconcile(context: WorkloadContext, deployment: KubeObject): number | undefined {
  const rollout = rolloutOf(context, deployment);
  const conditions = arrayAt(deployment, 'status', 'conditions');
  if (isTerminating(deployment)) return writePlainStatus(context, rollout, conditions);
  const paused = getAt(deployment, 'spec', 'paused') === true;
  const noticed = pauseConditions(context, deployment, paused);
  if (paused) {
    followSize(context, rollout);
    cleanUp(context, rollout, true);
    return writePlainStatus(context, refreshed(context, rollout), noticed);
  }
  return isRolling(deployment) ? roll(context, rollout, noticed) : recreate(context, rollout, noticed);
}

function roll(context: WorkloadContext, rollout: Rollout, conditions: readonly JsonValue[]): number | undefined {
  const step = withCurrent(context, rollout, conditions);
  if (!step.made && rollOn(context, step.rollout)) {
    return writeRolloutStatus(context, refreshed(context, step.rollout), step.conditions);
  }
  cleanUp(context, step.rollout, false);
  return writeRolloutStatus(context, step.rollout, step.conditions);
}

function recreate(context: WorkloadContext, rollout: Rollout, conditions: readonly JsonValue[]): number | undefined {
  const { deployment } = rollout;
  if (scaleOldToZero(context, rollout) || hasOldPods(context, rollout)) {
    return writeRolloutStatus(context, refreshed(context, rollout), conditions);
  }
  const step = withCurrent(context, rollout, conditions);
  if (!step.made) scaleTo(context, deployment, step.current, replicasOf(deployment));
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
  readonly current: KubeObject;
  readonly conditions: readonly JsonValue[];
  readonly made: boolean;
}

/** Creates the ReplicaSet of the present template if it does not exist yet, and writes the revisions. */
function withCurrent(context: WorkloadContext, rollout: Rollout, conditions: readonly JsonValue[]): Step {
  const revision = Math.max(0, ...rollout.old.map(revisionOf)) + 1;
  const synced = syncReplicaSet(context, rollout, revision);
  const made = synced === undefined;
  const current = synced ?? createReplicaSet(context, rollout.deployment, revision, newReplicas(rollout));
  const replicas = replicasOf(current);
  if (made && replicas > 0) recordScaling(context, rollout.deployment, current, [0, replicas]);
  const note = (copy: KubeObject) => {
    copy.metadata.annotations = { ...copy.metadata.annotations, [REVISION]: String(revisionOf(current)) };
  };
  // With the status: an annotation written otherwise makes a new generation.
  const deployment = context.update(resources.deployments, rollout.deployment, note, 'status');
  const next = { ...rollout, deployment, current };
  const isSaid = !made && findCondition(conditions, 'Progressing') !== undefined;
  if (isSaid || !hasDeadline(deployment)) return { rollout: next, current, made, conditions };
  const message = `${made ? 'Created' : 'Found'} new replica set "${nameOf(current)}"`;
  const reason = made ? 'NewReplicaSetCreated' : 'FoundNewReplicaSet';
  const said = noted(context, conditions, ['Progressing', 'True', reason, message]);
  return { rollout: next, current, made, conditions: said };
}

function hasDeadline(deployment: KubeObject): boolean {
  return numberAt(deployment, 'spec', 'progressDeadlineSeconds') !== undefined;
}

/** Paused and resumed Deployments say so in Progressing, and deadlines do not count meanwhile (checkPausedConditions). */
function pauseConditions(context: WorkloadContext, deployment: KubeObject, paused: boolean): readonly JsonValue[] {
  const conditions = arrayAt(deployment, 'status', 'conditions');
  const reason = findCondition(conditions, 'Progressing')?.reason;
  const isSaid = paused === (reason === 'DeploymentPaused');
  if (!hasDeadline(deployment) || reason === 'ProgressDeadlineExceeded' || isSaid) return conditions;
  const word = paused ? 'paused' : 'resumed';
  const wanted = paused ? 'DeploymentPaused' : 'DeploymentResumed';
  return noted(context, conditions, ['Progressing', 'Unknown', wanted, `Deployment is ${word}`]);
}

function writePlainStatus(context: WorkloadContext, rollout: Rollout, conditions: readonly JsonValue[]): undefined {
  const complete = withAvailability(context, rollout, conditions);
  context.updateStatus(resources.deployments, rollout.deployment, statusWith(rollout, complete));
}

/** Deletes old, empty ReplicaSets beyond `revisionHistoryLimit`, the oldest revisions first (cleanupDeployment). */
function cleanUp(context: WorkloadContext, rollout: Rollout, evenIncomplete: boolean): void {
  const { deployment } = rollout;
  if (!evenIncomplete && !isComplete(rollout)) return;
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
