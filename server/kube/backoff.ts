import { type Random, randomInteger } from '@/lib/random/random';

/** The shortest and the longest delay of a series of retries, in milliseconds. */
export interface BackoffBounds {
  readonly floorMs: number;
  readonly ceilingMs: number;
}

/** A delay in milliseconds that doubles per failure from `floorMs` to `ceilingMs`, half of it random. */
export function backoffMs(failures: number, bounds: BackoffBounds, random: Random): number {
  const full = Math.min(bounds.ceilingMs, bounds.floorMs * 2 ** Math.min(Math.max(0, failures - 1), 30));
  return Math.round(full / 2 + randomInteger(random, Math.max(1, Math.round(full / 2))));
}
