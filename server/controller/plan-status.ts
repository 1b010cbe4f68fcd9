import { formatTime } from '@/lib/clock/clock';
import { jsonEqual } from '@/lib/json/json';
import { type ExtraCondition, type ExtraConditionType, withExtraCondition } from '@/lib/kudo/plan/conditions';
import { readinessOfEnded, readinessOfRunning, withReadiness } from '@/lib/kudo/plan/readiness';
import { withStart } from '@/lib/kudo/plan/status';
import type { Instance, PlanStatus } from '@/lib/kudo/types';
import type { ReconcilerDeps } from './reconciler-deps';

type ConditionOfPlan = Exclude<ExtraConditionType, 'GuessableSecret'>;
/** The conditions of a running plan; undefined removes one. */
export type PlanConditions = { readonly [type in ConditionOfPlan]: ExtraCondition | undefined };

/** Writes the status of a plan with the readiness and the conditions that belong to it; gives the Instance as it is stored then. */
export async function writePlanStatus(
  deps: ReconcilerDeps,
  instance: Instance,
  change: { statuses: { [plan: string]: PlanStatus }; plan: string; next: PlanStatus; extra: PlanConditions },
): Promise<Instance> {
  const { plan, next } = change;
  const now = formatTime(deps.clock.now());
  const planStatus = { ...change.statuses, [plan]: { ...next, lastUpdatedTimestamp: now } };
  const readiness = readinessOfEnded(plan, next.status) ?? readinessOfRunning(plan);
  const before = instance.status?.conditions;
  const ready = readiness === undefined ? before : withReadiness(before, readiness, now);
  const stalled = withExtraCondition(ready, 'Stalled', change.extra.Stalled, now);
  const conditions = withExtraCondition(stalled, 'ChangePending', change.extra.ChangePending, now);
  return deps.store.writeStatus({
    ...instance,
    status: { ...instance.status, planStatus, ...(conditions === undefined ? {} : { conditions: [...conditions] }) },
  });
}

/** True when the Instance has exactly these conditions. */
export function hasConditions({ status }: Instance, extra: PlanConditions): boolean {
  const types: readonly ConditionOfPlan[] = ['Stalled', 'ChangePending'];
  return types.every((type) => withExtraCondition(status?.conditions, type, extra[type], '') === status?.conditions);
}

/** Equal but for the time of the last write, and for starts of steps, which an old definition of the kind would drop. */
export function isSamePlanStatus(a: PlanStatus, b: PlanStatus | undefined): boolean {
  return b !== undefined && jsonEqual(compared(a), compared(b));
}

function compared(status: PlanStatus): PlanStatus {
  const phases = (status.phases ?? []).map((phase) => {
    return { ...phase, steps: (phase.steps ?? []).map((step) => withStart(step, undefined)) };
  });
  return { ...status, lastUpdatedTimestamp: '', phases };
}
