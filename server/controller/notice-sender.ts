import { formatTime, parseTime } from '@/lib/clock/clock';
import { BravoError, messageOf } from '@/lib/errors/errors';
import { namespacedName, namespaceOf } from '@/lib/kube/object';
import type { PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { hostOf } from '@/lib/kudo/notices/notice';
import { deliveryId, pendingNotices, withOutcome } from '@/lib/kudo/notices/run-notices';
import type { NoticeOutcome, PlanRun, RunNotice } from '@/lib/kudo/runs/plan-run';
import { limits } from '@/lib/limits/limits';
import { backoffMs } from '@/server/kube/backoff';
import { codeOf } from '@/server/kube/errors';
import type { ConfiguredObject } from '@/server/notices/configured-notices';
import { noticeRequest } from '@/server/notices/notice-request';
import type { PostNotice } from '@/server/notices/post-notice';
import { ApprovalAnnouncer } from './approval-announcer';
import { NoticeQueues, type WaitingNotice } from './notice-queues';
import { type NoticedObject, noticedApproval, noticedRun } from './noticed-objects';
import { WorkQueue } from './queue';
import type { ReconcilerDeps } from './reconciler-deps';
import type { Watches } from './watches';

const RETRY = { floorMs: 5_000, ceilingMs: 30 * 60_000 } as const;
const WRITE_ATTEMPTS = 3;
/** So many failures in a row, which take a minute or two, are an event. */
const DELAYED_AFTER = 5;

export interface NoticeSenderOptions {
  readonly post: PostNotice;
  /** The address of the console for people; undefined when notices have no links. */
  readonly consoleUrl: string | undefined;
}

/**
 * Sends the notices that PlanRuns and PlanApprovals list, while this controller leads, and writes into them what became of each. A notice is sent
 * again when the controller ends between the two, with the same id. Receivers do not wait for each other: each has a queue of its own, from which
 * one notice at a time is sent.
 */
export class NoticeSender {
  private term: SendingTerm | undefined;

  constructor(private readonly options: NoticeSenderOptions) {}

  /** @param deps of the leader term that begins */
  start(deps: ReconcilerDeps): void {
    this.stop().catch(() => undefined);
    this.term = new SendingTerm(deps, this.options);
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    const { term } = this;
    this.term = undefined;
    await term?.stop();
  }

  /** Takes every PlanRun and PlanApproval that is created or changed from now on. */
  follow({ planRuns, planApprovals }: Pick<Watches, 'planRuns' | 'planApprovals'>): void {
    planRuns.onChange(({ type, object }) => {
      if (type !== 'DELETED') this.term?.takeRun(object as PlanRun);
    });
    planApprovals.onChange(({ type, object }) => {
      if (type !== 'DELETED') this.term?.approvalChanged(namespacedName(object));
    });
  }
}

/** What to do with the first notice of a queue: an outcome ends it. */
type Step = NoticeOutcome | { readonly retryInMs: number };

class SendingTerm {
  private readonly work: WorkQueue;
  private readonly queues = new NoticeQueues(limits.notices.queue);
  /** Failures in a row, by receiver. */
  private readonly failures = new Map<string, number>();
  private readonly stopping = new AbortController();
  private readonly unsubscribe: () => void;
  private readonly announcer: ApprovalAnnouncer;

  constructor(
    private readonly deps: ReconcilerDeps,
    private readonly options: NoticeSenderOptions,
  ) {
    const { clock, notices, planRuns, planApprovals } = deps;
    this.work = new WorkQueue({ clock, concurrency: limits.notices.atOnce, run: (target) => this.run(target) });
    this.announcer = new ApprovalAnnouncer(deps, (key) => this.takeApproval(key));
    for (const configured of notices.all()) this.report(configured);
    this.unsubscribe = notices.onChange((configured) => {
      if (configured !== undefined) this.report(configured);
      // What was wrong may be right now.
      this.failures.clear();
      for (const target of this.queues.targets()) this.work.add(target, 'normal');
      for (const key of planApprovals.keys()) this.approvalChanged(key);
    });
    for (const run of planRuns.all()) this.takeRun(run);
    for (const key of planApprovals.keys()) this.approvalChanged(key);
  }

  async stop(): Promise<void> {
    this.unsubscribe();
    this.stopping.abort(new Error('The controller stops sending notices.'));
    await Promise.all([this.announcer.stop(), this.work.stop()]);
  }

  takeRun(run: PlanRun): void {
    const { deps } = this;
    const [key, uid] = [`${namespaceOf(run)}/${run.spec?.instanceName ?? ''}`, run.spec?.uid ?? ''];
    if (!deps.owns(key)) return;
    this.take(run, () => {
      const known = deps.planRuns.findByKey(key, uid);
      return known === undefined ? undefined : noticedRun(deps, known);
    });
  }

  /** @param key `namespace/name` */
  approvalChanged(key: string): void {
    const instanceName = this.deps.planApprovals.get(key)?.spec?.instanceName ?? '';
    if (!this.deps.owns(`${key.slice(0, key.indexOf('/'))}/${instanceName}`)) return;
    this.announcer.changed(key);
    this.takeApproval(key);
  }

  private takeApproval(key: string): void {
    const { deps } = this;
    const approval = deps.planApprovals.get(key);
    if (approval === undefined || !noticedApproval(deps, approval).isOpen) return;
    this.take(approval, () => {
      const known = deps.planApprovals.get(key);
      const isSame = known !== undefined && known.metadata.uid === approval.metadata.uid;
      return isSame ? noticedApproval(deps, known) : undefined;
    });
  }

  private take(object: PlanRun | PlanApproval, find: WaitingNotice['find']): void {
    for (const entry of pendingNotices(object)) {
      const { target = '' } = entry;
      if (!this.queues.add({ target, entry, uid: object.metadata.uid ?? '', find })) continue;
      // One that is waiting for its next try keeps its turn.
      if (this.work.dueInMs(target) === undefined) this.work.add(target, 'normal');
    }
  }

  private async run(target: string): Promise<void> {
    const waiting = this.queues.next(target);
    if (waiting === undefined) return;
    let step: Step;
    try {
      step = await this.handle(waiting);
    } catch (error) {
      step = { retryInMs: this.afterError(target, error) };
    }
    if (this.stopping.signal.aborted) return;
    if (typeof step === 'object') return this.work.addAfter(target, step.retryInMs, 'normal');
    this.failures.delete(target);
    this.queues.remove(waiting);
    if (this.queues.next(target) !== undefined) this.work.add(target, 'normal');
  }

  private async handle(waiting: WaitingNotice): Promise<Step> {
    const found = waiting.find();
    const entry = found?.notices?.find((each) => isSame(each, waiting.entry));
    if (found === undefined || entry === undefined || entry.outcome !== undefined) return 'Dropped';
    // What was sent is written also when somebody has decided the request meanwhile.
    if (waiting.outcome === undefined && !found.isOpen) return 'Dropped';
    const step = waiting.outcome ?? (await this.deliver(found, entry));
    if (typeof step === 'object') return step;
    // A write that fails is repeated, and the request is not.
    waiting.outcome = step;
    if (step === 'Dropped') this.deps.log.warn('notice.dropped', { notice: waiting.target, ...found.logged });
    await this.writeOutcome(found, entry, step);
    return step;
  }

  private async deliver(object: NoticedObject, entry: RunNotice): Promise<Step> {
    const { clock, notices, log } = this.deps;
    const { target = '', result = '' } = entry;
    const found = notices.find(target);
    if (found === undefined && notices.isKnown) return 'Dropped';
    const isLate = clock.now() - (parseTime(object.triedSince(entry)) ?? 0) > limits.notices.triedForMs;
    if (isLate) {
      if (found !== undefined) this.reportFailure(found.configured, target, 'it was not accepted within 24 hours');
      return 'Failed';
    }
    // An object that cannot be read may be corrected, and tells that by a change.
    if (found?.notice === undefined) return { retryInMs: RETRY.ceilingMs };
    const { notice, configured } = found;
    if (!object.isFor(notice)) return 'Dropped';
    const id = deliveryId(object.uid, entry);
    const { consoleUrl } = this.options;
    const content = object.content({ entry, id, notice: notice.name, consoleUrl });
    const outcome = await this.options.post(noticeRequest(notice, content, clock.now()), this.stopping.signal);
    const about = { notice: target, ...object.logged, result };
    if (outcome.is === 'delivered') {
      log.info('notice.delivered', about);
      return 'Delivered';
    }
    const problem = `${hostOf(notice.url)} ${outcome.why}`;
    log.warn(outcome.is === 'refused' ? 'notice.refused' : 'notice.delayed', { ...about, problem });
    if (outcome.is === 'refused') {
      this.reportFailure(configured, target, problem);
      return 'Failed';
    }
    const retryInMs = this.retryInMs(target, outcome.retryAfterMs);
    if (this.failures.get(target) === DELAYED_AFTER) this.reportDelay(configured, target, problem);
    return { retryInMs };
  }

  private retryInMs(target: string, askedMs = 0): number {
    const count = (this.failures.get(target) ?? 0) + 1;
    this.failures.set(target, count);
    return Math.max(askedMs, backoffMs(count, RETRY, this.deps.random));
  }

  private afterError(target: string, error: unknown): number {
    const { log } = this.deps;
    if (!this.stopping.signal.aborted) {
      const event = error instanceof BravoError ? 'notice.not-recorded' : 'notice.bug';
      log[error instanceof BravoError ? 'warn' : 'error'](event, { notice: target, problem: messageOf(error) });
    }
    return this.retryInMs(target);
  }

  /** Guarded by the resourceVersion: the reconcile writes the same status. */
  private async writeOutcome(first: NoticedObject, entry: RunNotice, outcome: NoticeOutcome): Promise<void> {
    let object: NoticedObject | undefined = first;
    for (let attempt = 1; object !== undefined; attempt++) {
      const endedAt = formatTime(this.deps.clock.now());
      const notices = withOutcome(object.notices, entry, { outcome, endedAt });
      if (notices === undefined) return;
      try {
        return await object.write(notices);
      } catch (error) {
        if (codeOf(error) === 404) return;
        if (codeOf(error) !== 409 || attempt >= WRITE_ATTEMPTS) throw error;
        object = await object.read();
      }
    }
  }

  /** Once for each state of the object. */
  private report({ object, problems }: ConfiguredObject): void {
    // One of all shards says it.
    if (problems.length === 0 || this.deps.shard > 0) return;
    const message = problems.join(' ');
    const identity = `notices ${object.metadata.resourceVersion ?? ''}`;
    this.deps.events.recordOnce(object, identity, { type: 'Warning', reason: 'InvalidNotices', message });
  }

  private reportFailure({ object }: ConfiguredObject, target: string, problem: string): void {
    const message = `Notice ${nameIn(target)} was not delivered: ${problem}.`;
    this.deps.events.record(object, 'Warning', 'NoticeFailed', message);
  }

  private reportDelay({ object }: ConfiguredObject, target: string, problem: string): void {
    const message = `Notice ${nameIn(target)} is tried again for a day: ${problem}.`;
    this.deps.events.record(object, 'Warning', 'NoticeDelayed', message);
  }
}

/** The name of a notice. */
function nameIn(target: string): string {
  return target.slice(target.lastIndexOf('/') + 1);
}

function isSame(one: RunNotice, other: RunNotice): boolean {
  return one.target === other.target && one.result === other.result;
}
