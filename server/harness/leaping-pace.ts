import { type Clock, sleep, systemClock } from '@/lib/clock/clock';
import type { VirtualClock } from '@/lib/clock/virtual-clock';
import type { Pace } from './pace';

/** Turns of the event loop after which nothing more happens without a timer. */
const QUIET_TURNS = 4;
/** How often virtual time follows the machine's, in milliseconds. */
const FOLLOW_EVERY_MS = 5;

/** A pace that ends. */
export interface LeapingPace extends Pace {
  stop(): Promise<void>;
}

/**
 * Virtual time for a sandbox and a controller in this process. It leaps from timer to timer while everybody who works on a case
 * waits, and passes as on the machine otherwise: while a program of the suite runs, which has a time of its own, and while files
 * are read.
 */
export function startLeapingPace(clock: VirtualClock): LeapingPace {
  let [working, waiting, held] = [0, 0, 0];
  let isStopped = false;
  let followedMs = systemClock.monotonic();
  const mayLeap = () => held === 0 && waiting > 0 && waiting >= working;
  const counted = (change: (by: 1 | -1) => void) => {
    let isOver = false;
    change(1);
    return () => {
      if (!isOver) change(-1);
      isOver = true;
    };
  };
  const run = async () => {
    while (!isStopped) {
      if (mayLeap()) {
        await settleTurns();
        if (mayLeap()) clock.runNext();
        followedMs = systemClock.monotonic();
      } else {
        await pauseOfMachine();
        const nowMs = systemClock.monotonic();
        await clock.advance(nowMs - followedMs);
        followedMs = nowMs;
      }
    }
  };
  const running = run();
  return {
    clock: clock as Clock,
    enter: () =>
      counted((by) => {
        working += by;
      }),
    hold: () =>
      counted((by) => {
        held += by;
      }),
    async pause(delayMs, signal) {
      waiting += 1;
      try {
        await sleep(clock, delayMs, signal);
      } finally {
        waiting -= 1;
      }
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

async function settleTurns(): Promise<void> {
  for (let turn = 0; turn < QUIET_TURNS; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

function pauseOfMachine(): Promise<void> {
  return sleep(systemClock, FOLLOW_EVERY_MS);
}
