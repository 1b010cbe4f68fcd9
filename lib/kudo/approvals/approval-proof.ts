import { parseTime } from '@/lib/clock/clock';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { PlanApproval } from './plan-approval';

/** The API server creates an object so soon after admission has seen it. */
const CREATED_WITHIN_MS = 60_000;

/** Proves that admission wrote who asked for what, and when. */
export function requestProof(approval: PlanApproval, fingerprints: Fingerprinter): string {
  const { instanceName, instanceUid, plan, operatorVersion, digest, requestedBy, requestedAt } = approval.spec ?? {};
  const said = [instanceName, instanceUid, plan, operatorVersion, digest, requestedBy, requestedAt];
  return sign(['request', namespaceOf(approval), nameOf(approval), ...said], fingerprints);
}

/** Proves that admission wrote who approved this object, and when. */
export function decisionProof(approval: PlanApproval, fingerprints: Fingerprinter): string {
  const { approvedBy, approvedAt } = approval.status ?? {};
  return sign(['approval', approval.metadata.uid, approval.spec?.proof, approvedBy, approvedAt], fingerprints);
}

/** True when admission wrote who asked, for this object and no former one of its name. */
export function isRequestProven(approval: PlanApproval, fingerprints: Fingerprinter): boolean {
  if (approval.spec?.proof !== requestProof(approval, fingerprints)) return false;
  const [asked, created] = [approval.spec.requestedAt, approval.metadata.creationTimestamp].map(parseTime);
  return asked !== undefined && created !== undefined && Math.abs(created - asked) <= CREATED_WITHIN_MS;
}

/** True when admission wrote who asked and who approved. */
export function isApprovalProven(approval: PlanApproval, fingerprints: Fingerprinter): boolean {
  const isDecisionProven = approval.status?.proof === decisionProof(approval, fingerprints);
  return isDecisionProven && isRequestProven(approval, fingerprints);
}

function sign(parts: readonly (string | undefined)[], fingerprints: Fingerprinter): string {
  return fingerprints.signatureOf(JSON.stringify(parts.map((part) => part ?? '')));
}
