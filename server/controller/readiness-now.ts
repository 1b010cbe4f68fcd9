import { parseTime } from '@/lib/clock/clock';
import { stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { latestPlan } from '@/lib/kudo/plan/latest-plan';
import {
  type ReadyVerdict,
  readinessOfFatalError,
  readinessOfMissing,
  readinessOfResources,
} from '@/lib/kudo/plan/readiness';
import type { Instance } from '@/lib/kudo/types';
import { MOUNT_PATIENCE_MS, mountFailure } from '@/server/tasks/mount-failure';
import { missingWorkloads } from './missing-workloads';
import type { ReconcilerDeps } from './reconciler-deps';
import { podsBeingSetUp, resourceProblems } from './resource-health';

/** No watch event of the pod says that the kubelet has a new reason why it does not start. */
const LOOK_AGAIN_MS = 60_000;
const AND_A_BIT_MS = 1_000;

/**
 * The readiness of an idle Instance, and when to check again without a watch event: a pod whose first container does not start does
 * not change any more; only Events say what it waits for. A missing workload comes first, also after a plan that failed; without
 * one, readiness is unknown after a fatal error until the next plan (KUDO KEP-34).
 */
export async function readinessNow(
  deps: Pick<ReconcilerDeps, 'watches' | 'api' | 'clock'>,
  instance: Instance,
): Promise<{ readonly readiness: ReadyVerdict; readonly afterMs: number | undefined }> {
  const { watches, clock } = deps;
  const [namespace, name] = [namespaceOf(instance), nameOf(instance)];
  const failedPlan = lastFailure(instance);
  const missing = await missingWorkloads(deps, instance);
  if (missing.length > 0) {
    const problems = failedPlan === undefined ? resourceProblems(watches, namespace, name) : [];
    return { readiness: readinessOfMissing(missing, { problems, failedPlan }), afterMs: undefined };
  }
  if (failedPlan !== undefined) return { readiness: readinessOfFatalError(failedPlan), afterMs: undefined };
  // One pod is enough: the others usually wait for the same.
  const [pod] = podsBeingSetUp(watches, namespace, name);
  const failure = pod === undefined ? undefined : await mountFailure(pod, { ...deps, podsOf: () => [] });
  const failures = new Map<KubeObject, string>();
  if (pod !== undefined && failure !== undefined) failures.set(pod, failure);
  const readiness = readinessOfResources(resourceProblems(watches, namespace, name, failures));
  return { readiness, afterMs: pod === undefined ? undefined : lookAgainMs(pod, clock.now()) };
}

/** The name of the last plan when it ended in a fatal error. */
function lastFailure(instance: Instance): string | undefined {
  const latest = latestPlan(instance);
  return latest?.status.status === 'FATAL_ERROR' ? latest.name : undefined;
}

function lookAgainMs(pod: KubeObject, nowMs: number): number {
  const ageMs = nowMs - (parseTime(stringAt(pod.status, 'startTime')) ?? nowMs);
  return ageMs < MOUNT_PATIENCE_MS
    ? Math.min(MOUNT_PATIENCE_MS, MOUNT_PATIENCE_MS - ageMs) + AND_A_BIT_MS
    : LOOK_AGAIN_MS;
}
