import type { Instance, PlanStatus } from '@/lib/kudo/types';
import { scheduledPlan } from './scheduled';
import { resetPlanStatus } from './status';

/**
 * The status of an execution that is scheduled and not begun: all of it PENDING. Between an accepted edit and the
 * controller's first look `status.planStatus` still tells of the execution before, which may be COMPLETE; whoever shows or
 * waits for a plan asks this first. Undefined when nothing is scheduled, or when what is has begun.
 */
export function scheduledStatus(instance: Instance): PlanStatus | undefined {
  const scheduled = scheduledPlan(instance);
  if (scheduled === undefined || scheduled.uid === '') return undefined;
  const known = instance.status?.planStatus?.[scheduled.plan];
  if (known?.uid === scheduled.uid) return undefined;
  const { lastUpdatedTimestamp: _, ...reset } = resetPlanStatus(known ?? { name: scheduled.plan }, scheduled.uid, '');
  return reset;
}
