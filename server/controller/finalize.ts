import { namespaceOf } from '@/lib/kube/object';
import { CLEANUP_FINALIZER, CLEANUP_PLAN } from '@/lib/kudo/names';
import { executionOf, hasCleanupFinalizer, hasEnded, isDeleting, scheduledPlan } from '@/lib/kudo/plan/scheduled';
import { isTerminal } from '@/lib/kudo/plan/status';
import type { Instance } from '@/lib/kudo/types';
import { announceLate } from './announce-end';
import { type Outcome, REST } from './outcome';
import { isNamespaceDeleting, type ReconcilerDeps } from './reconciler-deps';
import { writeReadiness } from './write-readiness';

/** Removes our finalizer, so that the Instance is deleted; `why` is the message when its cleanup is skipped. */
export async function removeFinalizer(
  deps: ReconcilerDeps,
  instance: Instance,
  why: string | undefined,
): Promise<Outcome> {
  if (why !== undefined) deps.events.record(instance, 'Warning', 'CleanupSkipped', why);
  const scheduled = scheduledPlan(instance);
  if (scheduled?.plan === CLEANUP_PLAN) announceLate(deps, instance, scheduled);
  const finalizers = (instance.metadata.finalizers ?? []).filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
  const released = { ...instance, metadata: { ...instance.metadata, finalizers } };
  await deps.store.write(withEndAnnounced(released) ?? released);
  deps.runs.delete(instance.metadata.uid ?? '');
  return REST;
}

/** A failed cleanup holds the Instance until a person acts, unless its namespace is being deleted. */
export async function restWhileDeleting(deps: ReconcilerDeps, instance: Instance): Promise<Outcome> {
  if (!hasCleanupFinalizer(instance)) {
    await announceCleanup(deps, instance);
    return REST;
  }
  if (await isNamespaceDeleting(deps, namespaceOf(instance))) {
    return removeFinalizer(
      deps,
      instance,
      'The namespace is being deleted and the cleanup plan did not finish; the cleanup is skipped.',
    );
  }
  await announceCleanup(deps, instance);
  // The namespace may be deleted later, and no watch event of the Instance would say so.
  return { next: 'later', afterMs: NAMESPACE_CHECK_MS };
}

/** On a deleted Instance `planExecution` is not emptied: it says how the cleanup ended (ADM-58). */
async function announceCleanup(deps: ReconcilerDeps, instance: Instance): Promise<void> {
  const announced = withEndAnnounced(instance);
  const scheduled = scheduledPlan(instance);
  if (announced === undefined || scheduled === undefined) return;
  announceLate(deps, instance, scheduled);
  await deps.store.write(announced);
}

/** The Instance whose `planExecution` says how its cleanup ended; undefined when nothing is to be written. */
function withEndAnnounced(instance: Instance): Instance | undefined {
  const scheduled = scheduledPlan(instance);
  if (scheduled?.plan !== CLEANUP_PLAN || !hasEnded(instance, scheduled)) return undefined;
  const status = instance.status?.planStatus?.[CLEANUP_PLAN]?.status ?? 'FATAL_ERROR';
  if (instance.spec?.planExecution?.status === status) return undefined;
  return { ...instance, spec: { ...instance.spec, planExecution: executionOf(scheduled, status) } };
}

const NAMESPACE_CHECK_MS = 60_000;

/** A stalled cleanup in a terminating namespace can never finish: nothing can be created there. */
export async function finalizeWithNamespace(deps: ReconcilerDeps, instance: Instance): Promise<void> {
  if (!hasCleanupFinalizer(instance) || !(await isNamespaceDeleting(deps, namespaceOf(instance)))) return;
  await removeFinalizer(
    deps,
    instance,
    'The namespace is being deleted and the cleanup plan is stalled; the cleanup is skipped.',
  );
}

/** The OperatorVersion does not exist, or what `reason` says is missing: waits for it, and says what else helps. */
export async function blocked(
  deps: ReconcilerDeps,
  instance: Instance,
  message: string,
  reason: 'InvalidOperatorVersion' | 'DependencyMissing' | 'ChangeRefused' = 'InvalidOperatorVersion',
): Promise<Outcome> {
  if (isDeleting(instance) && (await isNamespaceDeleting(deps, namespaceOf(instance)))) {
    const why = `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
    return removeFinalizer(deps, instance, `The namespace is being deleted and ${why}`);
  }
  const sentence = isDeleting(instance) ? `${message} ${WAY_OUT}` : message;
  deps.events.record(instance, 'Warning', reason, sentence);
  const stallReason = reason === 'InvalidOperatorVersion' ? 'OperatorVersionMissing' : reason;
  await writeReadiness(deps, instance, { reason, message: sentence }, stallOfBlocked(instance, stallReason, message));
  return { next: 'retry' };
}

/** A plan that cannot continue without what is missing may be replaced by one that can. */
function stallOfBlocked(instance: Instance, reason: string, message: string) {
  const scheduled = scheduledPlan(instance);
  if (scheduled === undefined || scheduled.plan === CLEANUP_PLAN) return undefined;
  const isOver = isTerminal(instance.status?.planStatus?.[scheduled.plan]?.status);
  return isOver ? undefined : { reason, message };
}

const WAY_OUT = `It holds the cleanup plan. Install the version again, or remove the finalizer ${CLEANUP_FINALIZER} from the Instance to delete the Instance without a cleanup.`;
