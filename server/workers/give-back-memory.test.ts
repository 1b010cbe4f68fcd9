import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { Cache } from '@/server/kube/cache';
import { giveBackMemoryAfter } from './give-back-memory';

const holding = (...sizes: number[]) => sizes.map((size) => ({ size }) as Cache);

it('what nobody holds any more is collected ten seconds after the first lists', async () => {
  const clock = new VirtualClock();
  const held = new WeakRef({ items: [] });
  giveBackMemoryAfter({ synced: Promise.resolve(), caches: holding(6_000, 4_000) }, clock);
  // A WeakRef keeps its target until the end of the turn that made it.
  await nextTurn();
  await clock.advance(9_999);
  await nextTurn();
  expect(held.deref()).toBeDefined();
  await nextTurn();
  await clock.advance(1);
  expect(held.deref()).toBeUndefined();
});

it.each([
  ['the lists were never read', () => Promise.reject(new Error('stopped')), 10_000],
  ['there are few objects', () => Promise.resolve(), 9_999],
])('nothing is collected when %s', async (_, synced, objects) => {
  const clock = new VirtualClock();
  let collected = 0;
  giveBackMemoryAfter({ synced: synced(), caches: holding(objects) }, clock, () => {
    collected += 1;
  });
  await nextTurn();
  await clock.advance(60_000);
  expect(collected).toBe(0);
});
