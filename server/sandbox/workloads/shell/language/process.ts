import type { Clock } from '@/lib/clock/clock';

/**
 * What a running command asks of the shell that runs it. Commands are generators: without an effect they run to their end at
 * once, so that pods without `sleep` run without the event loop, and only the clock decides the time.
 */
export type Effect =
  | { readonly kind: 'sleep'; readonly ms: number }
  /** The next chunk of the outer standard input; resumed with it, or with undefined at its end. */
  | { readonly kind: 'read' }
  /** Will never end by itself: `sleep infinity`, `tail -f /dev/null`, a server. */
  | { readonly kind: 'forever' };

export type Steps<T> = Generator<Effect, T, Uint8Array | undefined>;

/** Ctrl-C at the terminal: thrown where the process waits. Its status is 130. */
export class Interrupted extends Error {}

/** The state of a process. `sleeping` until a time on the monotonic clock; `read` waits for {@link Process.feed}. */
export type ProcessState =
  | { readonly kind: 'sleeping'; readonly untilMs: number }
  | { readonly kind: 'read' | 'forever' }
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
  feed(chunk: Uint8Array | undefined): void {
    if (this.current.kind === 'read') this.current = this.next(chunk);
  }

  /** Interrupts what it waits for: a shell at a terminal goes on with its prompt, any other program ends. */
  interrupt(): void {
    if (this.current.kind === 'exited') return;
    this.sleeps = 0;
    this.current = this.stateOf(this.steps.throw(new Interrupted()));
  }

  /** Ends it from outside, as a signal does. */
  kill(exitCode: number): void {
    if (this.current.kind !== 'exited') this.current = { kind: 'exited', exitCode };
  }

  private next(input: Uint8Array | undefined): ProcessState {
    return this.stateOf(this.steps.next(input));
  }

  private stateOf(result: IteratorResult<Effect, number>): ProcessState {
    if (result.done === true) return { kind: 'exited', exitCode: result.value & 0xff };
    if (result.value.kind !== 'sleep') return { kind: result.value.kind };
    if (this.sleeps++ >= MAX_SLEEPS) return { kind: 'forever' };
    return { kind: 'sleeping', untilMs: this.clock.monotonic() + result.value.ms };
  }
}
