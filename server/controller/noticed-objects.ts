import { type KubeObject, namespacedName, namespaceOf } from '@/lib/kube/object';
import { isRequestProven } from '@/lib/kudo/approvals/approval-proof';
import type { PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { isRequestOpen } from '@/lib/kudo/notices/approval-notices';
import { matchesNotice, type NoticeSubject } from '@/lib/kudo/notices/matches-notice';
import { APPROVAL_REQUESTED, type NoticeRule } from '@/lib/kudo/notices/notice';
import { type NoticeContent, type NoticeMoment, noticeContent, requestContent } from '@/lib/kudo/notices/notice-body';
import type { PlanRun, RunNotice } from '@/lib/kudo/runs/plan-run';
import type { ReconcilerDeps } from './reconciler-deps';

/** A PlanRun or a PlanApproval as it is known now: its status lists notices, and what became of each. */
export interface NoticedObject {
  readonly notices: readonly RunNotice[] | undefined;
  /** For the log: its kind and name. */
  readonly logged: { readonly [kind: string]: string };
  /** Of its metadata. */
  readonly uid: string;
  /** False when nobody has to be told of it any more. */
  readonly isOpen: boolean;
  /** RFC 3339: since when a notice is tried. */
  triedSince(entry: RunNotice): string | undefined;
  /** False for an entry that the controller would not have written. */
  isFor(notice: NoticeRule): boolean;
  content(moment: NoticeMoment): NoticeContent;
  /** Replaces the list; guarded by the resourceVersion. */
  write(notices: readonly RunNotice[]): Promise<void>;
  /** Reads live; undefined when it does not exist any more. */
  read(): Promise<NoticedObject | undefined>;
}

export function noticedRun(deps: ReconcilerDeps, run: PlanRun): NoticedObject {
  const { planRuns } = deps;
  const { namespace = '', name = '', uid = '' } = run.metadata;
  return {
    notices: run.status?.notices,
    logged: { run: namespacedName(run) },
    uid,
    isOpen: true,
    triedSince: ({ at }) => at,
    // Only the controller writes the status of a PlanRun.
    isFor: () => true,
    content: (moment) => noticeContent({ run, ...moment }),
    write: (notices) => planRuns.patchStatus(run, { notices: [...notices] }),
    read: async () => {
      const live = await planRuns.read(namespace, name);
      return live === undefined ? undefined : noticedRun(deps, live);
    },
  };
}

/** Who approves may write its status, so what that says is believed only where it fits the request. */
export function noticedApproval(deps: ReconcilerDeps, approval: PlanApproval): NoticedObject {
  const { planApprovals, clock, fingerprints } = deps;
  const { uid = '' } = approval.metadata;
  return {
    notices: approval.status?.notices,
    logged: { approval: namespacedName(approval) },
    uid,
    isOpen: isRequestOpen(approval, clock.now()) && isRequestProven(approval, fingerprints),
    triedSince: () => approval.spec?.requestedAt,
    isFor: (notice) => matchesNotice(notice, subjectOf(deps, approval), APPROVAL_REQUESTED),
    content: (moment) => requestContent({ approval, ...moment }),
    write: (notices) => planApprovals.patchNotices(approval, notices),
    read: async () => {
      const live = await planApprovals.refresh(namespacedName(approval));
      return live === undefined ? undefined : noticedApproval(deps, live);
    },
  };
}

/** What decides who is told of a run or a request. Labels of another Instance that has the name now do not count. */
export function subjectOf(
  { watches }: ReconcilerDeps,
  { spec = {}, ...object }: KubeObject & { readonly spec?: PlanRun['spec'] | PlanApproval['spec'] },
): NoticeSubject {
  const { instanceName = '', instanceUid, plan = '' } = spec;
  const namespace = namespaceOf(object);
  const { uid, labels = {} } = watches.instances.get(namespace, instanceName)?.metadata ?? {};
  return { namespace, plan, labels: uid === instanceUid ? labels : {} };
}
