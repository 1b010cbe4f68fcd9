import { type Clock, sleep } from '@/lib/clock/clock';
import type { RawRequest } from './api';
import { kubeErrorOf } from './errors';

/** The longest Retry-After that is obeyed; then the server is asked again. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Obeys Retry-After for all callers: after a 429 no request of this process goes to the server before that time is over. If only
 * one caller waited, all others would go on. Leases are exempt, as in Kubernetes' API priority and fairness: a leader that
 * cannot renew would only hand the same load to another one.
 */
export class Throttle {
  private untilMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  /** True while requests have to wait; a cheap check for the common case. */
  get isClosed(): boolean {
    return this.waitMs() > 0;
  }

  /** Records an error response. */
  record(error: unknown): void {
    const response = kubeErrorOf(error);
    if (response?.code !== 429 || response.retryAfterMs === undefined) return;
    this.untilMs = Math.max(this.untilMs, this.clock.monotonic() + Math.min(response.retryAfterMs, LONGEST_WAIT_MS));
  }

  /** Resolves when the request may be sent; rejects with the signal's reason when that is aborted first. */
  async wait({ path, signal }: Pick<RawRequest, 'path' | 'signal'>): Promise<void> {
    if (path.startsWith('/apis/coordination.k8s.io/')) return;
    for (let waitMs = this.waitMs(); waitMs > 0; waitMs = this.waitMs()) await sleep(this.clock, waitMs, signal);
  }

  private waitMs(): number {
    return this.untilMs - this.clock.monotonic();
  }
}
