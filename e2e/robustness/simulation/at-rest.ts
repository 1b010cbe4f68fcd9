import { lockOf } from '@/lib/kudo/lock/instance-lock';
import { hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { isTerminal } from '@/lib/kudo/plan/status';
import { failedRun } from '@/lib/kudo/queue/queued-start';
import { runQueueOf } from '@/lib/kudo/queue/run-queue';
import type { Instance } from '@/lib/kudo/types';
import { GATED_PLAN } from './late-actions';

/**
 * No plan is scheduled or in progress, none waits that starts by itself, and the controller has acted upon every edit (I6), as far as no lock
 * holds the Instance.
 */
export function isAtRest(instance: Instance | undefined): boolean {
  if (instance === undefined) return true;
  if (instance.metadata.deletionTimestamp !== undefined) return false;
  if ((instance.spec?.planExecution?.planName ?? '') !== '') return false;
  if (actedUpon(instance) === undefined) return false;
  if (lockOf(instance) === undefined && hasMoreToDo(instance)) return false;
  const statuses = Object.values(instance.status?.planStatus ?? {});
  return statuses.length > 0 && statuses.every(({ status }) => status === 'NEVER_RUN' || isTerminal(status));
}

function hasMoreToDo(instance: Instance): boolean {
  const { entries } = runQueueOf(instance);
  const isQueueHeld = failedRun(instance) !== undefined || waitsForApproval(instance);
  if (entries.length > 0 && !isQueueHeld) return true;
  return hasUnseenChange(instance) && !isRefused(instance) && !waitsForApproval(instance);
}

/** The first run that waits is one that starts with an approval only. It may have one, and start in a moment. */
export function waitsForApproval(instance: Instance): boolean {
  return runQueueOf(instance).entries[0]?.plan === GATED_PLAN;
}

/** The controller refuses the edit, and the Ready condition says why. */
export function isRefused(instance: Instance | undefined): boolean {
  return (
    instance !== undefined &&
    hasUnseenChange(instance) &&
    instance.status?.conditions?.some(({ type, reason }) => type === 'Ready' && reason === 'ChangeRefused') === true
  );
}
