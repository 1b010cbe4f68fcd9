import type { Clock, Timer } from '@/lib/clock/clock';

/**
 * The clock of one simulated process: the virtual time of the simulation, with a wall clock that may be wrong and may
 * jump, in a process that may be suspended (SIGSTOP) or dead.
 *
 * States: *runs* ⇄ *frozen* (due timers wait, and run in their order when the process is resumed) → *dead* (nothing runs).
 */
export class ProcessClock implements Clock {
  private state: 'runs' | 'frozen' | 'dead' = 'runs';
  private readonly missed: (() => void)[] = [];
  private waiting: (() => void)[] = [];

  /** @param offsetMs how far the wall clock of this process is ahead of the simulation's */
  constructor(
    private readonly simulation: Clock,
    private offsetMs: number,
  ) {}

  now(): number {
    return this.simulation.now() + this.offsetMs;
  }

  monotonic(): number {
    return this.simulation.monotonic();
  }

  after(delayMs: number, run: () => void): Timer {
    let cancelled = false;
    const timer = this.simulation.after(delayMs, () => {
      const fire = () => {
        if (!cancelled) run();
      };
      if (this.state === 'runs') fire();
      else if (this.state === 'frozen') this.missed.push(fire);
    });
    return {
      cancel: () => {
        cancelled = true;
        timer.cancel();
      },
    };
  }

  /** Sets the clock of the machine forward or back. */
  step(byMs: number): void {
    this.offsetMs += byMs;
  }

  get isFrozen(): boolean {
    return this.state === 'frozen';
  }

  get isDead(): boolean {
    return this.state === 'dead';
  }

  freeze(): void {
    if (this.state === 'runs') this.state = 'frozen';
  }

  thaw(): void {
    if (this.state !== 'frozen') return;
    this.state = 'runs';
    // As an event loop does: first the timers, then the answers of the network.
    for (const fire of this.missed.splice(0)) fire();
    for (const go of this.waiting.splice(0)) go();
  }

  die(): void {
    this.state = 'dead';
    this.missed.length = 0;
    this.waiting.length = 0;
  }

  /** Resolves at once in a process that runs, after the resumption of a frozen one, never in a dead one. */
  running(): Promise<void> {
    if (this.state === 'runs') return Promise.resolve();
    return new Promise((resolve) => {
      if (this.state === 'frozen') this.waiting.push(resolve);
    });
  }
}
