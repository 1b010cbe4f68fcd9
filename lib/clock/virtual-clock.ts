import type { Clock, Timer } from './clock';

interface PendingTimer {
  readonly dueMs: number;
  readonly order: number;
  readonly run: () => void;
}

/**
 * A clock that moves only when told. Timers run in the order of their due time, then of their making, so that a
 * run of the simulator is the same every time.
 */
export class VirtualClock implements Clock {
  private timeMs: number;
  private readonly startMs: number;
  private pending: PendingTimer[] = [];
  private made = 0;

  /** @param startMs wall time at the start, milliseconds since 1970 */
  constructor(startMs = 1_700_000_000_000) {
    this.timeMs = startMs;
    this.startMs = startMs;
  }

  now(): number {
    return this.timeMs;
  }

  monotonic(): number {
    return this.timeMs - this.startMs;
  }

  after(delayMs: number, run: () => void): Timer {
    const timer: PendingTimer = { dueMs: this.timeMs + Math.max(0, delayMs), order: this.made++, run };
    this.pending.push(timer);
    return {
      cancel: () => {
        this.pending = this.pending.filter((other) => other !== timer);
      },
    };
  }

  /** The due time of the next timer, or undefined when none waits. */
  nextDueMs(): number | undefined {
    return this.next()?.dueMs;
  }

  /** Moves to the next timer and runs it. False when none waits. */
  runNext(): boolean {
    const timer = this.next();
    if (timer === undefined) return false;
    this.pending = this.pending.filter((other) => other !== timer);
    this.timeMs = Math.max(this.timeMs, timer.dueMs);
    timer.run();
    return true;
  }

  /** Moves forward by `durationMs`, running what falls due; promises settle between timers. */
  async advance(durationMs: number): Promise<void> {
    const endMs = this.timeMs + durationMs;
    await settle();
    for (let next = this.next(); next !== undefined && next.dueMs <= endMs; next = this.next()) {
      this.runNext();
      await settle();
    }
    this.timeMs = endMs;
  }

  private next(): PendingTimer | undefined {
    let best: PendingTimer | undefined;
    for (const timer of this.pending) {
      if (best === undefined || timer.dueMs < best.dueMs || (timer.dueMs === best.dueMs && timer.order < best.order)) {
        best = timer;
      }
    }
    return best;
  }
}

/** Lets promise callbacks that are ready run, however deep they are chained within reason. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
