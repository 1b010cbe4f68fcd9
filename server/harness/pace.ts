import { type Clock, sleep, systemClock } from '@/lib/clock/clock';

/** The time of a run: what the harness waits by. */
export interface Pace {
  readonly clock: Clock;
  /** Somebody works on a case from now until the returned function is called. */
  enter(): () => void;
  /** Waits. Where time is virtual, it may leap while everybody who works waits. */
  pause(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** A program runs, for which time must pass as it does on the machine, until the returned function is called. */
  hold(): () => void;
}

const nothing = () => undefined;

/** The machine's own time. */
export const realPace: Pace = {
  clock: systemClock,
  enter: () => nothing,
  pause: (delayMs, signal) => sleep(systemClock, delayMs, signal),
  hold: () => nothing,
};
