import { expect } from 'vitest';
import { simulate } from './simulate';

/** Seeds of one file of tests; there are two of them, one for each core. `npm run simulate -- --seeds N` goes further. */
export const SEEDS = 250;

/** Runs seeds one after the other; the first that breaks an invariant fails, with the command that replays it. */
export async function holdSeeds(from: number): Promise<void> {
  for (let seed = from; seed < from + SEEDS; seed++) {
    const { violations } = await simulate(String(seed));
    expect(violations, `replay: npm run simulate -- --seed ${seed}`).toEqual([]);
  }
}
