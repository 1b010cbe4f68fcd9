import { BravoError, ConflictError, TransientError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { stepsDone } from '@/lib/kudo/plan/steps-done';
import { shardOf } from '@/lib/kudo/shards/shards';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { DEFAULT_NOTICES } from '@/server/config/notices';
import type { Cache } from '@/server/kube/cache';
import { codeOf } from '@/server/kube/errors';
import type { ReconcileResult } from '@/server/metrics/controller-metrics';
import { createPostNotice } from '@/server/notices/post-notice';
import { RenderWorker } from '@/server/tasks/render-worker';
import { Backoffs } from './backoffs';
import { type ControllerDeps, controllerDeps } from './controller-deps';
import type { Controller, ControllerOptions } from './controller-options';
import { betweenSteps, drainLease, isDraining, workEnds } from './drain';
import { duringReconcile } from './during-reconcile';
import { FingerprintKey } from './fingerprint-key';
import { forgetNeeds } from './forget-needs';
import { keyOf } from './instance-store';
import { laneOf } from './lane';
import { forgetUid } from './leader-term';
import { createLeadership, type Leadership } from './leadership';
import { measuredController } from './measured-state';
import type { Outcome } from './outcome';
import { isProcessGone } from './process-identity';
import { WorkQueue } from './queue';
import { reconcile } from './reconcile';
import { ReconcileIds } from './reconcile-ids';
import type { ReconcilerDeps } from './reconciler-deps';
import { reportBug } from './report-bug';
import { requeue } from './requeue';
import { Shard } from './shard';
import { SigningKey } from './signing-key';
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
  private readonly leadership: Leadership;
  readonly queue: WorkQueue;
  private readonly watches: Watches;
  private readonly deps: ControllerDeps;
  readonly backoffs: Backoffs;
  private readonly ids: ReconcileIds;
  private readonly renderer: RenderWorker;
  private readonly fingerprints: FingerprintKey;
  private readonly signing: SigningKey;
  private readonly shards: readonly Shard[];
  private draining: Promise<void> | undefined;

  constructor(private readonly options: ControllerOptions) {
    const { clock, random, log, shards: count = 1 } = options;
    this.backoffs = new Backoffs(random);
    this.ids = new ReconcileIds(options.identity, clock.now());
    this.renderer = new RenderWorker({ log });
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
      schedule: (key) => {
        for (const { scheduler } of this.shards) scheduler.changed(key);
      },
      upgrade: (key) => {
        for (const { upgrades } of this.shards) upgrades.changed(key);
      },
      subscription: (key) => {
        for (const { subscriptions } of this.shards) subscriptions.changed(key);
      },
    });
    this.caches = this.watches.caches;
    const namespace = options.leaseNamespace ?? 'default';
    this.fingerprints = options.fingerprints ?? new FingerprintKey({ api: options.api, ...seams, namespace });
    this.signing = new SigningKey({ api: options.api, ...seams, namespace });
    const { watches, renderer, fingerprints, signing } = this;
    this.leadership = createLeadership({
      isGone: isProcessGone,
      ...options,
      namespace,
      shards: count,
      // A replica that cannot act must not keep out one that can.
      ready: Promise.all([watches.synced, options.mayLead, fingerprints.load(), signing.load()]),
      begins: (shard) => this.begin(shard),
      lost: (shard) => this.lose(shard),
      ends: (shard) => this.yield(shard),
    });
    this.deps = controllerDeps(options, {
      ...{ namespace, watches, renderer, fingerprints, signing },
      leads: () => this.leads,
      requeue: (key) => this.onRelated(key),
    });
    const { allowLocal, consoleUrl } = options.notices ?? DEFAULT_NOTICES;
    const post = options.postNotice ?? createPostNotice({ clock, allowLocal });
    this.shards = Array.from({ length: count }, (_, index) => {
      const leads = () => this.leadership.leads(index);
      const countsUsage = options.countsUsage === true;
      return new Shard({ index, count, deps: this.deps, notices: { post, consoleUrl }, countsUsage, leads });
    });
  }

  get leads(): boolean {
    return this.shards.some(({ index }) => this.leadership.leads(index));
  }

  leadsShard(shard: number): boolean {
    return this.leadership.leads(shard);
  }

  get synced(): Promise<void> {
    return this.watches.synced;
  }

  watchedVersion(namespace: string, name: string): OperatorVersion | undefined {
    return this.watches.operatorVersions.get(namespace, name) as OperatorVersion | undefined;
  }

  requeueAfterMs(key: string): number | undefined {
    return this.shardOf(key)?.acts === true ? this.queue.dueInMs(key) : undefined;
  }

  start(): void {
    this.measure();
    this.leadership.start();
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
    const ended = Promise.all([this.queue.stop(), ...this.shards.map((shard) => shard.end())]);
    this.deps.health.setLeads(false);
    await drainLease(this.options, {
      lease: this.leadership,
      work: ended.then(() => this.deps.events.settle()),
      refuseWrites: () => {
        for (const shard of this.shards) shard.refuseWrites();
      },
    });
  }

  private begin(index: number): void {
    const shard = this.shards[index];
    if (shard === undefined || this.draining !== undefined) return;
    this.options.onLeadership?.(true, index);
    forgetNeeds(this.deps, shard);
    this.deps.health.setLeads(true);
    shard.begin();
    for (const object of this.watches.instances.list()) {
      if (shard.owns(keyOf(object))) this.queue.add(keyOf(object), laneOf(object as Instance));
    }
  }

  private lose(index: number): void {
    this.endShard(index)?.catch(() => undefined);
  }

  /** @returns false when it takes too long */
  private async yield(index: number): Promise<boolean> {
    const work = this.endShard(index) ?? Promise.resolve();
    return workEnds(this.options.clock, { work, refuseWrites: () => this.shards[index]?.refuseWrites() });
  }

  private endShard(index: number): Promise<void> | undefined {
    const shard = this.shards[index];
    if (this.draining !== undefined || shard === undefined) return undefined;
    this.options.onLeadership?.(false, index);
    const ended = shard.end();
    forgetNeeds(this.deps, shard);
    if (!this.shards.some(({ acts }) => acts)) this.deps.health.setLeads(false);
    return ended;
  }

  private measure(): void {
    const isActing = ({ index, acts }: Shard) => acts && this.leadership.leads(index);
    this.options.metrics?.watch(
      measuredController(this.deps, this.queue, {
        count: this.shards.length,
        held: () => this.shards.filter(isActing).length,
        owns: (key) => this.shardOf(key)?.acts === true,
        // What exists once in a cluster belongs to shard 0.
        ledgers: () => (this.shards[0]?.acts === true ? this.shards[0].usage?.known : undefined) ?? new Map(),
      }),
    );
  }

  /** @param key `namespace/name` of an Instance */
  private shardOf(key: string): Shard | undefined {
    return this.shards[shardOf(key, this.shards.length)];
  }

  private onInstance(key: string, object: KubeObject, isGone: boolean): void {
    for (const shard of this.shards) shard.instanceChanged(key);
    const shard = this.shardOf(key);
    if (shard?.acts !== true) return;
    shard.usage?.instanceChanged(shard.term, object, isGone);
    if (!isGone && this.deps.store.takeEcho(object)) return;
    if (isGone) forgetUid(shard.term, object.metadata.uid ?? '');
    this.backoffs.moved(key);
    this.queue.add(key, laneOf(object as Instance));
  }

  private onRelated(key: string): void {
    if (this.shardOf(key)?.acts !== true) return;
    this.backoffs.moved(key);
    this.queue.addAfter(key, RING_MS, 'normal');
  }

  private async reconcile(key: string, yieldToQueue: () => Promise<void>): Promise<void> {
    const shard = this.shardOf(key);
    if (shard?.acts !== true) return;
    const { clock, metrics } = this.options;
    const beganMs = clock.monotonic();
    const result = await shard.run(() => this.reconcileOnce(shard, key, yieldToQueue));
    metrics?.reconciled(result, clock.monotonic() - beganMs);
  }

  private async reconcileOnce(shard: Shard, key: string, yieldToQueue: () => Promise<void>): Promise<ReconcileResult> {
    const term = duringReconcile(shard.term, this.ids.next(), this.deps.events);
    const known = term.store.get(key);
    const before = stepsDone(known);
    // A failure after a completed step is the first failure of the next step.
    const forget = () => {
      if (stepsDone(term.store.get(key)) !== before) this.backoffs.succeeded(key);
    };
    try {
      const wanted = await reconcile(term, key, () => betweenSteps(() => !shard.acts, yieldToQueue));
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
