import type { Instance, PlanStatus } from '@/lib/kudo/types';
import { scheduledPlan } from './scheduled';
import { resetPlanStatus } from './status';

/**
 * The status of an execution that is scheduled and has not begun: everything PENDING. Between an accepted edit and the controller's
 * first reconcile, `status.planStatus` still has the execution before, which may be COMPLETE; code that shows or awaits a plan
 * asks this function first. Undefined when no plan is scheduled, or when the scheduled plan has begun.
 */
export function scheduledStatus(instance: Instance): PlanStatus | undefined {
  const scheduled = scheduledPlan(instance);
  if (scheduled === undefined || scheduled.uid === '') return undefined;
  const known = instance.status?.planStatus?.[scheduled.plan];
  if (known?.uid === scheduled.uid) return undefined;
  const { lastUpdatedTimestamp: _, ...reset } = resetPlanStatus(known ?? { name: scheduled.plan }, scheduled.uid, '');
  return reset;
}
