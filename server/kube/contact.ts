import type { Clock, Timer } from '@/lib/clock/clock';
import { type Random, randomInteger } from '@/lib/random/random';

/** A server that answered no request for this long may be unreachable. Shorter outages end within a normal retry delay. */
const UNREACHABLE_AFTER_MS = 10_000;
/** How often an unreachable server is probed, once for all waiting callers. */
const PROBE_EVERY_MS = 2_000;
/** When the server is back, the waiting callers retry spread over this time. */
const SPREAD_MS = 500;

/**
 * Whether one server can be reached, as seen by all callers together.
 *
 * States: *reachable* → (a request fails and no request was answered for 10 s) *doubted*: while a caller waits, the server is probed
 * every 2 s → (the probe fails too) *unreachable*: probed on → (any response) *reachable*: all waiting callers retry within half a
 * second, instead of after a backoff of up to half a minute. A response in *doubted* ends no wait early: a server that fails
 * at one request and answers others is not asked for that request more often.
 */
export class Contact {
  private respondedAtMs: number;
  private state: 'reachable' | 'doubted' | 'unreachable' = 'reachable';
  private readonly wakers = new Set<() => void>();
  private probeTimer: Timer | undefined;

  /** @param probe sends one small request; its outcome is reported to `recordResponse` and `recordFailure` like any other */
  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly probe: () => Promise<unknown>,
  ) {
    this.respondedAtMs = clock.monotonic();
  }

  /** The server answered a request. */
  recordResponse(): void {
    this.respondedAtMs = this.clock.monotonic();
    const wasUnreachable = this.state === 'unreachable';
    this.state = 'reachable';
    this.probeTimer?.cancel();
    if (wasUnreachable) for (const wake of [...this.wakers]) wake();
  }

  /** A request got no response, or a 5xx. */
  recordFailure(): void {
    if (this.state !== 'reachable' || this.clock.monotonic() - this.respondedAtMs < UNREACHABLE_AFTER_MS) return;
    this.state = 'doubted';
    if (this.wakers.size > 0) this.scheduleProbe();
  }

  /** Waits for this long, or shorter when the server was unreachable and is back; ends early with the signal, without an error. */
  pause(delayMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        timer.cancel();
        signal.removeEventListener('abort', end);
        this.wakers.delete(wake);
        if (this.wakers.size === 0) this.probeTimer?.cancel();
        resolve();
      };
      const wake = () => {
        timer.cancel();
        timer = this.clock.after(randomInteger(this.random, SPREAD_MS), end);
      };
      let timer = this.clock.after(delayMs, end);
      signal.addEventListener('abort', end, { once: true });
      this.wakers.add(wake);
      if (this.state !== 'reachable' && this.wakers.size === 1) this.scheduleProbe();
    });
  }

  private scheduleProbe(): void {
    this.probeTimer?.cancel();
    this.probeTimer = this.clock.after(PROBE_EVERY_MS, () => {
      this.probe().then(
        () => undefined,
        () => {
          if (this.state !== 'reachable') this.state = 'unreachable';
          if (this.state === 'unreachable' && this.wakers.size > 0) this.scheduleProbe();
        },
      );
    });
  }
}
