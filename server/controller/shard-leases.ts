import { sleep } from '@/lib/clock/clock';
import { ConflictError, messageOf } from '@/lib/errors/errors';
import { assignShards } from '@/lib/kudo/shards/shards';
import { randomInteger } from '@/lib/random/random';
import type { Leadership, LeadershipOptions } from './leadership';
import { LeaderLease } from './lease';
import { listLeases, memberLeaseName, SeenLeases, shardLeaseName } from './seen-leases';
import { OwnLease } from './shard-lease';
import { shardsWords } from './shards-words';

/** Of members and shards: with the time of a look, a shard of a process that died moves within 15 s. */
const DURATION_S = 10;
const LOOK_MS = 1_500;
const LOOK_JITTER_MS = 400;

/**
 * The leases of a controller that shares the Instances of a cluster with others (docs/decisions/087-shards.md).
 *
 * - `bravo-controller` is held by all controllers with the same number of shards together, as `bravo-shards/N`: who has another number, or no
 *   shards, waits until it has expired.
 * - `bravo-controller-member-…` says that this process lives. Everybody computes from the members who holds which shard.
 * - `bravo-controller-shard-I` is what counts: a process acts for a shard while it holds this lease, whatever was computed.
 *
 * One list every 1.5 to 1.9 s shows all of them. States of a shard here: *another's* → *ours* (renewed after a third of the duration) → *yielding*
 * (assigned to another: nothing new begins, and it is released when what runs has ended) → *another's*.
 */
export class ShardLeases implements Leadership {
  private readonly stopper = new AbortController();
  private readonly group: LeaderLease;
  private readonly member: OwnLease;
  private readonly shards: readonly OwnLease[];
  private readonly seen: SeenLeases;
  private readonly acting = new Set<number>();
  private readonly yielding = new Set<number>();
  private finished: Promise<void> = Promise.resolve();
  private isReady = false;
  private problem = '';
  private waiting: string | undefined;

  constructor(private readonly options: LeadershipOptions) {
    const { shards, identity, namespace, leaseDurationS = DURATION_S } = options;
    this.group = new LeaderLease({
      ...options,
      identity: `bravo-shards/${shards}`,
      onChange: () => undefined,
      onHolder: (holder) => this.sayWaiting(shardsWords(holder, shards)),
    });
    const lease = {
      api: options.api,
      clock: options.clock,
      namespace,
      identity,
      shards,
      durationMs: leaseDurationS * 1_000,
    };
    this.member = new OwnLease({ ...lease, name: memberLeaseName(identity), kind: 'member' });
    this.shards = Array.from(
      { length: shards },
      (_, shard) => new OwnLease({ ...lease, name: shardLeaseName(shard), kind: 'shard' }),
    );
    this.seen = new SeenLeases(options, lease);
    options.ready?.then(
      () => {
        this.isReady = true;
      },
      () => undefined,
    );
    this.isReady = options.ready === undefined;
  }

  start(): void {
    this.group.start();
    this.finished = this.run();
  }

  leads(shard: number): boolean {
    return this.group.leads && this.shards[shard]?.isValid === true;
  }

  async stop(): Promise<void> {
    await this.end();
    // First the shards: who sees that this member is gone finds them free.
    await Promise.allSettled(this.shards.map((shard) => shard.release()));
    await this.member.release().catch(() => undefined);
  }

  async abandon(): Promise<void> {
    await this.end();
    for (const lease of [this.member, ...this.shards]) lease.abandon();
  }

  private async end(): Promise<void> {
    this.stopper.abort(new Error('The controller stops.'));
    // Not released: other members hold it too.
    await Promise.all([this.finished, this.group.abandon()]);
  }

  private async run(): Promise<void> {
    const { clock, random, log } = this.options;
    const { signal } = this.stopper;
    while (!signal.aborted) {
      try {
        await this.look();
        this.problem = '';
      } catch (error) {
        const problem = messageOf(error);
        const isNews = !(error instanceof ConflictError) && problem !== this.problem;
        if (isNews && !signal.aborted) log.warn('shards.not-renewed', { problem });
        this.problem = problem;
      }
      this.endWhatIsLost();
      const delayMs = LOOK_MS + randomInteger(random, LOOK_JITTER_MS);
      await sleep(clock, delayMs, signal).catch(() => undefined);
    }
  }

  private async look(): Promise<void> {
    if (!this.isReady || !this.group.leads) return;
    if (this.member.isDue) await this.member.write(this.seen.find(this.member.name));
    this.seen.take(await listLeases(this.options));
    this.member.seen(this.seen.find(this.member.name));
    for (const shard of this.shards) shard.seen(this.seen.find(shard.name));
    if (!this.member.isValid) return;
    const assigned = assignShards(this.seen.members(), this.shards.length);
    const { identity } = this.options;
    const done = await Promise.allSettled(
      this.shards.map((lease, shard) => this.settle(lease, shard, assigned[shard] === identity)),
    );
    const failed = done.find((each) => each.status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    if (this.leads(0)) await this.seen.removeDead();
  }

  private async settle(lease: OwnLease, shard: number, isAssigned: boolean): Promise<void> {
    if (lease.isHeld) {
      if (lease.isDue) await lease.write(undefined);
      if (!isAssigned) this.yield(lease, shard);
    } else if (isAssigned && this.seen.isFree(lease.name)) await lease.write(this.seen.find(lease.name));
    if (isAssigned && !this.acting.has(shard) && !this.yielding.has(shard) && this.leads(shard)) this.begin(shard);
  }

  private begin(shard: number): void {
    this.acting.add(shard);
    this.options.log.info('shard.held', { shard });
    this.options.begins(shard);
  }

  /** Goes on in the background; the lease is renewed meanwhile. */
  private yield(lease: OwnLease, shard: number): void {
    if (this.yielding.has(shard)) return;
    this.yielding.add(shard);
    const wasActing = this.acting.delete(shard);
    const ended = wasActing ? this.options.ends(shard) : Promise.resolve(true);
    ended
      .then(async (isOver) => {
        this.options.log.info('shard.yielded', { shard, isOver });
        if (isOver) await lease.release();
        else lease.abandon();
      })
      .catch((error: unknown) => this.options.log.warn('shard.not-released', { shard, problem: messageOf(error) }))
      .finally(() => this.yielding.delete(shard));
  }

  private sayWaiting(words: string | undefined): void {
    if (this.waiting === words) return;
    this.waiting = words;
    this.options.onShardsDiffer?.(words);
  }

  private endWhatIsLost(): void {
    for (const shard of [...this.acting]) {
      if (this.leads(shard)) continue;
      this.acting.delete(shard);
      this.options.log.info('shard.lost', { shard });
      this.options.lost(shard);
    }
  }
}
