import type { Clock } from '@/lib/clock/clock';
import type { Steps } from './effects';

/** The state of a process. `sleeping` until a time on the monotonic clock; `reading` waits for {@link Process.feed}. */
export type ProcessState =
  | { readonly kind: 'sleeping'; readonly untilMs: number }
  | { readonly kind: 'reading' }
  | { readonly kind: 'forever' }
  | { readonly kind: 'exited'; readonly exitCode: number };

/** How often a process may sleep before it counts as one that runs forever; a loop that polls is not worth a timer. */
const MAX_SLEEPS = 200;

/** Drives a command that is written as steps: on until it sleeps, reads, or ends. */
export class Process {
  private current: ProcessState;
  private sleeps = 0;

  constructor(
    private readonly steps: Steps<number>,
    private readonly clock: Clock,
  ) {
    this.current = this.next(undefined);
  }

  get state(): ProcessState {
    return this.current;
  }

  /** Goes on when its sleep is over; the state afterwards. */
  poll(): ProcessState {
    while (this.current.kind === 'sleeping' && this.current.untilMs <= this.clock.monotonic()) {
      this.current = this.next(undefined);
    }
    return this.current;
  }

  /** Hands the next chunk of input to a reading process, undefined for its end. */
  feed(chunk: Uint8Array | undefined): ProcessState {
    if (this.current.kind === 'reading') this.current = this.next(chunk);
    return this.current;
  }

  /** Ends it from outside, as a signal does. */
  kill(exitCode: number): void {
    if (this.current.kind !== 'exited') this.current = { kind: 'exited', exitCode };
  }

  private next(input: Uint8Array | undefined): ProcessState {
    const result = this.steps.next(input);
    if (result.done === true) return { kind: 'exited', exitCode: result.value & 0xff };
    const effect = result.value;
    switch (effect.kind) {
      case 'sleep':
        if (this.sleeps++ >= MAX_SLEEPS) return { kind: 'forever' };
        return { kind: 'sleeping', untilMs: this.clock.monotonic() + effect.ms };
      case 'read':
        return { kind: 'reading' };
      case 'forever':
        return { kind: 'forever' };
    }
  }
}
