import { expect, it } from 'vitest';
import { simulate } from './simulate';

/** Seeds of every run of the tests; `npm run simulate -- --seeds 20000` goes through as many as one likes. */
const SEEDS = 20;

it(`holds every invariant with a fifth of all calls failing and controllers dying, ${SEEDS} seeds`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { violations } = await simulate(String(seed));
    expect(violations, `replay: npm run simulate -- --seed ${seed}`).toEqual([]);
  }
});

it('runs the same twice for one seed, event by event', async () => {
  const first = await simulate('twice', { keepsTrace: true });
  const second = await simulate('twice', { keepsTrace: true });
  expect(second.trace).toEqual(first.trace);
  expect(second.digest).toBe(first.digest);
});
