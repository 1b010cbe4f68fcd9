import { formatTime } from '@/lib/clock/clock';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import {
  type ReadyVerdict,
  readinessOfMissing,
  readinessOfResources,
  readinessOfRunning,
  readyConditionOf,
  withReadiness,
} from '@/lib/kudo/plan/readiness';
import { isDeleting } from '@/lib/kudo/plan/scheduled';
import type { Instance } from '@/lib/kudo/types';
import { missingWorkloads } from './missing-workloads';
import type { ReconcilerDeps } from './reconciler-deps';
import { resourceProblems } from './resource-health';

/**
 * Writes `Ready` while a plan runs, when it differs, and returns the Instance. KUDO does not change the condition during plans other
 * than deploy, update and upgrade. But when such a plan (a restore) has deleted a workload, `Ready` says so until the workload exists
 * again.
 */
export async function withReadinessWhileRunning(
  deps: ReconcilerDeps,
  instance: Instance,
  plan: string,
): Promise<Instance> {
  const readiness = await readinessWhileRunning(deps, instance, plan);
  const before = instance.status?.conditions;
  if (readiness === undefined) return instance;
  const conditions = withReadiness(before, readiness, formatTime(deps.clock.now()));
  if (conditions === before) return instance;
  return deps.store.writeStatus({ ...instance, status: { ...instance.status, conditions: [...conditions] } });
}

/** Undefined when the condition does not change. */
async function readinessWhileRunning(
  deps: ReconcilerDeps,
  instance: Instance,
  plan: string,
): Promise<ReadyVerdict | undefined> {
  if (readinessOfRunning(plan) !== undefined || isDeleting(instance)) return undefined;
  const missing = await missingWorkloads(deps, instance);
  if (missing.length > 0) return readinessOfMissing(missing);
  const wasMissing = readyConditionOf(instance)?.reason === 'ResourceMissing';
  if (!wasMissing) return undefined;
  return readinessOfResources(resourceProblems(deps.watches, namespaceOf(instance), nameOf(instance)));
}
