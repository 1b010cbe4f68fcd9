import type { Clock, Timer } from '@/lib/clock/clock';

/** What went wrong with a key, as the queue needs to know it. */
export type Failure = 'again' | 'later' | 'drop';

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** Does the work of one key; a number asks to be called again after so many milliseconds. */
  readonly work: (key: string) => number | undefined;
  /** What to do after an error: try again at once (a conflict), later with back-off, or never. Bugs are rethrown. */
  readonly onError: (error: unknown, key: string) => Failure;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 60_000;
const TRIES_AT_ONCE = 5;
const SLICE_MS = 20;

/**
 * A queue of keys. A key that is added while it waits is done once. The work runs in a microtask after the change that
 * rang it, all of it in one go, and gives the event loop a turn when a slice took 20 ms; so a settled sandbox has no
 * timer and no work, and with a virtual clock the order is always the same.
 *
 * States of a key: absent → waiting (add) → running → absent, or → delayed (asked for, or after an error) → waiting.
 */
export class ControllerQueue {
  private readonly waiting = new Set<string>();
  private readonly delayed = new Map<string, { dueMs: number; timer: Timer }>();
  private readonly failures = new Map<string, number>();
  private scheduled = false;
  private stopped = false;

  constructor(private readonly options: WorkQueueOptions) {}

  add(key: string): void {
    if (this.stopped) return;
    this.waiting.add(key);
    this.schedule();
  }

  /** Adds the key after a time; an earlier appointment of the same key stays, a later one is replaced. */
  addAfter(key: string, delayMs: number): void {
    if (this.stopped) return;
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    const dueMs = this.options.clock.monotonic() + delayMs;
    const present = this.delayed.get(key);
    if (present !== undefined && present.dueMs <= dueMs) return;
    present?.timer.cancel();
    const timer = this.options.clock.after(delayMs, () => {
      this.delayed.delete(key);
      this.add(key);
    });
    this.delayed.set(key, { dueMs, timer });
  }

  /** True when nothing waits to be done now. */
  get idle(): boolean {
    return this.waiting.size === 0;
  }

  stop(): void {
    this.stopped = true;
    this.waiting.clear();
    for (const { timer } of this.delayed.values()) timer.cancel();
    this.delayed.clear();
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => this.drain());
  }

  private drain(): void {
    this.scheduled = false;
    try {
      this.drainSlice();
    } finally {
      if (this.waiting.size > 0) this.schedule();
    }
  }

  private drainSlice(): void {
    const start = this.options.clock.monotonic();
    for (const key of this.waiting) {
      this.waiting.delete(key);
      this.runOne(key);
      if (this.options.clock.monotonic() - start > SLICE_MS && this.waiting.size > 0) {
        this.scheduled = true;
        this.options.clock.after(0, () => this.drain());
        return;
      }
    }
  }

  private runOne(key: string): void {
    try {
      const again = this.options.work(key);
      this.failures.delete(key);
      if (again !== undefined) this.addAfter(key, again);
    } catch (error) {
      this.retry(key, this.options.onError(error, key));
    }
  }

  private retry(key: string, failure: Failure): void {
    const count = (this.failures.get(key) ?? 0) + 1;
    if (failure === 'drop') {
      this.failures.delete(key);
      return;
    }
    this.failures.set(key, count);
    if (failure === 'again' && count <= TRIES_AT_ONCE) this.add(key);
    else this.addAfter(key, Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(count - 1, 10)));
  }
}
