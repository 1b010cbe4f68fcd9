import { CLEANUP_PLAN } from '@/lib/kudo/names';
import type { InstanceChange } from './decision-change';
import type { Trigger } from './trigger-of';

/** What the table says; `rule` is the row that decided. */
export type TableDecision =
  | { readonly kind: 'denied'; readonly rule: string; readonly message: string }
  | { readonly kind: 'allowed'; readonly rule: string }
  | { readonly kind: 'clear'; readonly rule: string }
  | { readonly kind: 'run'; readonly rule: string; readonly plan: string }
  /** What is asked for waits until the plan in progress is over. */
  | { readonly kind: 'queue'; readonly rule: string; readonly plan: string };

/**
 * The decision table, row by row; the first match decides. `upgradePlan` is the plan that a new version
 * starts, undefined when it has none. A plan that makes no progress counts as none, but that it cannot be cancelled: what
 * is asked for takes its place (KUDO let it block the Instance for ever). What KUDO refuses because another plan is in progress waits
 * for its end.
 */
export function decideByTable(
  change: InstanceChange,
  trigger: Trigger,
  upgradePlan: string | undefined,
): TableDecision {
  const triggered = trigger.kind === 'plan' ? trigger.plan : undefined;
  return change.isDeleting ? whileDeleting(change, triggered) : otherwise(change, triggered, upgradePlan);
}

function whileDeleting(change: InstanceChange, triggered: string | undefined): TableDecision {
  const { planBefore, planAfter, isUpgrade } = change;
  if (planBefore === CLEANUP_PLAN && planAfter !== CLEANUP_PLAN) {
    return denied('D1', 'it is being deleted, and its "cleanup" plan can neither be cancelled nor be overridden');
  }
  if (triggered !== undefined || isUpgrade) {
    return denied('D2', 'it is being deleted: neither parameters nor the operator version can be changed any more');
  }
  // KUDO denied an unchanged plan too, and so locked itself out of the Instance (T-17).
  if (planAfter !== '' && planAfter !== CLEANUP_PLAN && planAfter !== planBefore) {
    return denied('D3', `it is being deleted: plan "${planAfter}" cannot be started, only "cleanup" can`);
  }
  return { kind: 'allowed', rule: 'D4' };
}

function otherwise(
  change: InstanceChange,
  triggered: string | undefined,
  upgradePlan: string | undefined,
): TableDecision {
  const refusal = whileRunning(change, triggered) ?? mixture(change, triggered);
  if (refusal !== undefined) return refusal;
  const { planAfter, planBefore, isUpgrade } = change;
  if (planAfter === CLEANUP_PLAN && planBefore !== CLEANUP_PLAN) {
    return denied('N8', 'plan "cleanup" runs only when the Instance is deleted');
  }
  if (isUpgrade) {
    return upgradePlan === undefined
      ? denied('N9', 'the new operator version has none of the plans "upgrade", "update" and "deploy"')
      : { kind: 'run', rule: 'N9', plan: upgradePlan };
  }
  if (triggered !== undefined) return { kind: 'run', rule: 'N10', plan: triggered };
  if (change.isNovelPlan) return { kind: 'run', rule: 'N11', plan: planAfter };
  if (change.isTerminal) return { kind: 'clear', rule: 'N12' };
  if (change.isRetrigger) return { kind: 'run', rule: 'N13', plan: planAfter };
  return { kind: 'allowed', rule: 'N14' };
}

function whileRunning(change: InstanceChange, triggered: string | undefined): TableDecision | undefined {
  const { hadPlan, isStalled, planBefore, isUpgrade } = change;
  if (!hadPlan || isStalled) return undefined;
  if (triggered !== undefined && triggered !== planBefore) {
    if (isEditOnly(change) && planBefore !== CLEANUP_PLAN) return { kind: 'queue', rule: 'N1', plan: triggered };
    return denied(
      'N1',
      `the change would start plan "${triggered}", but plan "${planBefore}" is scheduled or running${WAY_OUT}`,
    );
  }
  if (isUpgrade) {
    return denied(
      'N2',
      `the operator version cannot be changed while plan "${planBefore}" is scheduled or running${WAY_OUT}`,
    );
  }
  return undefined;
}

/** True when parameters change and neither the version nor `planExecution` does. */
function isEditOnly({ planBefore, planAfter, isRetrigger, isTerminal, isUpgrade }: InstanceChange): boolean {
  return planAfter === planBefore && !isRetrigger && !isTerminal && !isUpgrade;
}

/** What a client can do when a change is refused because a plan is in progress. */
export const WAY_OUT = '. Wait until it ends, or end it: set spec.planExecution.status to FATAL_ERROR';

function mixture(change: InstanceChange, triggered: string | undefined): TableDecision | undefined {
  const { planBefore, planAfter, isUpgrade, isNovelPlan } = change;
  if (isUpgrade && isNovelPlan) {
    return denied('N3', `the operator version and plan "${planAfter}" cannot be asked for together`);
  }
  if (change.isOverride) {
    const mayWait = !isUpgrade && triggered === undefined && ![planBefore, planAfter].includes(CLEANUP_PLAN);
    if (mayWait) return { kind: 'queue', rule: 'N5', plan: planAfter };
    return denied(
      'N5',
      `plan "${planAfter}" cannot override plan "${planBefore}", which is scheduled or running${WAY_OUT}`,
    );
  }
  if (change.isCancel)
    return denied('N6', `plan "${planBefore}" is scheduled or running and cannot be cancelled${WAY_OUT}`);
  if (triggered !== undefined && isNovelPlan) {
    return denied(
      'N7',
      `plan "${planAfter}" and parameters that start plan "${triggered}" cannot be asked for together`,
    );
  }
  return undefined;
}

function denied(rule: string, message: string): TableDecision {
  return { kind: 'denied', rule, message };
}
