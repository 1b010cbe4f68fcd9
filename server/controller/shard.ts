import { shardOf } from '@/lib/kudo/shards/shards';
import { type BetweenTerms, startLeading } from './leader-term';
import { NoticeSender, type NoticeSenderOptions } from './notice-sender';
import type { ReconcilerDeps } from './reconciler-deps';
import { reconcileSchedule } from './run-schedule';
import { reconcileSubscription } from './run-subscription';
import { RunSweeper } from './run-sweeper';
import { reconcileUpgrade } from './run-upgrade';
import { type TimedKind, TimedReconciler } from './timed-reconciler';

const SCHEDULES: TimedKind = {
  word: 'schedule',
  keys: ({ planSchedules }) => planSchedules.keys(),
  // A schedule belongs to the shard of its Instance.
  owner: ({ planSchedules }, key) => planSchedules.get(key)?.spec?.instanceName ?? '',
  reconcile: reconcileSchedule,
};

const UPGRADES: TimedKind = {
  word: 'upgrade',
  keys: ({ upgrades }) => upgrades.keys(),
  // An upgrade has Instances of all shards: its own name says to which shard it belongs.
  owner: (_deps, key) => key.slice(key.indexOf('/') + 1),
  reconcile: reconcileUpgrade,
};

const SUBSCRIPTIONS: TimedKind = {
  word: 'subscription',
  keys: ({ subscriptions }) => subscriptions.keys(),
  owner: (_deps, key) => key.slice(key.indexOf('/') + 1),
  reconcile: reconcileSubscription,
};

export interface ShardOptions {
  readonly index: number;
  /** How many shards there are. */
  readonly count: number;
  /** What all shards of this process share. */
  readonly deps: BetweenTerms;
  readonly notices: NoticeSenderOptions;
  /** True while this process holds the lease of the shard. */
  leads(): boolean;
}

/**
 * The Instances of one shard, and everything that is done for them: reconciles (through the queue of the process), schedules, notices and
 * sweeps. It acts between `begin` and `end`; what it has noted is of this time only, and its writes are refused after it. A controller without shards
 * has one.
 */
export class Shard {
  /** Starts plans at the times of schedules. */
  readonly scheduler = new TimedReconciler(SCHEDULES);
  /** Moves Instances in waves. */
  readonly upgrades = new TimedReconciler(UPGRADES);
  /** Asks repositories for newer versions. */
  readonly subscriptions = new TimedReconciler(SUBSCRIPTIONS);
  private readonly sweeper = new RunSweeper();
  private readonly noticeSender: NoticeSender;
  private current: ReconcilerDeps;
  private isActing = false;
  private running = 0;
  private idleWaiters: (() => void)[] = [];

  constructor(private readonly options: ShardOptions) {
    this.noticeSender = new NoticeSender(options.notices);
    this.noticeSender.follow(options.deps.watches);
    this.current = this.startTerm();
  }

  get index(): number {
    return this.options.index;
  }

  /** True when there are no others: this one has all Instances. */
  get isOnly(): boolean {
    return this.options.count === 1;
  }

  /** True between `begin` and `end`. */
  get acts(): boolean {
    return this.isActing;
  }

  /** What a reconcile works with. */
  get term(): ReconcilerDeps {
    return this.current;
  }

  /** @param key `namespace/name` of an Instance */
  owns(key: string): boolean {
    const { index, count } = this.options;
    return count === 1 || shardOf(key, count) === index;
  }

  /** @param key `namespace/name` of an Instance that changed, for what waits for it */
  instanceChanged(key: string): void {
    this.scheduler.instanceChanged(key);
    this.upgrades.instanceChanged(key);
    this.subscriptions.instanceChanged(key);
  }

  begin(): void {
    this.current = this.startTerm();
    this.isActing = true;
    this.sweeper.start(this.current);
    this.scheduler.start(this.current);
    this.upgrades.start(this.current);
    this.subscriptions.start(this.current);
    this.noticeSender.start(this.current);
  }

  /** Begins nothing more. Resolves when nothing is under way. */
  async end(): Promise<void> {
    this.isActing = false;
    this.sweeper.stop();
    const stopping = [this.scheduler, this.upgrades, this.subscriptions, this.noticeSender].map((part) => part.stop());
    await Promise.all([...stopping, this.idle()]);
  }

  /** Every write that has not been sent is refused from now on. */
  refuseWrites(): void {
    this.current = this.startTerm();
  }

  /** Counts a reconcile while it runs. */
  async run<T>(reconcile: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await reconcile();
    } finally {
      this.running -= 1;
      if (this.running === 0) for (const resolve of this.idleWaiters.splice(0)) resolve();
    }
  }

  private async idle(): Promise<void> {
    if (this.running > 0) await new Promise<void>((resolve) => this.idleWaiters.push(resolve));
  }

  private startTerm(): ReconcilerDeps {
    const { deps, index, leads } = this.options;
    const mine = { shard: index, owns: (key: string) => this.owns(key) };
    const term: ReconcilerDeps = startLeading({ ...deps, ...mine }, () => this.current === term && leads());
    return term;
  }
}
