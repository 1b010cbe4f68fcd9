import { shardOf } from '@/lib/kudo/shards/shards';
import { type BetweenTerms, startLeading } from './leader-term';
import { NoticeSender, type NoticeSenderOptions } from './notice-sender';
import { PlanScheduler } from './plan-scheduler';
import type { ReconcilerDeps } from './reconciler-deps';
import { RunSweeper } from './run-sweeper';
import { UsageKeeper } from './usage-keeper';

export interface ShardOptions {
  readonly index: number;
  /** How many shards there are. */
  readonly count: number;
  /** What all shards of this process share. */
  readonly deps: BetweenTerms;
  readonly notices: NoticeSenderOptions;
  readonly countsUsage: boolean;
  /** True while this process holds the lease of the shard. */
  leads(): boolean;
}

/**
 * The Instances of one shard, and everything that is done for them: reconciles (through the queue of the process), schedules, notices and
 * sweeps. It acts between `begin` and `end`; what it has noted is of this time only, and its writes are refused after it. A controller without shards
 * has one.
 */
export class Shard {
  readonly scheduler = new PlanScheduler();
  private readonly sweeper = new RunSweeper();
  /** Absent where nobody counts usage. */
  readonly usage: UsageKeeper | undefined;
  private readonly noticeSender: NoticeSender;
  private current: ReconcilerDeps;
  private isActing = false;
  private running = 0;
  private idleWaiters: (() => void)[] = [];

  constructor(private readonly options: ShardOptions) {
    this.usage = options.countsUsage ? new UsageKeeper() : undefined;
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

  begin(): void {
    this.current = this.startTerm();
    this.isActing = true;
    this.sweeper.start(this.current);
    this.scheduler.start(this.current);
    this.noticeSender.start(this.current);
    this.usage?.start(this.current);
  }

  /** Begins nothing more. Resolves when nothing is under way. */
  async end(): Promise<void> {
    this.isActing = false;
    this.sweeper.stop();
    this.usage?.stop();
    await Promise.all([this.scheduler.stop(), this.noticeSender.stop(), this.idle()]);
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
