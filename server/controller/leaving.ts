import { namespaceOf } from '@/lib/kube/object';
import { CLEANUP_FINALIZER, CLEANUP_PLAN } from '@/lib/kudo/names';
import { executionOf, hasCleanupFinalizer, hasEnded, isDeleting, scheduledPlan } from '@/lib/kudo/plan/scheduled';
import { isTerminal } from '@/lib/kudo/plan/status';
import type { Instance } from '@/lib/kudo/types';
import { announceLate } from './announce-end';
import { type Outcome, REST } from './outcome';
import { isNamespaceLeaving, type World } from './world';
import { writeReadiness } from './write-readiness';

/** Takes our finalizer off, so that the Instance can go; `why` says that its cleanup was left out. */
export async function release(world: World, instance: Instance, why: string | undefined): Promise<Outcome> {
  if (why !== undefined) world.events.record(instance, 'Warning', 'CleanupSkipped', why);
  const scheduled = scheduledPlan(instance);
  if (scheduled?.plan === CLEANUP_PLAN) announceLate(world, instance, scheduled);
  const finalizers = (instance.metadata.finalizers ?? []).filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
  const released = { ...instance, metadata: { ...instance.metadata, finalizers } };
  await world.store.write(withEndTold(released) ?? released);
  world.runs.delete(instance.metadata.uid ?? '');
  return REST;
}

/** A cleanup that failed holds the Instance until a person acts, unless everything around it goes away anyway. */
export async function restWhileDeleting(world: World, instance: Instance): Promise<Outcome> {
  if (!hasCleanupFinalizer(instance)) {
    await tellEnd(world, instance);
    return REST;
  }
  if (await isNamespaceLeaving(world, namespaceOf(instance))) {
    return release(world, instance, 'The namespace is being deleted; its cleanup plan could not be finished.');
  }
  await tellEnd(world, instance);
  // The namespace may be deleted later, and that changes nothing on an Instance that is being deleted already.
  return { next: 'later', afterMs: NAMESPACE_LOOK_MS };
}

/** On a deleted Instance `planExecution` is not emptied: it says how the cleanup ended (engine 3.3, ADM-58). */
async function tellEnd(world: World, instance: Instance): Promise<void> {
  const told = withEndTold(instance);
  const scheduled = scheduledPlan(instance);
  if (told === undefined || scheduled === undefined) return;
  announceLate(world, instance, scheduled);
  await world.store.write(told);
}

/** The Instance whose `planExecution` says how its cleanup ended; undefined when there is nothing to say, or it says so. */
function withEndTold(instance: Instance): Instance | undefined {
  const scheduled = scheduledPlan(instance);
  if (scheduled?.plan !== CLEANUP_PLAN || !hasEnded(instance, scheduled)) return undefined;
  const status = instance.status?.planStatus?.[CLEANUP_PLAN]?.status ?? 'FATAL_ERROR';
  if (instance.spec?.planExecution?.status === status) return undefined;
  return { ...instance, spec: { ...instance.spec, planExecution: executionOf(scheduled, status) } };
}

const NAMESPACE_LOOK_MS = 60_000;

/** A cleanup that makes no progress in a namespace that goes away will never make any: nothing can be created there. */
export async function leaveWithNamespace(world: World, instance: Instance): Promise<void> {
  if (!hasCleanupFinalizer(instance) || !(await isNamespaceLeaving(world, namespaceOf(instance)))) return;
  await release(world, instance, 'The namespace is being deleted; its cleanup plan makes no progress and is given up.');
}

/** The OperatorVersion, or what else `reason` means, is needed and does not exist: waits for it, and says what else helps. */
export async function blocked(
  world: World,
  instance: Instance,
  message: string,
  reason: 'InvalidOperatorVersion' | 'DependencyMissing' | 'ChangeRefused' = 'InvalidOperatorVersion',
): Promise<Outcome> {
  if (isDeleting(instance) && (await isNamespaceLeaving(world, namespaceOf(instance)))) {
    const why = `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
    return release(world, instance, `The namespace is being deleted and ${why}`);
  }
  const sentence = isDeleting(instance) ? `${message} ${WAY_OUT}` : message;
  world.events.record(instance, 'Warning', reason, sentence);
  const stallReason = reason === 'InvalidOperatorVersion' ? 'OperatorVersionMissing' : reason;
  await writeReadiness(world, instance, { reason, message: sentence }, stallOfBlocked(instance, stallReason, message));
  return { next: 'retry' };
}

/** A plan that is scheduled and cannot go on without what is missing may be superseded by one that can. */
function stallOfBlocked(instance: Instance, reason: string, message: string) {
  const scheduled = scheduledPlan(instance);
  if (scheduled === undefined || scheduled.plan === CLEANUP_PLAN) return undefined;
  const isOver = isTerminal(instance.status?.planStatus?.[scheduled.plan]?.status);
  return isOver ? undefined : { reason, message };
}

const WAY_OUT = `Its cleanup plan is in there. Bring the version back, or take the finalizer ${CLEANUP_FINALIZER} off the Instance to let it go without a cleanup.`;
