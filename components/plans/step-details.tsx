'use client';

import type { PhaseView, PlanView, StepView } from '@/components/instances/active-plan';
import { FailureDetails } from './failure-details';
import { WaitingFor } from './waiting-for';

/** What can be said below a step: what it waits for while it runs, why when it fails. */
export function stepDetails(plan: PlanView) {
  return (phase: PhaseView, step: StepView) =>
    step.status === 'IN_PROGRESS' ? (
      <WaitingFor plan={plan} phase={phase} step={step} />
    ) : (
      <FailureDetails plan={plan} phase={phase} step={step} />
    );
}
