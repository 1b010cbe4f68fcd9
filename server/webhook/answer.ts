import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { jsonDiff } from '@/lib/kube/patch/json-diff';
import type { AdmissionDecision } from '@/lib/kudo/admission/admission-decision';
import type { About } from '@/lib/kudo/admission/review';
import type { PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import type { ApprovalDecision } from '@/lib/kudo/approvals/review-approval';
import type { Instance } from '@/lib/kudo/types';

/** The AdmissionReview that lets the request pass as it is. */
export function passAnswer(about: About): JsonObject {
  return answer(about, { allowed: true });
}

/** The words in which a webhook of ours refuses the dry run that asks whether it is reached (reach.ts). */
export const PROBE_ANSWER = 'the webhook of Bravo is reached';

/** The AdmissionReview for that dry run. */
export function probeAnswer(about: About): JsonObject {
  return answer(about, { allowed: false, status: { code: 403, message: PROBE_ANSWER } });
}

/** The AdmissionReview for an object that cannot be read as an Instance. */
export function undecodableAnswer(about: About, problem: string): JsonObject {
  return answer(about, { allowed: false, status: { code: 400, message: problem } });
}

/**
 * The AdmissionReview for a decision. As KUDO answers: a refusal has its whole text in `status.reason`, an error in
 * `status.message`.
 */
export function decisionAnswer(about: About, sent: Instance, decision: AdmissionDecision): JsonObject {
  const { outcome, instance, message = 'refused', code = 403, warnings = [] } = decision;
  const said = warnings.length === 0 ? {} : { warnings: [...warnings] };
  if (outcome === 'denied') return answer(about, { allowed: false, status: { code, reason: message }, ...said });
  if (outcome === 'error') return answer(about, { allowed: false, status: { code, message }, ...said });
  return patchAnswer(about, sent, instance ?? sent, said);
}

/** The AdmissionReview that lets the request pass as `wanted`. */
export function patchAnswer(about: About, sent: KubeObject, wanted: KubeObject, said: JsonObject = {}): JsonObject {
  const operations = sent === wanted ? [] : jsonDiff(asJson(sent), asJson(wanted));
  if (operations.length === 0) return answer(about, { allowed: true, ...said });
  const patch = Buffer.from(JSON.stringify(operations), 'utf8').toString('base64');
  return answer(about, { allowed: true, patchType: 'JSONPatch', patch, ...said });
}

/** The AdmissionReview for a write of a PlanApproval. */
export function approvalAnswer(about: About, sent: PlanApproval, decision: ApprovalDecision): JsonObject {
  if ('denied' in decision) return answer(about, { allowed: false, status: { code: 403, message: decision.denied } });
  const operations = jsonDiff(sent as unknown as JsonObject, decision.approval as unknown as JsonObject);
  if (operations.length === 0) return answer(about, { allowed: true });
  const patch = Buffer.from(JSON.stringify(operations), 'utf8').toString('base64');
  return answer(about, { allowed: true, patchType: 'JSONPatch', patch });
}

function answer({ version, uid }: About, response: JsonObject): JsonObject {
  return { kind: 'AdmissionReview', apiVersion: version, response: { uid, ...response } };
}

/** Objects come from JSON and hold nothing else. */
function asJson(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}
