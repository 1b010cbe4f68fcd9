import type { VirtualClock } from '@/lib/clock/virtual-clock';

/** Turns of the event loop after which nothing more happens without a timer. */
const QUIET_TURNS = 4;

/** Waits until promises and ready input and output have settled. */
export async function settleTurns(): Promise<void> {
  for (let turn = 0; turn < QUIET_TURNS; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Runs a promise to its end; the virtual clock advances when needed. */
export async function drive<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let settled = false;
  const watched = promise.finally(() => {
    settled = true;
  });
  watched.catch(() => {});
  while (!settled) {
    await settleTurns();
    if (!settled) clock.runNext();
  }
  return watched;
}
