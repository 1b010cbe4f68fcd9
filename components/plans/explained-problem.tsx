'use client';

import { explainFailure } from '@/lib/kudo/runs/explain-failure';
import type { FailedStep } from '@/lib/kudo/runs/failed-step';
import type { FailureExplanation } from '@/lib/kudo/runs/failure-explanation';
import { diagnosisOf } from '@/lib/kudo/view/diagnosis';
import type { StepExplanation } from '@/lib/kudo/view/step-explanation';
import { ProblemPanel } from './problem-panel';

interface ExplainedProblemProps {
  /** Absent for what has no step: why an Instance is not ready. */
  readonly step?: FailedStep | undefined;
  /** From the record of the run, written when the pods still existed. */
  readonly recorded?: FailureExplanation | undefined;
  readonly evidence: StepExplanation;
}

/** A problem with its explanation; nothing when nothing is known. */
export function ExplainedProblem({ step, recorded, evidence }: ExplainedProblemProps) {
  const explanation = recorded ?? explainFailure(step, evidence);
  // Its own message stands above, and nothing else is known.
  if (explanation.cause === 'unknown' && diagnosisOf(evidence) === undefined) return null;
  return <ProblemPanel explanation={explanation} evidence={evidence} />;
}
