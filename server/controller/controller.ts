import { BravoError, ConflictError, TransientError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { stepsDone } from '@/lib/kudo/plan/steps-done';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { DEFAULT_NOTICES } from '@/server/config/notices';
import { DEFAULT_PIPES } from '@/server/config/pipes';
import { HealthChecks } from '@/server/health-checks/health-checks';
import type { Cache } from '@/server/kube/cache';
import { codeOf } from '@/server/kube/errors';
import { guardedApi } from '@/server/kube/guarded-api';
import { KindIndex } from '@/server/kube/kinds';
import { ConfiguredNotices } from '@/server/notices/configured-notices';
import { createPostNotice } from '@/server/notices/post-notice';
import { PlanApprovalStore } from '@/server/runs/plan-approval-store';
import { PlanRunStore } from '@/server/runs/plan-run-store';
import { PlanScheduleStore } from '@/server/runs/plan-schedule-store';
import { SelfHeal } from '@/server/self-heal/self-heal';
import { createTextRenderer } from '@/server/tasks/render-texts';
import { RenderWorker } from '@/server/tasks/render-worker';
import type { ControllerOptions } from './controller-options';
import { betweenSteps, drainLease, isDraining } from './drain';
import { EventRecorder } from './events';
import { FingerprintKey } from './fingerprint-key';
import { InstanceStore, keyOf } from './instance-store';
import { laneOf } from './lane';
import { type BetweenTerms, forgetUid, startLeading } from './leader-term';
import { LeaderLease } from './lease';
import { NoticeSender } from './notice-sender';
import { type Outcome, sooner } from './outcome';
import { PlanScheduler } from './plan-scheduler';
import { isProcessGone } from './process-identity';
import { WorkQueue } from './queue';
import { reconcile } from './reconcile';
import type { ReconcilerDeps } from './reconciler-deps';
import { reportBug } from './report-bug';
import { Retries } from './retries';
import { RunSweeper } from './run-sweeper';
import { SigningKey } from './signing-key';
import { steadyReads } from './steady-reads';
import { startWatches, type Watches } from './watches';

export type { ControllerOptions };

export interface Controller {
  readonly leads: boolean;
  /** Resolves when all watches have read their first list. */
  readonly synced: Promise<void>;
  /** An OperatorVersion from the watched copy. */
  watchedVersion(namespace: string, name: string): OperatorVersion | undefined;
  /** Every watched copy. */
  readonly caches: readonly Cache[];
  /** In how many ms an Instance (`namespace/name`) is reconciled next; undefined when only a watch event will queue it. */
  requeueAfterMs(key: string): number | undefined;
  /** Takes no new work, ends running reconciles after their present step, and releases the lease. It still watches. */
  drain(): Promise<void>;
  /** Drains and ends the watches. */
  stop(): Promise<void>;
}

/** The watch events of one rollout come together; one reconcile serves them all. */
const RING_MS = 30;

/**
 * Starts the controller: it watches at once, takes the lease when it has read every list, and acts while it holds the lease. At most
 * one reconcile of an Instance runs at a time; one that waits or fails is reconciled again within 60 s.
 */
export async function startController(options: ControllerOptions): Promise<Controller> {
  const loop = new ControlLoop(options);
  loop.start();
  return loop;
}

class ControlLoop implements Controller {
  readonly caches: readonly Cache[];
  private readonly lease: LeaderLease;
  private readonly queue: WorkQueue;
  private readonly watches: Watches;
  private readonly deps: BetweenTerms;
  private readonly retries: Retries;
  private readonly renderer: RenderWorker;
  private readonly sweeper = new RunSweeper();
  private readonly scheduler = new PlanScheduler();
  private readonly noticeSender: NoticeSender;
  private readonly fingerprints: FingerprintKey;
  private readonly signing: SigningKey;
  private active = false;
  private draining: Promise<void> | undefined;
  private term: ReconcilerDeps;

  constructor(private readonly options: ControllerOptions) {
    const { clock, random, log } = options;
    this.retries = new Retries(random);
    this.renderer = new RenderWorker({ log });
    const api = guardedApi(steadyReads(options.api, { clock, random }), () => this.lease.leads);
    this.queue = new WorkQueue({
      clock,
      concurrency: options.concurrency ?? 10,
      run: (key, yieldToQueue) => this.reconcile(key, yieldToQueue),
    });
    const seams = { clock, random, log };
    this.watches = startWatches(options.api, seams, {
      instance: (key, change) => this.onInstance(key, change.object, change.type === 'DELETED'),
      related: (key) => this.onRelated(key),
      schedule: (key) => this.scheduler.scheduleChanged(key),
    });
    this.caches = this.watches.caches;
    const namespace = options.leaseNamespace ?? 'default';
    this.fingerprints = options.fingerprints ?? new FingerprintKey({ api: options.api, clock, random, log, namespace });
    this.signing = new SigningKey({ api: options.api, clock, random, log, namespace });
    this.lease = new LeaderLease({
      isGone: isProcessGone,
      ...options,
      namespace,
      // A replica that cannot act must not keep out one that can.
      ready: Promise.all([this.watches.synced, options.mayLead, this.fingerprints.load(), this.signing.load()]),
      onChange: (leads) => this.onLeadership(leads),
    });
    const { allowLocal, consoleUrl } = options.notices ?? DEFAULT_NOTICES;
    const post = options.postNotice ?? createPostNotice({ clock, allowLocal });
    this.noticeSender = new NoticeSender({ post, consoleUrl });
    const kinds = new KindIndex(api);
    const store = new InstanceStore(api, this.watches.instances);
    const events = new EventRecorder({ api, clock, random, log });
    const renderTexts = options.renderTexts ?? createTextRenderer(this.renderer);
    const requeue = (key: string) => this.onRelated(key);
    const { fingerprints, signing, watches } = this;
    this.deps = {
      api,
      clock,
      random,
      log,
      kinds,
      watches,
      store,
      planRuns: PlanRunStore.over(api, watches.planRuns, requeue),
      planSchedules: new PlanScheduleStore(api, watches.planSchedules),
      planApprovals: new PlanApprovalStore(api, watches.planApprovals),
      events,
      notices: new ConfiguredNotices(watches.notices, namespace),
      fingerprints,
      signing,
      selfHeal: new SelfHeal({
        ...{ api, clock, random, log, kinds, store, events, renderTexts, fingerprints, requeue },
        instances: watches.instances,
      }),
      health: new HealthChecks({ api, clock, random, log, watches, store, renderTexts, requeue }),
      pipePods: options.pipePods ?? DEFAULT_PIPES,
      renderTexts,
    };
    this.noticeSender.follow(watches);
    this.term = this.startTerm();
  }

  get leads(): boolean {
    return this.lease.leads;
  }

  get synced(): Promise<void> {
    return this.watches.synced;
  }

  watchedVersion(namespace: string, name: string): OperatorVersion | undefined {
    return this.watches.operatorVersions.get(namespace, name) as OperatorVersion | undefined;
  }

  requeueAfterMs(key: string): number | undefined {
    return this.active ? this.queue.dueInMs(key) : undefined;
  }

  start(): void {
    this.lease.start();
  }

  drain(): Promise<void> {
    this.draining ??= this.endWork();
    return this.draining;
  }

  async stop(): Promise<void> {
    await this.drain();
    this.fingerprints.stop();
    this.signing.stop();
    await Promise.all([this.watches.stop(), this.deps.selfHeal.stop(), this.renderer.close()]);
  }

  private async endWork(): Promise<void> {
    this.active = false;
    this.sweeper.stop();
    this.deps.health.setLeads(false);
    const ended = Promise.all([this.queue.stop(), this.scheduler.stop(), this.noticeSender.stop()]);
    await drainLease(this.options, {
      lease: this.lease,
      work: ended.then(() => this.deps.events.settle()),
      refuseWrites: () => {
        this.term = this.startTerm();
      },
    });
  }

  private onLeadership(leads: boolean): void {
    if (this.draining !== undefined) return;
    this.options.onLeadership?.(leads);
    this.deps.selfHeal.needNothing();
    this.deps.health.setLeads(leads);
    this.watches.sources.needNothing();
    this.term = this.startTerm();
    this.active = leads;
    this.sweeper.stop();
    this.scheduler.stop().catch(() => undefined);
    this.noticeSender.stop().catch(() => undefined);
    if (!leads) return;
    for (const object of this.watches.instances.list()) this.queue.add(keyOf(object), laneOf(object as Instance));
    this.sweeper.start(this.term);
    this.scheduler.start(this.term);
    this.noticeSender.start(this.term);
  }

  private startTerm(): ReconcilerDeps {
    const term: ReconcilerDeps = startLeading(this.deps, () => this.term === term);
    return term;
  }

  private onInstance(key: string, object: KubeObject, isGone: boolean): void {
    if (!this.active) return;
    this.scheduler.instanceChanged(key);
    if (!isGone && this.deps.store.takeEcho(object)) return;
    if (isGone) forgetUid(this.term, object.metadata.uid ?? '');
    this.retries.moved(key);
    this.queue.add(key, laneOf(object as Instance));
  }

  private onRelated(key: string): void {
    if (!this.active) return;
    this.retries.moved(key);
    this.queue.addAfter(key, RING_MS, 'normal');
  }

  private async reconcile(key: string, yieldToQueue: () => Promise<void>): Promise<void> {
    if (!this.active) return;
    const { term } = this;
    const known = term.store.get(key);
    const before = stepsDone(known);
    // A failure after a completed step is the first failure of the next step.
    const forget = () => {
      if (stepsDone(term.store.get(key)) !== before) this.retries.succeeded(key);
    };
    try {
      const wanted = await reconcile(term, key, () => betweenSteps(() => this.draining !== undefined, yieldToQueue));
      // The same state is decided upon in the same way, and would never stop.
      const isSame = term.store.get(key)?.metadata.resourceVersion === known?.metadata.resourceVersion;
      const outcome: Outcome = wanted.next === 'again' && isSame ? { next: 'retry' } : wanted;
      if (outcome.next !== 'retry') this.retries.succeeded(key);
      else forget();
      this.plan(key, outcome);
    } catch (error) {
      forget();
      await this.onFailure(term, key, error);
    }
  }

  private plan(key: string, outcome: Outcome): void {
    const lane = laneOf(this.deps.store.get(key));
    switch (outcome.next) {
      case 'rest':
        this.retries.moved(key);
        return;
      case 'again':
        this.queue.add(key, lane);
        return;
      case 'later':
        this.retries.moved(key);
        this.queue.addAfter(key, outcome.afterMs, 'normal');
        return;
      case 'retry':
        this.queue.addAfter(key, sooner(this.retries.failureDelayMs(key), outcome.withinMs), lane);
        return;
      case 'wait': {
        if (outcome.moved) this.retries.moved(key);
        this.queue.addAfter(key, sooner(this.retries.idleDelayMs(key), outcome.withinMs), lane);
      }
    }
  }

  /** A conflict is reconciled again at once, from a live read; every other error backs off. Bugs are reported, and back off too. */
  private async onFailure(term: ReconcilerDeps, key: string, error: unknown): Promise<void> {
    if (isDraining(error)) return;
    const isConflict = error instanceof ConflictError || codeOf(error) === 404;
    if (isConflict && this.retries.takeConflict(key)) {
      await term.store.refresh(key).catch(() => undefined);
      this.queue.add(key, 'urgent');
      return;
    }
    if (!(error instanceof BravoError)) await reportBug(term, key, error);
    else this.options.log.warn('reconcile.failed', { key, reason: error.reason, problem: error.message });
    const asked = error instanceof TransientError ? (error.retryAfterMs ?? 0) : 0;
    this.queue.addAfter(key, Math.max(asked, this.retries.failureDelayMs(key)), 'normal');
  }
}
