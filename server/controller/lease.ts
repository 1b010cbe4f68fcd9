import { type Clock, formatMicroTime, sleep } from '@/lib/clock/clock';
import { ConflictError, messageOf } from '@/lib/errors/errors';
import { isJsonObject, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { LEASE_NAME } from '@/lib/kudo/installation/names';
import { type Random, randomInteger } from '@/lib/random/random';
import type { Api, Target } from '@/server/kube/api';
import { backoffMs } from '@/server/kube/backoff';
import { codeOf } from '@/server/kube/errors';
import type { Log } from '@/server/log/log';

/** The default duration of the lease: a holder that does not renew it for so long loses it. */
const DURATION_S = 15;
/** With a quarter of it added at random: a lease that was released is taken within 2 s. */
const LONGEST_RETRY_MS = 1_500;
/** Only a person can grant a missing right; until then more requests only fill the audit log. */
const REFUSED_PAUSE = { floorMs: 2_000, ceilingMs: 60_000 } as const;

export interface LeaseOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly namespace: string;
  readonly identity: string;
  /** Seconds, whole; 15 when absent. */
  readonly leaseDurationS?: number;
  /** Resolves when this process can act; it does not take the lease before. At once when absent. */
  readonly ready?: Promise<unknown>;
  /** True when the holder of that identity is known to have ended (a dead process of this machine). */
  isGone?(identity: string): boolean;
  onChange(leads: boolean): void;
  /** Called with the holder that the lease names, when it is another one, and with undefined when this one holds it. */
  onHolder?(holder: string | undefined): void;
  /** Called with one sentence when the API server refuses the lease (403), and with undefined when that is over. */
  onLeaseRefused?(problem: string | undefined): void;
}

interface Seen {
  readonly record: string;
  readonly atMs: number;
}

/**
 * Holds the Lease `bravo-controller`, so that one controller acts at a time.
 *
 * States: *follows* (another process holds the lease; retries every 1.5 to 1.9 s, more often with a short lease, and takes the lease when its
 * record has not changed for its whole duration, measured on our own monotonic clock; clocks of others do not count, docs/faults.md
 * C09) → *leads* (renews after a third of the duration; stops leading after two thirds without success, well before anybody else may
 * begin) → *follows*. `stop` releases the lease. While a right is missing (403) it follows too, reports that through
 * `onLeaseRefused`, and retries after 2 s, then twice as long each time up to a minute.
 *
 * A process that cannot act yet (`ready`) follows too: a process that cannot read must not keep out one that can. It reads the record
 * meanwhile, so that taking the lease costs one write. A leader stays leader when its watches fail for long: what keeps it from
 * reading (no API server, missing rights, kinds that are not served) usually keeps the others from reading too, and running plans
 * continue with live reads.
 */
export class LeaderLease {
  private readonly stopper = new AbortController();
  private readonly target: Target;
  private seen: Seen | undefined;
  private renewedAtMs = Number.NEGATIVE_INFINITY;
  private isLeading = false;
  private isReady: boolean;
  private lease: KubeObject | undefined;
  /** The verb of the request in flight, for the sentence about a refusal. */
  private verb: 'get' | 'create' | 'update' = 'get';
  /** Refusals in a row. */
  private refusals = 0;
  private reportedRefusal: string | undefined;
  private finished: Promise<void> = Promise.resolve();

  private readonly durationMs: number;

  constructor(private readonly options: LeaseOptions) {
    const { namespace } = options;
    this.isReady = options.ready === undefined;
    this.durationMs = (options.leaseDurationS ?? DURATION_S) * 1_000;
    this.target = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace, name: LEASE_NAME };
  }

  start(): void {
    this.finished = this.run();
  }

  /** True while this process may write: it holds the lease and renewed it lately. */
  get leads(): boolean {
    return this.isLeading && this.options.clock.monotonic() - this.renewedAtMs < (this.durationMs * 2) / 3;
  }

  /** Releases the lease: another controller takes it with its next try. */
  async stop(): Promise<void> {
    const wasLeading = await this.end();
    if (wasLeading) await this.release().catch(() => undefined);
  }

  /** Stops renewing the lease, which expires by itself: for a process that cannot say that its last write has ended. */
  async abandon(): Promise<void> {
    await this.end();
  }

  private async end(): Promise<boolean> {
    this.stopper.abort(new Error('The lease is given back.'));
    await this.finished;
    const wasLeading = this.isLeading;
    this.isLeading = false;
    return wasLeading;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopper;
    while (!signal.aborted) {
      const refusal = await this.attempt();
      this.refusals = refusal === undefined ? 0 : this.refusals + 1;
      const leads = this.isLeading && this.leads;
      if (leads) this.reportRefusal(undefined);
      this.say(leads);
      if (!leads) this.reportRefusal(refusal);
      await sleep(this.options.clock, this.pauseMs(), signal).catch(() => undefined);
    }
  }

  /** Takes or renews the lease. Returns a sentence when a right is missing. Never fails. */
  private async attempt(): Promise<string | undefined> {
    try {
      await this.tryOnce();
      return undefined;
    } catch (error) {
      this.lease = undefined;
      const refusal = this.refusalOf(error);
      const isOrdinary = error instanceof ConflictError || this.stopper.signal.aborted;
      const isReported = refusal !== undefined && refusal === this.reportedRefusal;
      if (!isOrdinary && !isReported) {
        this.options.log.warn('lease.not-renewed', { problem: refusal ?? messageOf(error) });
      }
      return refusal;
    }
  }

  private pauseMs(): number {
    const { random } = this.options;
    if (this.refusals > 0 && !this.isLeading) return backoffMs(this.refusals, REFUSED_PAUSE, random);
    const retryMs = Math.min(LONGEST_RETRY_MS, this.durationMs / 5);
    const delayMs = this.isLeading && this.lease !== undefined ? this.durationMs / 3 : retryMs;
    return delayMs + randomInteger(random, Math.ceil(retryMs / 4));
  }

  private refusalOf(error: unknown): string | undefined {
    if (codeOf(error) !== 403) return undefined;
    const { namespace } = this.options;
    return `the controller may not ${this.verb} Lease ${LEASE_NAME} in namespace ${namespace}: ${messageOf(error)}`;
  }

  private reportRefusal(refusal: string | undefined): void {
    if (this.reportedRefusal === refusal) return;
    this.reportedRefusal = refusal;
    this.options.onLeaseRefused?.(refusal);
  }

  private say(leads: boolean): void {
    const before = this.wasSaid;
    this.wasSaid = leads;
    if (before === leads) return;
    if (!leads) this.isLeading = false;
    this.options.log.info(leads ? 'lease.held' : 'lease.lost', { identity: this.options.identity });
    this.options.onChange(leads);
  }
  private wasSaid = false;

  private async tryOnce(): Promise<void> {
    // A leader knows what it wrote; a conflict tells when another process has written since.
    this.verb = 'get';
    const live = this.isLeading && this.lease !== undefined ? this.lease : await this.options.api.get(this.target);
    if (live !== undefined && !this.mayTake(live)) {
      this.isLeading = false;
      this.options.onHolder?.(stringAt(live.spec, 'holderIdentity'));
      return;
    }
    if (!this.isReady) await this.untilReady();
    const askedAtMs = this.options.clock.monotonic();
    const described = this.described(live);
    this.verb = live === undefined ? 'create' : 'update';
    // The write is guarded: it fails when another process was faster.
    this.lease = await (live === undefined
      ? this.options.api.create(this.target, described)
      : this.options.api.update(this.target, described));
    this.isLeading = true;
    this.renewedAtMs = askedAtMs;
    this.options.onHolder?.(undefined);
  }

  /** Rejects when the lease is stopped before. */
  private async untilReady(): Promise<void> {
    const { signal } = this.stopper;
    await new Promise<void>((resolve, reject) => {
      const end = () => reject(signal.reason);
      signal.addEventListener('abort', end, { once: true });
      this.options.ready?.then(() => {
        signal.removeEventListener('abort', end);
        resolve();
      }, reject);
    });
    this.isReady = true;
  }

  private mayTake(live: KubeObject): boolean {
    const holder = stringAt(live.spec, 'holderIdentity') ?? '';
    if (holder === '' || holder === this.options.identity) return true;
    const record = JSON.stringify(live.spec ?? null);
    const nowMs = this.options.clock.monotonic();
    if (this.seen?.record !== record) this.seen = { record, atMs: nowMs };
    if (this.options.isGone?.(holder) === true) return true;
    const durationMs = (numberAt(live.spec, 'leaseDurationSeconds') ?? DURATION_S) * 1000;
    return nowMs - this.seen.atMs > durationMs;
  }

  private described(live: KubeObject | undefined): KubeObject {
    const now = formatMicroTime(this.options.clock.now());
    const previous = isJsonObject(live?.spec) ? live.spec : {};
    const isSameHolder = previous.holderIdentity === this.options.identity;
    const transitions = typeof previous.leaseTransitions === 'number' ? previous.leaseTransitions : 0;
    return {
      ...(live ?? { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' }),
      metadata: live?.metadata ?? { name: LEASE_NAME, namespace: this.options.namespace },
      spec: {
        holderIdentity: this.options.identity,
        leaseDurationSeconds: this.durationMs / 1_000,
        acquireTime: isSameHolder ? (previous.acquireTime ?? now) : now,
        renewTime: now,
        leaseTransitions: isSameHolder || live === undefined ? transitions : transitions + 1,
      },
    } as KubeObject;
  }

  private async release(): Promise<void> {
    if (this.lease === undefined) return;
    const spec = isJsonObject(this.lease.spec) ? this.lease.spec : {};
    await this.options.api.update(this.target, {
      ...this.lease,
      spec: { ...spec, holderIdentity: '', leaseDurationSeconds: 1 },
    });
  }
}
