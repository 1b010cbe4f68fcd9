import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { WorkQueue } from './queue';

/** A queue whose keys run until they are told to end. */
function start(concurrency = 1) {
  const clock = new VirtualClock();
  const log: string[] = [];
  const running = new Map<string, { end: () => void; turn: () => Promise<void> }>();
  const queue = new WorkQueue({
    clock,
    concurrency,
    run: (key, turn) =>
      new Promise<void>((resolve) => {
        log.push(key);
        running.set(key, { turn, end: () => resolve() });
      }),
  });
  const end = async (key: string) => {
    running.get(key)?.end();
    await settle();
  };
  return { clock, log, queue, running, end };
}

const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

describe('WorkQueue', () => {
  it('runs a key once at a time, and again when it was added meanwhile', async () => {
    const { queue, log, end } = start(2);
    queue.add('a', 'normal');
    queue.add('a', 'normal');
    queue.add('a', 'normal');
    expect(log).toEqual(['a']);
    await end('a');
    expect(log).toEqual(['a', 'a']);
    await end('a');
    expect(log).toEqual(['a', 'a']);
  });

  it('keeps the order of a lane, and lets urgent keys go first', async () => {
    const { queue, log, end } = start();
    for (const key of ['a', 'b', 'c']) queue.add(key, 'normal');
    queue.add('u', 'urgent');
    for (const key of ['a', 'u', 'b', 'c']) await end(key);
    expect(log).toEqual(['a', 'u', 'b', 'c']);
  });

  it('does not starve the normal lane', async () => {
    const { queue, log, end } = start();
    queue.add('first', 'normal');
    queue.add('waits', 'normal');
    for (let index = 0; index < 8; index++) queue.add(`u${index}`, 'urgent');
    for (let step = 0; step < 5; step++) await end(log.at(-1) ?? '');
    expect(log).toContain('waits');
  });

  it('moves a waiting key to the urgent lane', async () => {
    const { queue, log, end } = start();
    for (const key of ['a', 'b', 'c']) queue.add(key, 'normal');
    queue.add('c', 'urgent');
    for (const key of ['a', 'c', 'b']) await end(key);
    expect(log).toEqual(['a', 'c', 'b']);
  });

  it('runs a key after a while; the earlier of two times counts, and adding it ends the wait', async () => {
    const { queue, log, clock, end } = start();
    queue.addAfter('a', 5_000, 'normal');
    queue.addAfter('a', 1_000, 'normal');
    queue.addAfter('a', 9_000, 'normal');
    await clock.advance(999);
    expect(log).toEqual([]);
    await clock.advance(1);
    expect(log).toEqual(['a']);
    await end('a');
    queue.addAfter('a', 1_000, 'normal');
    queue.add('a', 'normal');
    await end('a');
    await clock.advance(60_000);
    expect(log).toEqual(['a', 'a']);
  });

  it('C33 lets an urgent key go between two steps of a long one', async () => {
    const { queue, log, running, end } = start();
    queue.add('long', 'normal');
    queue.add('edit', 'urgent');
    const turn = running.get('long')?.turn() ?? Promise.resolve();
    await settle();
    expect(log).toEqual(['long', 'edit']);
    await end('edit');
    await turn;
    await end('long');
  });

  it('stops when what runs has ended, and runs nothing more', async () => {
    const { queue, log, end } = start();
    queue.add('a', 'normal');
    queue.add('b', 'normal');
    const stopped = queue.stop();
    await end('a');
    await stopped;
    expect(log).toEqual(['a']);
  });
});
