import { kubeHealthOf } from '@/lib/kube/health/health';
import { failed, HEALTHY, type Health, progressing } from '@/lib/kube/health/verdict';
import { type KubeObject, parseApiVersion } from '@/lib/kube/object';
import { hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import { stallOf } from '@/lib/kudo/plan/conditions';
import { latestPlan } from '@/lib/kudo/plan/latest-plan';
import { readyConditionOf } from '@/lib/kudo/plan/readiness';
import { runQueueOf } from '@/lib/kudo/queue/run-queue';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance } from '@/lib/kudo/types';

/** The health of any object, Instances included; `fingerprints` as in {@link hasUnseenChange}. */
export function healthOf(object: KubeObject, fingerprints?: Fingerprinter): Health {
  const { group } = parseApiVersion(object.apiVersion);
  const isInstance = group === 'kudo.dev' && object.kind === 'Instance';
  return isInstance ? instanceHealth(object as Instance, fingerprints) : kubeHealthOf(object);
}

/**
 * A child Instance is healthy when it has run a plan, no plan is scheduled, its last plan did not fail (KUDO took a failed child for
 * healthy, T-03), nothing waits in its queue, and its controller has reconciled its last change.
 */
export function instanceHealth(instance: Instance, fingerprints?: Fingerprinter): Health {
  if ((instance.metadata.deletionTimestamp ?? '') !== '') return progressing('is being deleted');
  const { planName = '' } = instance.spec?.planExecution ?? {};
  if (planName !== '') return progressing(stallOf(instance)?.message ?? `plan ${planName} is running`);
  const ready = readyConditionOf(instance);
  if (ready?.reason === 'InvalidOperatorVersion') return progressing(ready.message);
  const latest = latestPlan(instance);
  if (latest === undefined) return progressing('no plan has run yet');
  if (hasUnseenChange(instance, fingerprints)) return progressing('its latest change has not been observed yet');
  const [waiting] = runQueueOf(instance).entries;
  if (waiting !== undefined && latest.status.status !== 'FATAL_ERROR') {
    return progressing(`plan ${waiting.plan} waits in the queue`);
  }
  if (latest.status.status === 'FATAL_ERROR') return failed(`plan ${latest.name} ended in a fatal error`);
  return HEALTHY;
}
