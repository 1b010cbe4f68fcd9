import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '@/lib/clock/clock';
import type { Controller } from '@/server/controller/controller';

/** By then a controller has looked at each Instance once, and whatever it waited for has come. */
const AT_REST_MS = 10_000;

/** Fewer objects leave little, and their garbage is collected on the way; the collection makes the heap of the first seconds small again. */
const MANY_OBJECTS = 10_000;

/**
 * Collects all garbage once, when there are many objects, some seconds after the first lists were read, and gives its pages back to the system. Lists and the first look at
 * each Instance leave more garbage than what is kept of them, and V8, whose heap has grown for it, keeps the pages for as long as
 * little is allocated. It takes about a tenth of a second.
 */
export function giveBackMemoryAfter(
  { synced, caches }: Pick<Controller, 'synced' | 'caches'>,
  clock: Clock,
  collect: () => void = collectGarbage,
): void {
  const atRest = () => {
    const objects = caches.reduce((sum, { size }) => sum + size, 0);
    if (objects >= MANY_OBJECTS) collect();
  };
  synced.then(
    () => clock.after(AT_REST_MS, atRest),
    () => undefined,
  );
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
