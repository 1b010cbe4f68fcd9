import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { CLEANUP_FINALIZER, CLEANUP_PLAN } from '@/lib/kudo/names';
import { CANCELLED } from '@/lib/kudo/runs/steering';
import type { Instance } from '@/lib/kudo/types';
import { hasCleanupFinalizer, isCleanupAskedAgain, isDeleting, scheduledPlan } from './scheduled';

/** A deletion that goes on only when a person acts: the cleanup of the Instance has ended, and is not complete. */
export interface HeldDeletion {
  /** `plan cleanup was cancelled`, `plan cleanup failed`. */
  readonly reason: string;
  /** What happened and what helps, in sentences. */
  readonly message: string;
}

/** Undefined for an Instance that is not being deleted, whose cleanup has not ended, or for which somebody has asked for it again. */
export function heldDeletion(instance: Instance): HeldDeletion | undefined {
  if (!isDeleting(instance) || !hasCleanupFinalizer(instance)) return undefined;
  const { status, message = '' } = instance.status?.planStatus?.[CLEANUP_PLAN] ?? {};
  const scheduled = scheduledPlan(instance);
  const isAskedAgain = scheduled !== undefined && isCleanupAskedAgain(instance, scheduled);
  if (status !== 'FATAL_ERROR' || isAskedAgain) return undefined;
  const reason = `plan ${CLEANUP_PLAN} ${message.startsWith(CANCELLED) ? 'was cancelled' : 'failed'}`;
  return { reason, message: `The deletion waits: ${reason}. ${waysOut(instance)}` };
}

/** What a person is told before the cleanup of an Instance is cancelled. */
export function cancelledCleanupWarning(instance: Pick<KubeObject, 'metadata'>): string {
  return `The deletion of Instance ${nameOf(instance)} waits then. ${waysOut(instance)}`;
}

function waysOut(instance: Pick<KubeObject, 'metadata'>): string {
  const start = `bravo plan trigger --name ${CLEANUP_PLAN} --instance ${nameOf(instance)} -n ${namespaceOf(instance)}`;
  return `Start it again with \`${start}\`, or remove the finalizer ${CLEANUP_FINALIZER} to delete the Instance without the rest of it.`;
}
