'use client';

import type { PhaseView, PlanView, StepView } from '@/lib/kudo/view/plan-view';
import { ProblemPanel } from './problem-panel';
import { useExplanation } from './use-explanation';

/** Why a step fails, is tried again or waits for a pod that cannot start. */
export function StepProblem({ plan, phase, step }: { plan: PlanView; phase: PhaseView; step: StepView }) {
  const explanation = useExplanation({
    step: { plan: plan.name, phase: phase.name, step: step.name },
    version: `${plan.updatedAt} ${step.message}`,
  });
  if (explanation === undefined) return null;
  return <ProblemPanel explanation={explanation} then={nextOf(plan, step)} />;
}

function nextOf(plan: PlanView, step: StepView): string {
  if (step.status === 'FATAL_ERROR') return `Then run plan ${plan.name} again.`;
  return `Plan ${plan.name} continues when the object is ready.`;
}
