import type { Clock, Timer } from '@/lib/clock/clock';
import { type Random, randomInteger } from '@/lib/random/random';

/** A server that gave nobody an answer for so long may be away. Below that, pauses are short by themselves. */
const AWAY_AFTER_MS = 10_000;
/** How often a server that is away is asked whether it is back, by whoever waits for it together. */
const ASK_EVERY_MS = 2_000;
/** When it is back not everybody comes at the same moment. */
const SPREAD_MS = 500;

/**
 * Whether one server can be reached, as all who talk to it have seen it together.
 *
 * States: *there* → (a request fails and for 10 s nothing was answered) *doubted*: while somebody pauses, it is asked every 2 s →
 * (it does not answer that either) *away*: asked on → (any answer) *there*: whoever pauses goes on within half a second. So nobody
 * sits out a pause of half a minute that was right while the server was away. An answer in doubt cuts no pause short: a server
 * that fails at one thing and answers the rest is not asked for that thing more often.
 */
export class Contact {
  private heardAtMs: number;
  private state: 'there' | 'doubted' | 'away' = 'there';
  private readonly wakers = new Set<() => void>();
  private asking: Timer | undefined;

  /** @param ask sends one small request; `heard` and `lost` are told of it as of any other */
  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly ask: () => Promise<unknown>,
  ) {
    this.heardAtMs = clock.monotonic();
  }

  /** It has answered something. */
  heard(): void {
    this.heardAtMs = this.clock.monotonic();
    const wasAway = this.state === 'away';
    this.state = 'there';
    this.asking?.cancel();
    if (wasAway) for (const wake of [...this.wakers]) wake();
  }

  /** A request got no answer, or the answer that the server cannot answer (5xx). */
  lost(): void {
    if (this.state !== 'there' || this.clock.monotonic() - this.heardAtMs < AWAY_AFTER_MS) return;
    this.state = 'doubted';
    if (this.wakers.size > 0) this.askLater();
  }

  /** Waits for so long, or less when the server was away meanwhile and is back; ends early with the signal, without an error. */
  pause(delayMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        timer.cancel();
        signal.removeEventListener('abort', end);
        this.wakers.delete(wake);
        if (this.wakers.size === 0) this.asking?.cancel();
        resolve();
      };
      const wake = () => {
        timer.cancel();
        timer = this.clock.after(randomInteger(this.random, SPREAD_MS), end);
      };
      let timer = this.clock.after(delayMs, end);
      signal.addEventListener('abort', end, { once: true });
      this.wakers.add(wake);
      if (this.state !== 'there' && this.wakers.size === 1) this.askLater();
    });
  }

  private askLater(): void {
    this.asking?.cancel();
    this.asking = this.clock.after(ASK_EVERY_MS, () => {
      this.ask().then(
        () => undefined,
        () => {
          if (this.state !== 'there') this.state = 'away';
          if (this.state === 'away' && this.wakers.size > 0) this.askLater();
        },
      );
    });
  }
}
