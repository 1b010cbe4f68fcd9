import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { Review, ReviewQueue } from './review-queue';

function setUp() {
  const clock = new VirtualClock();
  const asked: { name: string; atMs: number }[] = [];
  let answers = 0;
  const queue = new ReviewQueue(clock, () => {
    answers++;
  });
  const review = (name: string, answer: () => unknown = () => name) =>
    new Review(async () => {
      asked.push({ name, atMs: clock.monotonic() });
      return answer();
    });
  return { clock, asked, queue, review, answerCount: () => answers };
}

describe('ReviewQueue', () => {
  it('asks the first 20 reviews at once, and 20 a second after them', async () => {
    const { clock, asked, queue, review } = setUp();
    for (let index = 0; index < 100; index++) queue.add(review(`n-${index}`));
    await clock.advance(0);
    expect(asked).toHaveLength(20);
    await clock.advance(1_000);
    expect(asked).toHaveLength(40);
    await clock.advance(3_000);
    expect(asked).toHaveLength(100);
  });

  it('asks for what is not known before what is known', async () => {
    const { clock, asked, queue, review } = setUp();
    const known = review('known');
    queue.add(known);
    for (let index = 0; index < 19; index++) queue.add(review(`n-${index}`));
    await clock.advance(0);
    queue.add(known);
    queue.add(review('new'));
    await clock.advance(100);
    expect(asked.slice(20).map(({ name }) => name)).toEqual(['new', 'known']);
  });

  it('reports an answer only when it differs from the one before', async () => {
    const { clock, queue, review, answerCount } = setUp();
    let answer = 1;
    const one = review('one', () => answer);
    queue.add(one);
    await clock.advance(0);
    queue.add(one);
    await clock.advance(0);
    expect(answerCount()).toBe(1);
    answer = 2;
    queue.add(one);
    await clock.advance(0);
    expect(answerCount()).toBe(2);
  });

  it('asks a review that fails again after 1, 2 and 4 seconds, and believes its last answer for 5 minutes', async () => {
    const { clock, asked, queue, review } = setUp();
    let isAway = false;
    const one = review('one', () => {
      if (isAway) throw new Error('away');
      return true;
    });
    queue.add(one);
    await clock.advance(0);
    isAway = true;
    queue.add(one);
    await clock.advance(7_000);
    expect(asked.map(({ atMs }) => atMs)).toEqual([0, 0, 1_000, 3_000, 7_000]);
    expect(one.value).toBe(true);
    await clock.advance(6 * 60_000);
    expect(one.value).toBeUndefined();
  });

  it('asks nothing after it was closed', async () => {
    const { clock, asked, queue, review } = setUp();
    queue.close();
    queue.add(review('one'));
    await clock.advance(1_000);
    expect(asked).toEqual([]);
  });
});
