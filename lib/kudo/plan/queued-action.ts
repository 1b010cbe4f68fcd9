import { withoutConfirmation } from '@/lib/kudo/plan-metadata/confirmation';
import { isProven } from '@/lib/kudo/queue/queue-proof';
import { queuedStart } from '@/lib/kudo/queue/queued-start';
import { runQueueOf } from '@/lib/kudo/queue/run-queue';
import type { Instance } from '@/lib/kudo/types';
import type { NextAction, NextActionInput } from './next-action-types';
import { takenOver } from './taken-over';

/** The start of the run that waits first, while no plan runs; undefined when nothing waits. */
export function queuedAction(input: NextActionInput, isEditWaiting: boolean): NextAction | undefined {
  if (!isEditWaiting && isTakenBack(input.instance)) return tidied(input.instance);
  const start = queuedStart(input, isEditWaiting);
  if (start === undefined) return undefined;
  const { entry, held } = start;
  if (entry === undefined) return { do: 'rest', held: held ?? '' };
  const { instance, operatorVersion, fingerprints, newUid } = input;
  const { plan, uid } = entry;
  // What a person wrote has no uid of its own, and one that was used is another run.
  const isOwn = isProven(entry, instance, fingerprints) && instance.status?.planStatus?.[plan]?.uid !== uid;
  const begun = withoutConfirmation(takenOver(operatorVersion, instance), plan);
  return { do: 'start', scheduled: { plan, uid: isOwn ? uid : newUid }, instance: begun, warnings: [], entry };
}

/** True when entries wait for the sake of an edit that is no edit any more. Asked only when the values are those that were acted upon. */
export function isTakenBack(instance: Instance): boolean {
  const { edit, entries } = runQueueOf(instance);
  return edit !== undefined && entries.some(({ plan }) => edit.plans.includes(plan));
}

/** Removes what waits for an edit that was taken back. */
export function tidied(instance: Instance): NextAction {
  return { do: 'enqueue', instance, plans: [], isAsked: false };
}
