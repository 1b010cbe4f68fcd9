import { it } from 'vitest';
import { holdSeeds, SEEDS } from './hold-seeds';

it(`holds every invariant while a fifth of all calls fail and controllers die, seeds ${SEEDS + 1} to ${2 * SEEDS}`, async () => {
  await holdSeeds(SEEDS + 1);
}, 1_200_000);
