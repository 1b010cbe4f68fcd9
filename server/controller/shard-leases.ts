import { sleep } from '@/lib/clock/clock';
import { ConflictError, messageOf, TransientError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { assignShards } from '@/lib/kudo/shards/shards';
import { randomInteger } from '@/lib/random/random';
import { withDeadline } from '@/server/kube/deadline';
import { codeOf } from '@/server/kube/errors';
import type { Leadership, LeadershipOptions } from './leadership';
import { LeaderLease } from './lease';
import { listLeases, memberLeaseName, SeenLeases, shardLeaseName } from './seen-leases';
import { OwnLease } from './shard-lease';
import { shardsWords } from './shards-words';

/** Of members and shards: with the time of a look, a shard of a process that died moves within 15 s. */
const DURATION_S = 10;
const LOOK_MS = 1_500;
const LOOK_JITTER_MS = 400;
/** A list that hangs must not cost the leases that are held: with the pause after it, less than a third of their duration. */
const LIST_WITHIN_MS = 2_000;
const PAUSE_AFTER_TIMEOUT_MS = 500;
/** Only a person can grant a missing right; until then more requests only fill the audit log. */
const PAUSE_AFTER_REFUSAL_MS = 20_000;

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
  private refusal: string | undefined;
  private isLate = false;
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
    const { clock, random } = this.options;
    const { signal } = this.stopper;
    while (!signal.aborted) {
      try {
        await this.look();
        this.onProblem(undefined);
      } catch (error) {
        if (!signal.aborted) this.onProblem(error);
      }
      this.endWhatIsLost();
      await sleep(clock, this.pauseMs() + randomInteger(random, LOOK_JITTER_MS), signal).catch(() => undefined);
    }
  }

  private pauseMs(): number {
    if (this.refusal !== undefined) return PAUSE_AFTER_REFUSAL_MS;
    return this.isLate ? PAUSE_AFTER_TIMEOUT_MS : LOOK_MS;
  }

  private onProblem(error: unknown): void {
    const { log, namespace, onLeaseRefused } = this.options;
    const problem = error === undefined ? '' : messageOf(error);
    if (problem !== '' && problem !== this.problem && !(error instanceof ConflictError)) {
      log.warn('shards.not-renewed', { problem });
    }
    this.problem = problem;
    this.isLate = error instanceof TransientError && error.reason === 'Timeout';
    const refusal =
      codeOf(error) === 403
        ? `the controller may not list, create, update or delete Leases in namespace ${namespace}, as BRAVO_SHARDS needs: ${problem}`
        : undefined;
    if (refusal === this.refusal) return;
    this.refusal = refusal;
    onLeaseRefused?.(refusal);
  }

  private async look(): Promise<void> {
    if (!this.isReady || !this.group.leads) return;
    await this.renewHeld();
    this.seen.take(await this.list());
    const { member } = this;
    member.seen(this.seen.find(member.name));
    if (member.isDue) await member.write(this.seen.find(member.name));
    for (const shard of this.shards) shard.seen(this.seen.find(shard.name));
    if (!this.member.isValid) return;
    const assigned = assignShards(this.seen.members(), this.shards.length);
    const { identity } = this.options;
    await allDone(this.shards.map((lease, shard) => this.settle(lease, shard, assigned[shard] === identity)));
    if (this.leads(0)) await this.seen.removeDead();
  }

  /** Before the list, which a slow API server answers late. What fails is tried again with what the list shows. */
  private async renewHeld(): Promise<void> {
    const due = [this.member, ...this.shards].filter(({ isHeld, isDue }) => isHeld && isDue);
    await Promise.allSettled(due.map((lease) => lease.write(undefined)));
  }

  private list(): Promise<readonly KubeObject[]> {
    const { options, stopper } = this;
    return withDeadline(options.clock, LIST_WITHIN_MS, stopper.signal, (signal) => listLeases(options, signal));
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

/** Waits for all, then throws what the first one that failed threw. */
async function allDone(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((each) => each.status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
