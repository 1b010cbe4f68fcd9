import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { formatTime } from '@/lib/clock/clock';
import type { NoticeOutcome, PlanRunStatus, RunNotice } from '@/lib/kudo/runs/plan-run';
import { limits } from '@/lib/limits/limits';
import { NOTICE_RESULTS, type NoticeResult } from './notice';

/** Ids of the notices that are about a result; the first {@link limits.notices.perResult} count. */
export type NoticesAbout = (result: NoticeResult) => readonly string[];

/**
 * The status of a run with the notices that its change calls for. They are part of the write that changes the run, so no change is without
 * its notices, whenever the controller ends. The same object when there are none: a notice is about a result of a run once.
 */
export function withDueNotices(
  before: PlanRunStatus | undefined,
  next: PlanRunStatus,
  about: NoticesAbout,
  nowMs: number,
): PlanRunStatus {
  const known = next.notices ?? [];
  const isKnown = (target: string, result: NoticeResult) =>
    known.some((each) => each.target === target && each.result === result);
  const due = resultsOf(before, next).flatMap((result) =>
    about(result)
      .slice(0, limits.notices.perResult)
      .filter((target) => !isKnown(target, result))
      .map((target): RunNotice => ({ target, result, at: formatTime(nowMs) })),
  );
  if (due.length === 0) return next;
  return { ...next, notices: [...known, ...due] };
}

/** What became of a run in one write, oldest first. A short run is written once, when it has ended. */
function resultsOf(before: PlanRunStatus | undefined, next: PlanRunStatus): NoticeResult[] {
  const reached = NOTICE_RESULTS.find((result) => result === next.status);
  return [
    ...(before?.status === undefined ? (['Started'] as const) : []),
    ...(reached !== undefined && before?.status !== next.status ? [reached] : []),
  ];
}

/** Notices of a run, or of a request, that wait to be sent. */
export function pendingNotices({
  status,
}: {
  readonly status?: { readonly notices?: readonly RunNotice[] };
}): readonly RunNotice[] {
  return (status?.notices ?? []).filter(({ outcome }) => outcome === undefined);
}

/** What became of a notice: the list of its object with it; undefined when it is known or the object has no such notice. */
export function withOutcome(
  notices: readonly RunNotice[] | undefined,
  { target, result }: Pick<RunNotice, 'target' | 'result'>,
  outcome: { readonly outcome: NoticeOutcome; readonly endedAt: string },
): RunNotice[] | undefined {
  const at = (notices ?? []).findIndex((each) => each.target === target && each.result === result);
  const found = notices?.[at];
  if (notices === undefined || found === undefined || found.outcome !== undefined) return undefined;
  return notices.with(at, { ...found, ...outcome });
}

/** The same for every try, so that a receiver can tell a repeated notice: SHA-256 over uid, result and receiver, 32 hex digits. */
export function deliveryId(objectUid: string, { target = '', result = '' }: RunNotice): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(['bravo.kudo.dev/notice', objectUid, result, target])))).slice(
    0,
    32,
  );
}
