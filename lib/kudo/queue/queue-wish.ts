import { TerminalError } from '@/lib/errors/errors';
import { scheduledPlan } from '@/lib/kudo/plan/scheduled';
import type { Instance } from '@/lib/kudo/types';
import { failedRun, heldByFailure } from './queued-start';
import { type RunQueue, runQueueOf } from './run-queue';

/** What a person wants with a run that waits. */
export type QueueWish =
  | { readonly do: 'remove'; readonly plan: string }
  /** `to` is the place, from 1; one behind the end is the end. */
  | { readonly do: 'move'; readonly plan: string; readonly to: number };

/**
 * The queue that a wish comes to.
 *
 * @throws TerminalError `Invalid` when the plan does not wait
 */
export function queueAfter(instance: Instance, wish: QueueWish): RunQueue {
  const { entries, edit } = runQueueOf(instance);
  const found = entries.find(({ plan }) => plan === wish.plan);
  if (found === undefined) {
    const what = entries.length === 0 ? 'nothing waits' : `these wait: ${entries.map(({ plan }) => plan).join(', ')}`;
    throw new TerminalError(`plan ${wish.plan} does not wait in the queue; ${what}`, 'Invalid');
  }
  const others = entries.filter((entry) => entry !== found);
  const at = wish.do === 'move' ? Math.max(0, wish.to - 1) : 0;
  const next = wish.do === 'remove' ? others : [...others.slice(0, at), found, ...others.slice(at)];
  // An edit whose plan is taken off stays decided.
  return { entries: next, ...(edit === undefined ? {} : { edit }) };
}

/** What the runs in the queue wait for, as a sentence; undefined when nothing waits. */
export function whyQueued(instance: Instance): string | undefined {
  if (runQueueOf(instance).entries.length === 0) return undefined;
  const running = scheduledPlan(instance);
  if (running !== undefined) return `The first one starts when plan ${running.plan} is complete.`;
  const failed = failedRun(instance);
  return failed === undefined
    ? 'The first one starts now. If it does not, the event QueueHeld says why.'
    : heldByFailure(failed);
}

/** True when no plan runs and what waits does not start by itself. */
export function isQueueHeld(instance: Instance): boolean {
  const isWaiting = runQueueOf(instance).entries.length > 0;
  return isWaiting && scheduledPlan(instance) === undefined && failedRun(instance) !== undefined;
}
