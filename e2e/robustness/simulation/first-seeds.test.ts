import { expect, it } from 'vitest';
import { holdSeeds, SEEDS } from './hold-seeds';
import { simulate } from './simulate';

it(`holds every invariant while a fifth of all calls fail and controllers die, seeds 1 to ${SEEDS}`, async () => {
  await holdSeeds(1);
}, 1_200_000);

it('runs the same twice for one seed, event by event', async () => {
  const first = await simulate('twice', { keepsTrace: true });
  const second = await simulate('twice', { keepsTrace: true });
  expect(second.trace).toEqual(first.trace);
  expect(second.digest).toBe(first.digest);
});
