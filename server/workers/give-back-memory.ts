import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '@/lib/clock/clock';

/** By then a controller has looked at each Instance once, and whatever it waited for has come. */
const AT_REST_MS = 10_000;

/**
 * Collects all garbage once, some seconds after the first lists were read, and gives its pages back to the system. Lists and the first look at
 * each Instance leave more garbage than what is kept of them, and V8, whose heap has grown for it, keeps the pages for as long as
 * little is allocated. It takes about a tenth of a second.
 */
export function giveBackMemoryAfter(
  firstLists: Promise<void>,
  clock: Clock,
  collect: () => void = collectGarbage,
): void {
  firstLists.then(
    () => clock.after(AT_REST_MS, collect),
    () => undefined,
  );
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
