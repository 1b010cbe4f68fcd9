import { expect, it } from 'vitest';
import { NoticeQueues, type WaitingNotice } from './notice-queues';

const waiting = (uid: string, target = 'T'): WaitingNotice => ({
  target,
  uid,
  entry: { target, result: 'COMPLETE' },
  find: () => undefined,
});

it('a notice waits once, in the order of its receiver', () => {
  const queues = new NoticeQueues(10);
  expect([queues.add(waiting('a')), queues.add(waiting('b')), queues.add(waiting('a'))]).toEqual([true, true, false]);
  const first = queues.next('T');
  expect(first?.uid).toBe('a');
  if (first !== undefined) queues.remove(first);
  expect(queues.next('T')?.uid).toBe('b');
  expect(queues.add(waiting('a'))).toBe(true);
});

it('of more notices than the limit the oldest are dropped, for each receiver', () => {
  const queues = new NoticeQueues(2);
  for (const uid of ['a', 'b', 'c', 'd']) queues.add(waiting(uid));
  queues.add(waiting('a', 'S'));
  expect(queues.targets()).toEqual(['T', 'S']);
  expect(queues.next('S')?.outcome).toBeUndefined();
  const order: unknown[] = [];
  for (let next = queues.next('T'); next !== undefined; next = queues.next('T')) {
    order.push([next.uid, next.outcome]);
    queues.remove(next);
  }
  expect(order).toEqual([
    ['a', 'Dropped'],
    ['b', 'Dropped'],
    ['c', undefined],
    ['d', undefined],
  ]);
});
