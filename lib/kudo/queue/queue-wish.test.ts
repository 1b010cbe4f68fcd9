import { describe, expect, it } from 'vitest';
import { running, stored } from '@/lib/kudo/admission/admit-fixture';
import type { Instance } from '@/lib/kudo/types';
import { isQueueHeld, queueAfter, whyQueued } from './queue-wish';
import { type QueueEntry, withRunQueue } from './run-queue';

const entry = (plan: string): QueueEntry => ({ plan, uid: plan, cause: 'Manual', at: '' });
const edit = { inputs: 'f', plans: ['b'] };
const waiting = (before: Instance) => withRunQueue(before, { entries: ['a', 'b', 'c'].map(entry), edit });
const plansOf = (instance: Instance, to: number) =>
  queueAfter(instance, { do: 'move', plan: 'b', to }).entries.map(({ plan }) => plan);

describe('what a person wants with the queue', () => {
  it('gives a plan its new place, also behind the end', () => {
    const instance = waiting(stored());
    expect([plansOf(instance, 1), plansOf(instance, 2), plansOf(instance, 99)]).toEqual([
      ['b', 'a', 'c'],
      ['a', 'b', 'c'],
      ['a', 'c', 'b'],
    ]);
  });

  it('takes a plan off, and what was decided stays decided', () => {
    expect(queueAfter(waiting(stored()), { do: 'remove', plan: 'b' })).toEqual({
      entries: [entry('a'), entry('c')],
      edit,
    });
  });

  it('refuses a plan that does not wait, and says what does', () => {
    const remove = (instance: Instance) => () => queueAfter(instance, { do: 'remove', plan: 'z' });
    expect(remove(waiting(stored()))).toThrow('plan z does not wait in the queue; these wait: a, b, c');
    expect(remove(stored())).toThrow('nothing waits');
  });

  it('says what the first one waits for', () => {
    expect(whyQueued(stored())).toBeUndefined();
    expect(whyQueued(waiting(stored(running)))).toBe('The first one starts when plan deploy is complete.');
    const failed = waiting(stored({ plans: { deploy: ['FATAL_ERROR', 'd0'] } }));
    expect(whyQueued(failed)).toContain('held because plan deploy failed');
    expect([isQueueHeld(failed), isQueueHeld(waiting(stored())), isQueueHeld(stored())]).toEqual([true, false, false]);
  });
});
