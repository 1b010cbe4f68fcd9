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
import type { ReconcileResult } from '@/server/metrics/controller-metrics';
import { ConfiguredNotices } from '@/server/notices/configured-notices';
import { createPostNotice } from '@/server/notices/post-notice';
import { PlanApprovalStore } from '@/server/runs/plan-approval-store';
import { PlanRunStore } from '@/server/runs/plan-run-store';
import { PlanScheduleStore } from '@/server/runs/plan-schedule-store';
import { SelfHeal } from '@/server/self-heal/self-heal';
import { createTextRenderer } from '@/server/tasks/render-texts';
import { RenderWorker } from '@/server/tasks/render-worker';
import { Backoffs } from './backoffs';
import type { Controller, ControllerOptions } from './controller-options';
import { betweenSteps, drainLease, isDraining } from './drain';
import { duringReconcile } from './during-reconcile';
import { EventRecorder } from './events';
import { FingerprintKey } from './fingerprint-key';
import { InstanceStore, keyOf } from './instance-store';
import { laneOf } from './lane';
import { type BetweenTerms, forgetUid, startLeading } from './leader-term';
import { LeaderLease } from './lease';
import { measuredController } from './measured-state';
import { NoticeSender } from './notice-sender';
import type { Outcome } from './outcome';
import { PlanScheduler } from './plan-scheduler';
import { isProcessGone } from './process-identity';
import { WorkQueue } from './queue';
import { reconcile } from './reconcile';
import { ReconcileIds } from './reconcile-ids';
import type { ReconcilerDeps } from './reconciler-deps';
import { reportBug } from './report-bug';
import { requeue } from './requeue';
import { RunSweeper } from './run-sweeper';
import { SigningKey } from './signing-key';
import { steadyReads } from './steady-reads';
import { startWatches, type Watches } from './watches';

export type { Controller, ControllerOptions };

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
  readonly queue: WorkQueue;
  private readonly watches: Watches;
  private readonly deps: BetweenTerms;
  private readonly events: EventRecorder;
  readonly backoffs: Backoffs;
  private readonly ids: ReconcileIds;
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
    this.backoffs = new Backoffs(random);
    this.ids = new ReconcileIds(options.identity, clock.now());
    this.renderer = new RenderWorker({ log });
    const api = guardedApi(steadyReads(options.api, { clock, random }), () => this.lease.leads);
    this.queue = new WorkQueue({
      clock,
      concurrency: options.concurrency ?? 10,
      run: (key, yieldToQueue) => this.reconcile(key, yieldToQueue),
      observer: options.metrics?.queue,
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
    this.events = new EventRecorder({ api, clock, random, log });
    const renderTexts = options.renderTexts ?? createTextRenderer(this.renderer);
    const ring = (key: string) => this.onRelated(key);
    const { fingerprints, signing, watches, events } = this;
    this.deps = {
      api,
      clock,
      random,
      log,
      kinds,
      watches,
      store,
      planRuns: PlanRunStore.over(api, watches.planRuns, ring),
      planSchedules: new PlanScheduleStore(api, watches.planSchedules),
      planApprovals: new PlanApprovalStore(api, watches.planApprovals),
      events,
      notices: new ConfiguredNotices(watches.notices, namespace),
      fingerprints,
      signing,
      selfHeal: new SelfHeal({
        ...{ api, clock, random, log, kinds, store, renderTexts, fingerprints, requeue: ring },
        instances: watches.instances,
      }),
      health: new HealthChecks({ api, clock, random, log, watches, store, renderTexts, requeue: ring }),
      pipePods: options.pipePods ?? DEFAULT_PIPES,
      renderTexts,
      metrics: options.metrics,
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
    this.measure();
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
      work: ended.then(() => this.events.settle()),
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

  private measure(): void {
    const state = { leads: () => this.leads, isActive: () => this.active };
    this.options.metrics?.watch(measuredController(this.deps, this.queue, state));
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
    this.backoffs.moved(key);
    this.queue.add(key, laneOf(object as Instance));
  }

  private onRelated(key: string): void {
    if (!this.active) return;
    this.backoffs.moved(key);
    this.queue.addAfter(key, RING_MS, 'normal');
  }

  private async reconcile(key: string, yieldToQueue: () => Promise<void>): Promise<void> {
    if (!this.active) return;
    const { clock, metrics } = this.options;
    const beganMs = clock.monotonic();
    const result = await this.reconcileOnce(
      duringReconcile(this.term, this.ids.next(), this.events),
      key,
      yieldToQueue,
    );
    metrics?.reconciled(result, clock.monotonic() - beganMs);
  }

  private async reconcileOnce(
    term: ReconcilerDeps,
    key: string,
    yieldToQueue: () => Promise<void>,
  ): Promise<ReconcileResult> {
    const known = term.store.get(key);
    const before = stepsDone(known);
    // A failure after a completed step is the first failure of the next step.
    const forget = () => {
      if (stepsDone(term.store.get(key)) !== before) this.backoffs.succeeded(key);
    };
    try {
      const wanted = await reconcile(term, key, () => betweenSteps(() => this.draining !== undefined, yieldToQueue));
      // The same state is decided upon in the same way, and would never stop.
      const isSame = term.store.get(key)?.metadata.resourceVersion === known?.metadata.resourceVersion;
      const outcome: Outcome = wanted.next === 'again' && isSame ? { next: 'retry' } : wanted;
      if (outcome.next !== 'retry') this.backoffs.succeeded(key);
      else forget();
      requeue(this, key, laneOf(this.deps.store.get(key)), outcome);
      return outcome.next === 'retry' ? 'retry' : 'success';
    } catch (error) {
      forget();
      return this.onFailure(term, key, error);
    }
  }

  /** A conflict is reconciled again at once, from a live read; every other error backs off. Bugs are reported, and back off too. */
  private async onFailure(term: ReconcilerDeps, key: string, error: unknown): Promise<ReconcileResult> {
    if (isDraining(error)) return 'success';
    const isConflict = error instanceof ConflictError || codeOf(error) === 404;
    if (isConflict && this.backoffs.mayRepeat(key)) {
      await term.store.refresh(key).catch(() => undefined);
      this.queue.add(key, 'urgent');
      return 'conflict';
    }
    const isBug = !(error instanceof BravoError);
    if (isBug) await reportBug(term, key, error);
    else term.log.warn('reconcile.failed', { key, reason: error.reason, problem: error.message });
    const asked = error instanceof TransientError ? (error.retryAfterMs ?? 0) : 0;
    this.queue.addAfter(key, Math.max(asked, this.backoffs.afterFailureMs(key)), 'normal');
    return isBug ? 'bug' : 'error';
  }
}
