import { formatTime } from '@/lib/clock/clock';
import type { NextAction } from '@/lib/kudo/plan/next-action-types';
import { enqueue } from '@/lib/kudo/queue/enqueue';
import { runQueueOf } from '@/lib/kudo/queue/run-queue';
import type { Instance } from '@/lib/kudo/types';
import { randomUuid } from '@/lib/random/random';
import { AGAIN, type Outcome } from './outcome';
import type { ReconcilerDeps } from './reconciler-deps';

/** Puts what no webhook has seen at the end of the queue, in one write. */
export async function enqueueRuns(
  deps: ReconcilerDeps,
  known: Instance,
  { instance, plans, isAsked }: Extract<NextAction, { do: 'enqueue' }>,
): Promise<Outcome> {
  const queued = enqueue(instance, {
    plans,
    isAsked,
    by: deps.watches.editorOf(known),
    at: formatTime(deps.clock.now()),
    newUid: randomUuid(deps.random),
    fingerprints: deps.fingerprints,
  });
  await deps.store.write(queued);
  // An edit that waits is said to by the plan that it waits for.
  if (!isAsked) return AGAIN;
  const before = new Set(runQueueOf(known).entries.map(({ uid }) => uid));
  for (const { plan, uid } of runQueueOf(queued).entries) {
    if (!before.has(uid)) deps.events.record(known, 'Normal', 'RunQueued', `Plan ${plan} waits in the queue.`);
  }
  return AGAIN;
}

/** Says once why the runs that wait do not start. */
export function sayHeld(deps: ReconcilerDeps, instance: Instance, held: string): void {
  const [first] = runQueueOf(instance).entries;
  deps.events.recordOnce(instance, `${first?.uid ?? ''} ${held}`, {
    type: 'Warning',
    reason: 'QueueHeld',
    message: held,
  });
}
