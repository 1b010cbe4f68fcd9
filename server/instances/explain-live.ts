import { explainFailure } from '@/lib/kudo/runs/explain-failure';
import type { FailedStep } from '@/lib/kudo/runs/failed-step';
import type { FailureExplanation } from '@/lib/kudo/runs/failure-explanation';
import { type Masking, maskEvidence, maskText } from '@/lib/kudo/runs/mask-secrets';
import { NO_EVIDENCE, type StepExplanation } from '@/lib/kudo/view/step-explanation';
import type { Api } from '@/server/kube/api';
import type { PodReading } from './explain-pod';
import { explainStep } from './explain-step';
import type { InstanceKey } from './read-instance';

/** An explanation, and what it was made from. */
export interface LiveExplanation {
  readonly explanation: FailureExplanation;
  readonly evidence: StepExplanation;
}

/**
 * Why a step failed or does not end, from the objects as they are now. Secret texts are masked in both parts of the answer.
 *
 * @throws whatever the API says
 */
export async function explainLive(
  api: Api,
  key: InstanceKey,
  step: FailedStep,
  { masking, ...reading }: PodReading & { readonly masking: Masking },
): Promise<LiveExplanation> {
  const { place, plan, message } = step;
  const found = place === undefined ? NO_EVIDENCE : await explainStep(api, key, { plan, ...place }, reading);
  const evidence = maskEvidence(found, masking);
  // Before anything is shortened: half a secret is not found any more.
  return { explanation: explainFailure({ ...step, message: maskText(message, masking) }, evidence), evidence };
}
