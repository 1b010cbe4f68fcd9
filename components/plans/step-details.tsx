'use client';

import type { FailureExplanation } from '@/lib/kudo/runs/failure-explanation';
import type { PhaseView, PlanView, StepView } from '@/lib/kudo/view/plan-view';
import { StepProblem } from './step-problem';
import { WaitingFor } from './waiting-for';

/**
 * The words below a step: what it waits for while it runs, why it failed, and what to do. `recorded` is what the record of the run
 * says of a step that failed.
 */
export function stepDetails(plan: PlanView, recorded?: FailureExplanation) {
  return (phase: PhaseView, step: StepView) =>
    step.status === 'IN_PROGRESS' ? (
      <WaitingFor plan={plan} phase={phase} step={step} />
    ) : (
      <StepProblem plan={plan} phase={phase} step={step} recorded={recorded} />
    );
}
