import type { Backoffs } from './backoffs';
import { type Outcome, sooner } from './outcome';
import type { Lane, WorkQueue } from './queue';

/** Queues a key again as its reconcile says. */
export function requeue(
  { queue, backoffs }: { readonly queue: WorkQueue; readonly backoffs: Backoffs },
  key: string,
  lane: Lane,
  outcome: Outcome,
): void {
  switch (outcome.next) {
    case 'rest':
      backoffs.moved(key);
      return;
    case 'again':
      queue.add(key, lane);
      return;
    case 'later':
      backoffs.moved(key);
      queue.addAfter(key, outcome.afterMs, 'normal');
      return;
    case 'retry':
      queue.addAfter(key, sooner(backoffs.afterFailureMs(key), outcome.withinMs), lane);
      return;
    case 'wait': {
      if (outcome.moved) backoffs.moved(key);
      queue.addAfter(key, sooner(backoffs.afterIdleMs(key), outcome.withinMs), lane);
    }
  }
}
