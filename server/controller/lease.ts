import { type Clock, formatMicroTime, sleep } from '@/lib/clock/clock';
import { ConflictError, messageOf } from '@/lib/errors/errors';
import { isJsonObject, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { type Random, randomInteger } from '@/lib/random/random';
import type { Api, Target } from '@/server/kube/api';
import { backoffMs } from '@/server/kube/backoff';
import { codeOf } from '@/server/kube/errors';
import type { Log } from '@/server/log/log';

export const LEASE_NAME = 'bravo-controller';
/** How long a holder may be silent before another one takes its place, when nothing else is said. */
const DURATION_S = 15;
const LONGEST_RETRY_MS = 2_000;
/** A right that is missing comes by a person's hand; until then asking more often only fills the audit log. */
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
  /** Resolves when this process can act; it takes the lease no sooner. At once when absent. */
  readonly ready?: Promise<unknown>;
  /** True when the holder of that identity is known to be gone (a dead process of this machine). */
  isGone?(identity: string): boolean;
  onChange(leads: boolean): void;
  /** Told what the API server does not allow (403), as one sentence, and undefined when that is over. */
  onLeaseRefused?(problem: string | undefined): void;
}

interface Seen {
  readonly record: string;
  readonly atMs: number;
}

/**
 * Holds the Lease `bravo-controller`, so that one controller acts at a time.
 *
 * States: *follows* (another one holds it; tries again every 2 s, more often with a short lease, and takes it when its record has not changed for its whole
 * duration, measured on our own monotonic clock from when we saw the record change; clocks of others count for nothing,
 * C09) → *leads* (renews after a third of the duration; gives up after two thirds without success, well
 * before anybody else may begin) → *follows*. `stop` hands the lease back. While a right is missing (403) it follows too, says so
 * through `onLeaseRefused`, and tries again after 2 s, and twice as long each time up to a minute.
 *
 * Who cannot act yet (`ready`) follows too, and reads the record meanwhile, so that taking it costs one write then: a process
 * that cannot read must not keep out one that can. Who leads stays, also when its watches fail for long: what keeps it from
 * reading (an API that is away, missing rights, kinds that are not served) keeps the others from it as well, as a rule, and the
 * plans that it has under way go on by live reads.
 */
export class LeaderLease {
  private readonly stopper = new AbortController();
  private readonly target: Target;
  private seen: Seen | undefined;
  private renewedAtMs = Number.NEGATIVE_INFINITY;
  private isLeading = false;
  private isReady: boolean;
  private lease: KubeObject | undefined;
  /** What is asked of the API server now, for the sentence about a refusal. */
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

  async stop(): Promise<void> {
    this.stopper.abort(new Error('The lease is given back.'));
    await this.finished;
    if (!this.isLeading) return;
    this.isLeading = false;
    await this.release().catch(() => undefined);
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

  /** Takes or renews the lease; gives the sentence about a right that is missing. Never fails. */
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
    // A leader knows what it wrote; the guard of the resourceVersion tells it when that is not true any more.
    this.verb = 'get';
    const live = this.isLeading && this.lease !== undefined ? this.lease : await this.options.api.get(this.target);
    if (live !== undefined && !this.mayTake(live)) {
      this.isLeading = false;
      return;
    }
    if (!this.isReady) await this.untilReady();
    const askedAtMs = this.options.clock.monotonic();
    const described = this.described(live);
    this.verb = live === undefined ? 'create' : 'update';
    // Whatever happened since it was read: the write fails when another one was faster.
    this.lease = await (live === undefined
      ? this.options.api.create(this.target, described)
      : this.options.api.update(this.target, described));
    this.isLeading = true;
    this.renewedAtMs = askedAtMs;
  }

  /** Rejects when it is stopped before. */
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
