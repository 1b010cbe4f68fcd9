import type { PhaseStatus, PlanStatus, StepStatus } from '@/lib/kudo/types';
import { isRunning, withStart, withStatus } from './status';

/** Where a plan is ended, and with which message. */
export interface PlanEnd {
  /** On the plan when no step is named. */
  readonly message: string;
  readonly phase?: string;
  readonly step?: string;
}

/**
 * The status of an execution that a deadline or another plan ends: the plan, and its phases and steps in progress, are FATAL_ERROR;
 * the last messages of steps stay, and steps that had not begun stay PENDING.
 */
export function endPlan(status: PlanStatus, end: PlanEnd): PlanStatus {
  const phases = (status.phases ?? []).map((phase) => endPhase(phase, end));
  const onPlan = end.step === undefined ? end.message : '';
  return { ...withStatus(status, 'FATAL_ERROR', onPlan), phases };
}

function endPhase(phase: PhaseStatus, end: PlanEnd): PhaseStatus {
  const steps = (phase.steps ?? []).map((step): StepStatus => {
    const isNamed = phase.name === end.phase && step.name === end.step;
    if (!isNamed && !isUnderWay(step)) return step;
    return withStart(withStatus(step, 'FATAL_ERROR', isNamed ? end.message : step.message), undefined);
  });
  const next = { ...phase, steps };
  return isUnderWay(phase) ? withStatus(next, 'FATAL_ERROR', phase.message) : next;
}

function isUnderWay({ status }: PhaseStatus | StepStatus): boolean {
  return isRunning(status) && status !== 'PENDING';
}

/** The statuses with every other plan that is still in progress ended: `running` replaced it. */
export function closeOthers(
  statuses: { readonly [plan: string]: PlanStatus },
  running: string,
): { [plan: string]: PlanStatus } {
  return Object.fromEntries(
    Object.entries(statuses).map(([name, status]) => {
      const isLeft = name !== running && isRunning(status.status);
      return [
        name,
        isLeft ? endPlan(status, { message: `Plan ${running} took the place of this execution.` }) : status,
      ];
    }),
  );
}
