import { messageOf } from '@/lib/errors/errors';
import { numberAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf } from '@/lib/kube/object';
import { withoutZeros } from '../core/conditions';
import { reconcileEach, type WorkloadContext, type WorkloadController } from '../core/context';
import { statusCodeOf } from '../core/failures';
import { resources } from '../core/resources';
import { claim } from '../pods/claim';
import { syncHistory, type TemplateHistory, trimHistory } from '../pods/controller-revisions';
import { type Ownership, ownersToReconcile } from '../pods/owned-pods';
import { burst } from '../pods/pod-burst';
import { availability, countAvailable, isFinished, isReady, isTerminating, phaseOf } from '../pods/pod-state';
import { syncClaims } from './claims';
import {
  isOnDelete,
  ordinalOf,
  partitionOf,
  podOf,
  REVISION_LABEL,
  STATEFUL_SET_CONTROLLER,
  startOrdinal,
} from './identity';

const OWNERSHIP: Ownership = { owner: { ...resources.statefulsets, kind: 'StatefulSet' }, owned: resources.pods };

/**
 * Keeps the pods of a StatefulSet (Kubernetes pkg/controller/statefulset): one after the other in the order of their
 * ordinals unless Parallel, from the end when shrinking or updating, with a claim for each of their volumes.
 */
export function statefulSetController(context: WorkloadContext): WorkloadController {
  return {
    name: 'statefulset',
    keysFor: (event, before) => ownersToReconcile(context, OWNERSHIP, event, before),
    reconcile: reconcileEach(context, resources.statefulsets, reconcile),
  };
}

/** A set with its history and its pods as they are now. */
interface View {
  readonly set: KubeObject;
  readonly history: TemplateHistory;
  readonly current: KubeObject;
  readonly pods: ReadonlyMap<number, KubeObject>;
}

function reconcile(context: WorkloadContext, set: KubeObject): number | undefined {
  const history = syncHistory(context, set);
  const currentName = stringAt(set, 'status', 'currentRevision');
  const current = history.revisions.find((revision) => nameOf(revision) === currentName) ?? history.update;
  const view = (): View => ({ set, history, current, pods: podsByOrdinal(context, set) });
  try {
    if (!isTerminating(set)) step(context, view());
  } catch (error) {
    writeStatus(context, view());
    if (statusCodeOf(error) !== undefined) {
      const message = `create Pod in StatefulSet ${nameOf(set)} failed error: ${messageOf(error)}`;
      context.events.warning(STATEFUL_SET_CONTROLLER, set, 'FailedCreate', message);
    }
    throw error;
  }
  const waitMs = writeStatus(context, view());
  trimHistory(context, set, history, revisionsInUse(view()));
  return waitMs;
}

function podsByOrdinal(context: WorkloadContext, set: KubeObject): Map<number, KubeObject> {
  const pods = new Map<number, KubeObject>();
  for (const pod of claim(context, set, resources.pods, objectAt(set, 'spec', 'selector'))) {
    const ordinal = ordinalOf(set, pod);
    if (ordinal !== undefined) pods.set(ordinal, pod);
  }
  return pods;
}

/** One step towards the wanted pods. */
function step(context: WorkloadContext, view: View): void {
  const { set, pods } = view;
  const start = startOrdinal(set);
  const end = start + (numberAt(set, 'spec', 'replicas') ?? 1);
  const parallel = stringAt(set, 'spec', 'podManagementPolicy') === 'Parallel';
  let lacking = 0;
  for (let ordinal = start; ordinal < end; ordinal++) {
    if (!pods.has(ordinal) && ++lacking > burst(lacking, pods.size)) return;
    if (!keepReplica(context, view, ordinal) && !parallel) return;
  }
  const condemned = [...pods].filter(([ordinal]) => ordinal < start || ordinal >= end).sort(([a], [b]) => b - a);
  for (const [, pod] of condemned) {
    if (!isTerminating(pod)) {
      syncClaims(context, set, nameOf(pod), pod);
      deletePod(context, set, pod);
    }
    if (!parallel) return;
  }
  if (!isOnDelete(set)) updateFromTheEnd(context, view, start, end);
}

function stateOf(context: WorkloadContext, view: View, pod: KubeObject): true | false | number {
  if (phaseOf(pod) !== 'Running') return false;
  return availability(pod, numberAt(view.set, 'spec', 'minReadySeconds') ?? 0, context.clock.now());
}

/** True when the pod of the ordinal is up; otherwise what it lacks was begun, and an ordered set goes no further. */
function keepReplica(context: WorkloadContext, view: View, ordinal: number): boolean {
  const { set } = view;
  const pod = view.pods.get(ordinal);
  const name = `${nameOf(set)}-${ordinal}`;
  if (pod === undefined) {
    createPod(context, view, ordinal, name);
    return false;
  }
  if (isTerminating(pod)) return false;
  if (isFinished(pod)) {
    deletePod(context, set, pod);
    return false;
  }
  syncClaims(context, set, name);
  return stateOf(context, view, pod) === true;
}

function createPod(context: WorkloadContext, view: View, ordinal: number, name: string): void {
  const { set } = view;
  syncClaims(context, set, name);
  context.create(resources.pods, podOf(set, revisionFor(view, ordinal), ordinal));
  const message = `create Pod ${name} in StatefulSet ${nameOf(set)} successful`;
  context.events.normal(STATEFUL_SET_CONTROLLER, set, 'SuccessfulCreate', message);
}

/** Ordinals that the update has not reached get the current revision, the others the new one. */
function revisionFor(view: View, ordinal: number): KubeObject {
  const { set, history, current } = view;
  if (isOnDelete(set)) return history.update;
  const explicit = objectAt(set, 'spec', 'updateStrategy').rollingUpdate !== undefined;
  const kept = explicit ? partitionOf(set) : (numberAt(set, 'status', 'currentReplicas') ?? 0);
  return ordinal < startOrdinal(set) + kept ? current : history.update;
}

function deletePod(context: WorkloadContext, set: KubeObject, pod: KubeObject): void {
  context.delete(resources.pods, pod);
  const message = `delete Pod ${nameOf(pod)} in StatefulSet ${nameOf(set)} successful`;
  context.events.normal(STATEFUL_SET_CONTROLLER, set, 'SuccessfulDelete', message);
}

/** Replaces the highest pod of an old revision, and waits while a pod above it is not healthy. */
function updateFromTheEnd(context: WorkloadContext, view: View, start: number, end: number): void {
  const { set, history } = view;
  for (let ordinal = end - 1; ordinal >= start + partitionOf(set); ordinal--) {
    const pod = view.pods.get(ordinal);
    if (pod === undefined || isTerminating(pod)) return;
    if (revisionName(pod) !== nameOf(history.update)) {
      deletePod(context, set, pod);
      return;
    }
    if (stateOf(context, view, pod) !== true) return;
  }
}

function revisionName(pod: KubeObject): string | undefined {
  return pod.metadata.labels?.[REVISION_LABEL];
}

function revisionsInUse(view: View): Set<string> {
  const names = [...view.pods.values()].map(revisionName).filter((name) => name !== undefined);
  return new Set([...names, nameOf(view.current), nameOf(view.history.update)]);
}

/**
 * Counts the pods; a finished rolling update makes the new revision the current one (completeRollingUpdate). The result is
 * when to reconcile again for a pod that becomes available by time alone.
 */
function writeStatus(context: WorkloadContext, view: View): number | undefined {
  const { set, history, current } = view;
  const pods = [...view.pods.values()];
  const living = pods.filter((pod) => !isTerminating(pod));
  const running = pods.filter((pod) => phaseOf(pod) === 'Running');
  const wanted = numberAt(set, 'spec', 'replicas') ?? 1;
  const update = nameOf(history.update);
  const ready = running.filter(isReady).length;
  const updated = living.filter((pod) => revisionName(pod) === update).length;
  const done = !isOnDelete(set) && updated === wanted && ready === wanted && pods.length === wanted;
  const currentName = done ? update : nameOf(current);
  const minReady = numberAt(set, 'spec', 'minReadySeconds') ?? 0;
  const { available, waitMs } = countAvailable(running, minReady, context.clock.now());
  const counts = withoutZeros({
    readyReplicas: ready,
    currentReplicas: living.filter((pod) => revisionName(pod) === currentName).length,
    updatedReplicas: updated,
    observedGeneration: set.metadata.generation,
  });
  context.updateStatus(resources.statefulsets, set, {
    ...counts,
    replicas: pods.length,
    availableReplicas: available,
    currentRevision: currentName,
    updateRevision: update,
    collisionCount: 0,
  });
  return waitMs;
}
