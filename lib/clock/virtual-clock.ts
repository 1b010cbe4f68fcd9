import type { Clock, Timer } from './clock';

interface PendingTimer {
  readonly dueMs: number;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

/**
 * A clock that moves only when told to. Timers run in the order of their due time, then of their creation, so that the
 * simulator is deterministic.
 */
export class VirtualClock implements Clock {
  private timeMs: number;
  private readonly startMs: number;
  /** A binary heap, the next timer first. Cancelled ones stay until they are due. */
  private readonly heap: PendingTimer[] = [];
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
    const timer: PendingTimer = {
      dueMs: this.timeMs + Math.max(0, delayMs),
      order: this.made++,
      run,
      cancelled: false,
    };
    this.push(timer);
    return {
      cancel: () => {
        timer.cancelled = true;
      },
    };
  }

  /** The due time of the next timer, or undefined when there is none. */
  nextDueMs(): number | undefined {
    return this.next()?.dueMs;
  }

  /** Moves to the next timer and runs it. False when there is none. */
  runNext(): boolean {
    const timer = this.next();
    if (timer === undefined) return false;
    this.pop();
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
    while (this.heap[0]?.cancelled === true) this.pop();
    return this.heap[0];
  }

  private push(timer: PendingTimer): void {
    const { heap } = this;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !isBefore(timer, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = timer;
  }

  private pop(): void {
    const { heap } = this;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const child = this.earlierChild(at);
      const candidate = heap[child];
      if (candidate === undefined || !isBefore(candidate, last)) break;
      heap[at] = candidate;
      at = child;
    }
    heap[at] = last;
  }

  private earlierChild(at: number): number {
    const left = 2 * at + 1;
    const [a, b] = [this.heap[left], this.heap[left + 1]];
    return a !== undefined && b !== undefined && isBefore(b, a) ? left + 1 : left;
  }
}

function isBefore(a: PendingTimer, b: PendingTimer): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}

/** Runs pending promise callbacks, chained up to twenty deep. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
