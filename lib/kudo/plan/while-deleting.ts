import { CLEANUP_PLAN, hasPlan } from '@/lib/kudo/names';
import { actedUpon } from './acted-upon-record';
import type { NextAction, NextActionInput } from './next-action-types';
import {
  hasCleanupFinalizer,
  hasEnded,
  isCleanupAskedAgain,
  mayRelease,
  scheduledPlan,
  startsCleanup,
  uidOfCleanup,
} from './scheduled';
import { blockedAction, startAction } from './start-action';

/** What an Instance that is being deleted needs next: its cleanup, to its end, and then the finalizer off. */
export function whileDeleting(input: NextActionInput): NextAction {
  const { instance } = input;
  const operatorVersion = input.actedUponVersion ?? input.operatorVersion;
  const scheduled = scheduledPlan(instance);
  // Somebody else's finalizer holds it, or a person asks for the cleanup once more.
  if (scheduled !== undefined && isCleanupAskedAgain(instance, scheduled) && hasPlan(operatorVersion, CLEANUP_PLAN)) {
    const known = [actedUpon(instance)?.uid, instance.status?.planStatus?.[CLEANUP_PLAN]?.uid];
    const isBegun = known.includes(scheduled.uid);
    return isBegun ? { do: 'continue', scheduled } : startAction(instance, scheduled);
  }
  if (!hasCleanupFinalizer(instance)) return { do: 'rest' };
  if (mayRelease(instance, operatorVersion)) return { do: 'release' };
  if (operatorVersion === undefined) return blockedAction(instance);
  if (startsCleanup(instance, operatorVersion)) return startAction(instance, { plan: CLEANUP_PLAN, uid: input.newUid });
  if (scheduled?.plan !== CLEANUP_PLAN) {
    // Without a webhook nobody refuses that another plan is asked for, or that the cleanup is cancelled: it goes on.
    const uid = uidOfCleanup(instance);
    return uid === undefined ? { do: 'rest' } : startAction(instance, { plan: CLEANUP_PLAN, uid });
  }
  return hasEnded(instance, scheduled) ? { do: 'rest' } : { do: 'continue', scheduled };
}
