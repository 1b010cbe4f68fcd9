import { CLEANUP_FINALIZER, CLEANUP_PLAN, hasPlan } from '@/lib/kudo/names';
import type { ExecutionStatus, Instance, OperatorVersion, PlanExecution } from '@/lib/kudo/types';
import { isTerminal } from './status';

/** An execution that is scheduled or runs. */
export interface Scheduled {
  readonly plan: string;
  readonly uid: string;
}

/** What `spec.planExecution` names, or undefined when the Instance is idle (CTL-03, CTL-04). */
export function scheduledPlan(instance: Instance): Scheduled | undefined {
  const { planName = '', uid = '' } = instance.spec?.planExecution ?? {};
  return planName === '' ? undefined : { plan: planName, uid };
}

/** True when the object is being deleted. */
export function isDeleting(instance: Instance): boolean {
  return (instance.metadata.deletionTimestamp ?? '') !== '';
}

/** True when our finalizer holds the Instance. */
export function hasCleanupFinalizer(instance: Instance): boolean {
  return (instance.metadata.finalizers ?? []).includes(CLEANUP_FINALIZER);
}

/**
 * The Instance with our finalizer when its version has a cleanup plan. KUDO gave it only when an Instance was made, so one
 * that it upgraded to a version with cleanup lacks it (T-04).
 */
export function withCleanupFinalizer(instance: Instance, operatorVersion: OperatorVersion | undefined): Instance {
  if (hasCleanupFinalizer(instance) || !hasPlan(operatorVersion, CLEANUP_PLAN)) return instance;
  const finalizers = [...(instance.metadata.finalizers ?? []), CLEANUP_FINALIZER];
  return { ...instance, metadata: { ...instance.metadata, finalizers } };
}

/**
 * True when the deletion of the Instance is to start its cleanup plan now: the version has one, it was never run, and it is
 * not scheduled already. Whatever else was running is replaced.
 */
export function startsCleanup(instance: Instance, operatorVersion: OperatorVersion | undefined): boolean {
  if (!isDeleting(instance) || !hasPlan(operatorVersion, CLEANUP_PLAN)) return false;
  if (scheduledPlan(instance)?.plan === CLEANUP_PLAN) return false;
  const status = instance.status?.planStatus?.[CLEANUP_PLAN]?.status;
  return status === undefined || status === 'NEVER_RUN';
}

/** The uid of a cleanup that has begun and not ended, whatever is scheduled. */
export function uidOfCleanup(instance: Instance): string | undefined {
  const { status, uid = '' } = instance.status?.planStatus?.[CLEANUP_PLAN] ?? {};
  const isUnderWay = status !== undefined && status !== 'NEVER_RUN' && !isTerminal(status);
  return isUnderWay && uid !== '' ? uid : undefined;
}

/**
 * True when nothing of the cleanup is left to do and the finalizer may go: it is COMPLETE, or the version in force has no
 * cleanup plan and none is under way (T-04: KUDO kept the finalizer of a version that is no longer in force).
 */
export function mayRelease(instance: Instance, operatorVersion: OperatorVersion | undefined): boolean {
  const status = instance.status?.planStatus?.[CLEANUP_PLAN]?.status;
  if (status === 'COMPLETE') return true;
  const underWay = scheduledPlan(instance)?.plan === CLEANUP_PLAN && !isTerminal(status);
  return operatorVersion !== undefined && !hasPlan(operatorVersion, CLEANUP_PLAN) && !underWay;
}

/**
 * True when a cleanup is scheduled, or runs, under another uid than the one that is over: a person asks for it again (CTL-10), also
 * after it was COMPLETE, when our finalizer is off and another one still holds the Instance (as KUDO, which looks at the uid alone).
 */
export function isCleanupAskedAgain(instance: Instance, scheduled: Scheduled): boolean {
  if (scheduled.plan !== CLEANUP_PLAN || scheduled.uid === '') return false;
  const status = instance.status?.planStatus?.[CLEANUP_PLAN];
  const isOther = isTerminal(status?.status) && status?.uid !== scheduled.uid;
  return isOther || (!hasCleanupFinalizer(instance) && status?.uid === scheduled.uid && !isTerminal(status.status));
}

/** True when the scheduled execution has already ended under this uid: only `planExecution` is left to be cleared. */
export function hasEnded(instance: Instance, scheduled: Scheduled): boolean {
  const status = instance.status?.planStatus?.[scheduled.plan];
  return status?.uid === scheduled.uid && scheduled.uid !== '' && isTerminal(status.status);
}

/** `planExecution` as it is written while a plan is scheduled. */
export function executionOf(scheduled: Scheduled, status: ExecutionStatus): PlanExecution {
  return { planName: scheduled.plan, uid: scheduled.uid, status };
}
