import type { VirtualClock } from '@/lib/clock/virtual-clock';

interface Waiter {
  readonly done: () => boolean;
  readonly limitMs: number;
  readonly resolve: (isDone: boolean) => void;
}

/** Turns of the event loop after which nothing more happens without a timer. */
const QUIET_TURNS = 3;

/**
 * Drives a simulation: everything that is ready happens, then the next timer fires, and so on. Its participants wait with
 * `until`; virtual time advances only inside `drive`.
 */
export class Scheduler {
  private waiters: Waiter[] = [];
  private readonly observers: (() => void)[] = [];
  private isTouched = true;

  constructor(private readonly clock: VirtualClock) {}

  /** To be called when something changed that a waiter may wait for. */
  touch(): void {
    this.isTouched = true;
  }

  /** Called when everything that was ready has happened, before the next timer. */
  onQuiet(observer: () => void): void {
    this.observers.push(observer);
  }

  /** Resolves with true when `done` is true, which is asked after each change; with false after `limitMs` of virtual time. */
  until(done: () => boolean, limitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.waiters.push({ done, limitMs: this.clock.now() + limitMs, resolve });
      this.isTouched = true;
      // A timer at the limit: otherwise the next timer may be far behind it.
      this.clock.after(limitMs, () => this.touch());
    });
  }

  /** Lets `durationMs` of virtual time pass. */
  async pass(durationMs: number): Promise<void> {
    await this.until(() => false, durationMs);
  }

  /** Runs a promise to its end; the virtual clock advances when needed. */
  async drive<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const watched = promise.finally(() => {
      settled = true;
    });
    watched.catch(() => {});
    for (;;) {
      await turns(QUIET_TURNS);
      if (settled) return watched;
      if (this.serveWaiters()) continue;
      for (const observer of this.observers) observer();
      if (!this.clock.runNext()) throw new Error('No timer is left, but a part of the simulation still waits.');
    }
  }

  private serveWaiters(): boolean {
    if (!this.isTouched) return false;
    this.isTouched = false;
    const nowMs = this.clock.now();
    const { waiters } = this;
    this.waiters = [];
    for (const waiter of waiters) {
      if (waiter.done()) waiter.resolve(true);
      else if (nowMs >= waiter.limitMs) waiter.resolve(false);
      else this.waiters.push(waiter);
    }
    return this.waiters.length < waiters.length;
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
