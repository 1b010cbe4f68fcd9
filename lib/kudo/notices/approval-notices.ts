import { formatTime, parseTime } from '@/lib/clock/clock';
import { approvalState, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import type { RunNotice } from '@/lib/kudo/runs/plan-run';
import { limits } from '@/lib/limits/limits';
import { APPROVAL_REQUESTED } from './notice';
import type { NoticesAbout } from './run-notices';

/**
 * Whether people are still told that a request waits for a second person: nobody has decided it, and it is not older than notices are tried.
 */
export function isRequestOpen(approval: PlanApproval, nowMs: number): boolean {
  const askedMs = parseTime(approval.spec?.requestedAt);
  return approvalState(approval) === 'waiting' && askedMs !== undefined && nowMs - askedMs <= limits.notices.triedForMs;
}

/**
 * The list of a request with the notices that are about it; undefined when it has them all. Each receiver is told once; one that is
 * configured later is told too while the request waits.
 */
export function dueRequestNotices(approval: PlanApproval, about: NoticesAbout, nowMs: number): RunNotice[] | undefined {
  if (!isRequestOpen(approval, nowMs)) return undefined;
  const known = approval.status?.notices ?? [];
  const due = about(APPROVAL_REQUESTED)
    .filter((target) => !known.some((each) => each.target === target))
    .slice(0, Math.max(0, limits.notices.perResult - known.length))
    .map((target): RunNotice => ({ target, result: APPROVAL_REQUESTED, at: formatTime(nowMs) }));
  return due.length === 0 ? undefined : [...known, ...due];
}

/** What admission stores of the notices of a PlanApproval: an entry stays, and so does its outcome, whoever writes the status. */
export function keptNotices(before: readonly RunNotice[] = [], after: readonly RunNotice[] = []): RunNotice[] {
  const isSame = (one: RunNotice) => (other: RunNotice) => one.target === other.target && one.result === other.result;
  const stored = before.map((entry) => (entry.outcome === undefined ? (after.find(isSame(entry)) ?? entry) : entry));
  return [...stored, ...after.filter((entry) => !before.some(isSame(entry)))];
}
