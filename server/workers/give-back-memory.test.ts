import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { giveBackMemoryAfter } from './give-back-memory';

it('what nobody holds any more is collected ten seconds after the first lists', async () => {
  const clock = new VirtualClock();
  const held = new WeakRef({ items: [] });
  giveBackMemoryAfter(Promise.resolve(), clock);
  // A WeakRef keeps its target until the end of the turn that made it.
  await nextTurn();
  await clock.advance(9_999);
  await nextTurn();
  expect(held.deref()).toBeDefined();
  await nextTurn();
  await clock.advance(1);
  expect(held.deref()).toBeUndefined();
});

it('nothing is collected when the lists were never read', async () => {
  const clock = new VirtualClock();
  let collected = 0;
  giveBackMemoryAfter(Promise.reject(new Error('stopped')), clock, () => {
    collected += 1;
  });
  await nextTurn();
  await clock.advance(60_000);
  expect(collected).toBe(0);
});
