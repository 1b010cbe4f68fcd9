import { parseTime } from '@/lib/clock/clock';
import { namespaceOf } from '@/lib/kube/object';
import { approvalState, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';

/** Why a request needs the person who looks: to decide about it, or because it was decided and this person asked. */
export type ApprovalNeedKind = 'waiting' | 'approved' | 'rejected';

export interface ApprovalNeed {
  /** Names the request in this state. */
  readonly id: string;
  readonly kind: ApprovalNeedKind;
  readonly namespace: string;
  readonly instance: string;
  readonly plan: string;
  /** Who asks, or who decided. */
  readonly by: string;
}

export interface ApprovalReader {
  /** Who the person is to the cluster; undefined until it is known. */
  readonly user: string | undefined;
  /** Namespaces in which the person may approve. */
  readonly approvesIn: ReadonlySet<string>;
}

/** A decision that is older is no news. */
const KEPT_MS = 7 * 24 * 3_600_000;
/** Seen requests that a browser remembers. */
const MOST_SEEN = 200;

/** The requests that need this person: open ones of others, where the person may approve, and decisions about the person's own. Nobody approves what they asked for. */
export function approvalNeeds(
  approvals: readonly PlanApproval[],
  { user, approvesIn }: ApprovalReader,
  nowMs: number,
): readonly ApprovalNeed[] {
  if (user === undefined) return [];
  return approvals.flatMap((approval) => {
    const { spec = {}, status = {}, metadata } = approval;
    const { requestedBy = '', instanceName: instance = '', plan = '' } = spec;
    const namespace = namespaceOf(approval);
    const kind = approvalState(approval);
    const need = (by: string): ApprovalNeed[] =>
      kind === 'used' ? [] : [{ id: `${metadata.uid ?? ''} ${kind}`, kind, namespace, instance, plan, by }];
    if (kind === 'waiting') return requestedBy !== user && approvesIn.has(namespace) ? need(requestedBy) : [];
    const decidedAt = parseTime(status.rejectedAt ?? status.approvedAt) ?? 0;
    if (requestedBy !== user || nowMs - decidedAt > KEPT_MS) return [];
    return need(status.rejectedBy ?? status.approvedBy ?? '');
  });
}

/** The namespaces of requests that wait: only about these is asked whether the person may approve. */
export function namespacesWaiting(approvals: readonly PlanApproval[]): readonly string[] {
  const waiting = approvals.filter((approval) => approvalState(approval) === 'waiting');
  return [...new Set(waiting.map(namespaceOf))].sort();
}

/** `Plan load of one waits for your approval`. */
export function approvalNeedWords({ kind, instance, plan, by }: ApprovalNeed): string {
  if (kind === 'waiting') return `Plan ${plan} of ${instance} waits for your approval`;
  return `Plan ${plan} of ${instance} was ${kind} by ${by}`;
}

/** What a browser remembers, after the person has looked. The same list when nothing is new. */
export function withSeenNeeds(seen: readonly string[], needs: readonly ApprovalNeed[]): readonly string[] {
  const fresh = needs.map(({ id }) => id).filter((id) => !seen.includes(id));
  return fresh.length === 0 ? seen : [...seen, ...fresh].slice(-MOST_SEEN);
}

/** Reads what the browser stored; what is no such text is left out. */
export function parseSeenNeeds(text: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string').slice(-MOST_SEEN) : [];
  } catch {
    return [];
  }
}
