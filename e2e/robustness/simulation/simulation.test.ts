import { expect, it } from 'vitest';
import { simulate } from './simulate';

/** Seeds of every run of the tests; `npm run bench -- simulate` goes through thousands. */
const SEEDS = 20;

it(`ends the same with a fifth of all calls failing and controllers dying, ${SEEDS} seeds`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { violations } = await simulate(String(seed));
    expect(violations, `replay: npm run simulate -- --seed ${seed}`).toEqual([]);
  }
});

it('runs the same twice for one seed, event by event', async () => {
  const first = await simulate('twice');
  const second = await simulate('twice');
  expect(second.trace).toEqual(first.trace);
});
