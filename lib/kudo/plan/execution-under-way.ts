import { hasPlan } from '@/lib/kudo/names';
import type { Instance, OperatorVersion, PlanExecution } from '@/lib/kudo/types';
import { actedUpon } from './acted-upon-record';
import { isDeleting, type Scheduled, scheduledPlan } from './scheduled';
import { isTerminal } from './status';

/** The execution that the record names, as long as it has not ended. */
export function executionUnderWay(instance: Instance): Scheduled | undefined {
  const seen = actedUpon(instance);
  if (seen?.plan === undefined || seen.uid === undefined || seen.ended !== undefined) return undefined;
  const status = instance.status?.planStatus?.[seen.plan];
  const isOver = status?.uid === seen.uid && isTerminal(status.status);
  return isOver ? undefined : { plan: seen.plan, uid: seen.uid };
}

/**
 * `planExecution` as the record has it: the execution that was recorded and is not over, whatever somebody wrote over it
 * while nobody was asked. Otherwise as it is stored.
 *
 * @param actedUponVersion the version that was acted upon last
 */
export function executionAsActedUpon(
  instance: Instance,
  actedUponVersion: OperatorVersion | undefined,
): PlanExecution | undefined {
  const stored = instance.spec?.planExecution;
  const running = executionUnderWay(instance);
  if (running === undefined || isDeleting(instance) || !hasPlan(actedUponVersion, running.plan)) return stored;
  const isBegun = instance.status?.planStatus?.[running.plan]?.uid === running.uid;
  const scheduled = scheduledPlan(instance);
  if (scheduled === undefined && !isBegun) return stored;
  if (scheduled?.plan === running.plan && scheduled.uid === running.uid) return stored;
  return { planName: running.plan, uid: running.uid };
}
