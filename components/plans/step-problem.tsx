'use client';

import { failedStep } from '@/lib/kudo/runs/failed-step';
import type { FailureExplanation } from '@/lib/kudo/runs/failure-explanation';
import type { PhaseView, PlanView, StepView } from '@/lib/kudo/view/plan-view';
import { LazyExplainedProblem } from './lazy-explained-problem';
import { useExplanation } from './use-explanation';

/** Why a step fails, is tried again or waits for a pod that cannot start. */
export function StepProblem({
  plan,
  phase,
  step,
  recorded,
}: {
  plan: PlanView;
  phase: PhaseView;
  step: StepView;
  /** Why the step failed, from the record of its run: it was written when the pods still existed. */
  recorded?: FailureExplanation | undefined;
}) {
  const evidence = useExplanation({
    step: { plan: plan.name, phase: phase.name, step: step.name },
    version: `${plan.updatedAt} ${step.message}`,
  });
  if (evidence === undefined) return null;
  return <LazyExplainedProblem step={failedStep(plan, phase, step)} recorded={recorded} evidence={evidence} />;
}
