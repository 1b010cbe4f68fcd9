import { hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { isDeleting } from '@/lib/kudo/plan/scheduled';
import { failedRun } from '@/lib/kudo/queue/queued-start';
import { isForEdit, type QueueEntry, runQueueOf } from '@/lib/kudo/queue/run-queue';
import type { Instance } from '@/lib/kudo/types';
import type { Invariant } from './fact';

/**
 * I15: a run that waits leaves the queue in the write that starts its plan, in its order, and never comes back; only an edit that was taken
 * back, a deletion or a person takes it off otherwise. When an Instance is idle, nothing waits unless the last run failed.
 */
export const runQueue: Invariant = (report) => {
  const left = new Set<string>();
  const takenOff = new Set<string>();
  return (fact) => {
    if (fact.fact === 'taken-off') takenOff.add(fact.uid);
    if (fact.fact === 'change' && fact.object.kind === 'Instance' && fact.type === 'MODIFIED') {
      const [before, after] = [fact.before as Instance, fact.object as Instance];
      for (const violation of violationsOf(before, after, left, takenOff)) report(violation);
    }
    if (fact.fact !== 'rest') return;
    const instance = fact.instance as Instance;
    const [first] = runQueueOf(instance).entries;
    if (first !== undefined && failedRun(instance) === undefined) {
      report(`I15: Instance ${nameIn(instance)} is idle, and plan ${first.plan} waits (${first.uid})`);
    }
  };
};

function violationsOf(before: Instance, after: Instance, left: Set<string>, takenOff: ReadonlySet<string>): string[] {
  const [was, is] = [runQueueOf(before), runQueueOf(after)];
  const back = is.entries.filter(({ uid }) => left.has(uid)).map((entry) => `${named(after, entry)} waits again`);
  const gone = was.entries.filter(({ uid }) => is.entries.every((entry) => entry.uid !== uid));
  for (const { uid } of gone) left.add(uid);
  if (isDeleting(after)) return back;
  const started = startedBy(before, after);
  const lost = gone
    .filter(({ plan, uid }) => plan !== started?.plan && !takenOff.has(uid))
    .filter(({ plan }) => !(was.edit?.plans.includes(plan) === true && !hasUnseenChange(after)))
    .map((entry) => `${named(after, entry)} left the queue without a start`);
  return [...back, ...lost, ...outOfOrder(before, after, started)];
}

/** The entry that starts by itself is the first one, or after a failure the first one of an edit that nothing has acted upon. */
function outOfOrder(before: Instance, after: Instance, started: { readonly uid: string } | undefined): string[] {
  const { entries, edit } = runQueueOf(before);
  const found = entries.find(({ uid }) => uid === started?.uid);
  if (found === undefined || found === entries[0]) return [];
  const first = entries.find(({ plan }) => isForEdit(edit, plan));
  return found === first ? [] : [`${named(after, found)} started before its turn`];
}

function startedBy(before: Instance, after: Instance): { readonly plan: string; readonly uid: string } | undefined {
  const { plan, uid } = actedUpon(after) ?? {};
  return plan === undefined || uid === undefined || uid === actedUpon(before)?.uid ? undefined : { plan, uid };
}

function named(instance: Instance, { plan, uid }: QueueEntry): string {
  return `I15: plan ${plan} (${uid}) of Instance ${nameIn(instance)}`;
}

function nameIn({ metadata }: Instance): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
