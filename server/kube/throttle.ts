import { type Clock, sleep } from '@/lib/clock/clock';
import type { RawRequest } from './api';
import { kubeErrorOf } from './errors';

/** A server that asks for more than this is asked again all the same, to hear whether it still wants that. */
const LONGEST_MS = 60_000;

/**
 * What a server that is too busy asked for: after a 429 with Retry-After no request of ours goes to it before that time is
 * over, whoever sends it; a request that only one caller holds back would leave all the others hammering. Leases pass, as in
 * Kubernetes' own priorities: a leader that cannot renew would only hand the same load to another one.
 */
export class Throttle {
  private untilMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  /** True while requests wait; asked first, since it costs nothing when all is well. */
  get isClosed(): boolean {
    return this.waitMs() > 0;
  }

  /** Takes note of an answer that was an error. */
  note(error: unknown): void {
    const answer = kubeErrorOf(error);
    if (answer?.code !== 429 || answer.retryAfterMs === undefined) return;
    this.untilMs = Math.max(this.untilMs, this.clock.monotonic() + Math.min(answer.retryAfterMs, LONGEST_MS));
  }

  /** Resolves when the request may go; rejects with the signal's reason when that is aborted before. */
  async pass({ path, signal }: Pick<RawRequest, 'path' | 'signal'>): Promise<void> {
    if (path.startsWith('/apis/coordination.k8s.io/')) return;
    for (let waitMs = this.waitMs(); waitMs > 0; waitMs = this.waitMs()) await sleep(this.clock, waitMs, signal);
  }

  private waitMs(): number {
    return this.untilMs - this.clock.monotonic();
  }
}
