import { nameOf } from '@/lib/kube/object';
import { keptNotices } from '@/lib/kudo/notices/approval-notices';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import { type ApprovedStart, approvalDigest } from './approval-digest';
import { decisionProof, isRequestProven, requestProof } from './approval-proof';
import { approvalState, type PlanApproval, type PlanApprovalStatus } from './plan-approval';

/** Who sends a write of a PlanApproval, and when (RFC 3339). */
export interface Author {
  readonly by: string | undefined;
  readonly now: string;
  readonly fingerprints: Fingerprinter;
}

/** What is stored instead of what was sent, or why nothing is. */
export type ApprovalDecision = { readonly approval: PlanApproval } | { readonly denied: string };

/** The request as it is stored: with who asks, the digest of the inputs, and fingerprints in the place of values. */
export function admitRequest(sent: PlanApproval, start: ApprovedStart, author: Author): ApprovalDecision {
  const { by = '', now, fingerprints } = author;
  if (by === '') return { denied: 'the API server does not say who asks' };
  const { instanceName = '', plan = '', parameters = {}, reason } = sent.spec ?? {};
  const masked = Object.entries(parameters).map(([name, value]) => [name, fingerprints.of(value)] as const);
  const { status: _, ...bare } = sent;
  const approval: PlanApproval = {
    ...bare,
    spec: {
      instanceName,
      plan,
      ...(masked.length === 0 ? {} : { parameters: Object.fromEntries(masked) }),
      ...(reason === undefined ? {} : { reason }),
      operatorVersion: start.operatorVersion.metadata.name ?? '',
      instanceUid: start.instance.metadata.uid ?? '',
      digest: approvalDigest(start, fingerprints),
      requestedBy: by,
      requestedAt: now,
    },
  };
  return { approval: { ...approval, spec: { ...approval.spec, proof: requestProof(approval, fingerprints) } } };
}

/**
 * A write of the status as it is stored: who approves or rejects is who sends it, once, and never who asked. What is decided or used stays so,
 * and so do the notices that were sent.
 */
export function admitDecision(stored: PlanApproval, sent: PlanApproval, author: Author): ApprovalDecision {
  const { by = '', now, fingerprints } = author;
  const [before, after] = [stored.status ?? {}, sent.status ?? {}];
  const notices = keptNotices(before.notices, after.notices);
  const kept = {
    ...usedOf(before.usedBy === undefined ? after : before),
    ...(notices.length === 0 ? {} : { notices }),
  };
  const decided = decisionOf(before);
  if (Object.keys(decided).length > 0) return { approval: { ...sent, status: { ...decided, ...kept } } };
  const [approves, rejects] = [after.approvedBy, after.rejectedBy].map((text) => (text ?? '') !== '');
  if (approves !== true && rejects !== true) return { approval: { ...sent, status: kept } };
  if (by === '') return { denied: 'the API server does not say who decides' };
  if (rejects === true) return { approval: { ...sent, status: { rejectedBy: by, rejectedAt: now, ...kept } } };
  const refusal = approvalRefusal(stored, by, fingerprints);
  if (refusal !== undefined) return { denied: refusal };
  const approval = { ...stored, status: { approvedBy: by, approvedAt: now } };
  const proof = decisionProof(approval, fingerprints);
  return { approval: { ...sent, status: { ...approval.status, proof, ...kept } } };
}

function approvalRefusal(stored: PlanApproval, by: string, fingerprints: Fingerprinter): string | undefined {
  const { requestedBy = '' } = stored.spec ?? {};
  const name = nameOf(stored);
  if (!isRequestProven(stored, fingerprints)) {
    return `PlanApproval ${name} was created while no webhook saw who asked for it. Ask again`;
  }
  if (by === requestedBy) return `PlanApproval ${name} was asked for by ${by}; a second person has to approve it`;
  return approvalState(stored) === 'waiting' ? undefined : `PlanApproval ${name} was decided already`;
}

function decisionOf({ approvedBy, approvedAt, rejectedBy, rejectedAt, proof }: PlanApprovalStatus): PlanApprovalStatus {
  if ((rejectedBy ?? '') !== '') return { ...text('rejectedBy', rejectedBy), ...text('rejectedAt', rejectedAt) };
  if ((approvedBy ?? '') === '') return {};
  return { ...text('approvedBy', approvedBy), ...text('approvedAt', approvedAt), ...text('proof', proof) };
}

function usedOf({ usedBy, usedAt }: PlanApprovalStatus): PlanApprovalStatus {
  return (usedBy ?? '') === '' ? {} : { ...text('usedBy', usedBy), ...text('usedAt', usedAt) };
}

function text<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: string });
}
