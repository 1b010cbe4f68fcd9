import { BravoError, messageOf } from '@/lib/errors/errors';
import { isRequestProven } from '@/lib/kudo/approvals/approval-proof';
import { dueRequestNotices } from '@/lib/kudo/notices/approval-notices';
import { limits } from '@/lib/limits/limits';
import { backoffMs } from '@/server/kube/backoff';
import { codeOf } from '@/server/kube/errors';
import { subjectOf } from './noticed-objects';
import { WorkQueue } from './queue';
import type { ReconcilerDeps } from './reconciler-deps';

const RETRY = { floorMs: 1_000, ceilingMs: 60_000 } as const;

/**
 * Writes into each PlanApproval that waits for a second person which notices are about it, before any of them is sent: after a crash the
 * next controller finds them there. A request that no webhook saw is none, because nobody can approve it.
 */
export class ApprovalAnnouncer {
  private readonly work: WorkQueue;
  /** Failures in a row, by request. */
  private readonly failures = new Map<string, number>();

  /**
   * @param deps of the leader term
   * @param onAnnounced called with `namespace/name` when notices of a request wait to be sent
   */
  constructor(
    private readonly deps: ReconcilerDeps,
    private readonly onAnnounced: (key: string) => void,
  ) {
    const { clock } = deps;
    this.work = new WorkQueue({ clock, concurrency: limits.notices.atOnce, run: (key) => this.run(key) });
  }

  /** A PlanApproval (`namespace/name`), or who is told of it, changed. */
  changed(key: string): void {
    if (this.due(key) !== undefined) this.work.add(key, 'normal');
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    await this.work.stop();
  }

  private due(key: string) {
    const { planApprovals, notices, clock, fingerprints } = this.deps;
    const approval = planApprovals.get(key);
    if (approval === undefined) return undefined;
    const list = dueRequestNotices(approval, notices.about(subjectOf(this.deps, approval)), clock.now());
    return list === undefined || !isRequestProven(approval, fingerprints) ? undefined : { approval, list };
  }

  private async run(key: string): Promise<void> {
    const due = this.due(key);
    if (due === undefined) return;
    const { planApprovals, log, random } = this.deps;
    try {
      await planApprovals.patchNotices(due.approval, due.list);
      this.failures.delete(key);
      this.onAnnounced(key);
    } catch (error) {
      const code = codeOf(error);
      if (code === 404) return;
      // Somebody has decided it, perhaps.
      if (code === 409) await planApprovals.refresh(key).catch(() => undefined);
      const level = error instanceof BravoError ? 'warn' : 'error';
      log[level]('approval-notices.not-recorded', { approval: key, problem: messageOf(error) });
      const count = (this.failures.get(key) ?? 0) + 1;
      this.failures.set(key, count);
      this.work.addAfter(key, backoffMs(count, RETRY, random), 'normal');
    }
  }
}
