import { hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import { shortToken } from '@/lib/kudo/runs/preview-token';
import { requestOf, withoutRequest } from '@/lib/kudo/runs/run-request';
import { derivedUid } from '@/lib/kudo/schedules/slot-uid';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance } from '@/lib/kudo/types';
import { inputsDigest, isProven, provenEntry } from './queue-proof';
import { type QueueEntry, type RunQueue, runQueueOf, withRunQueue } from './run-queue';

/** A plan that a write asks for and that has to wait. */
export interface QueuedPlan {
  readonly plan: string;
  /** It is destructive, and the write confirms it. */
  readonly confirmed?: true;
  /** The PlanApproval that the write names, when the plan needs one. */
  readonly approval?: string;
}

export interface Enqueue {
  /** In the order in which they are to start. */
  readonly plans: readonly QueuedPlan[];
  /** The plan that the same write starts, with all values; undefined when another one runs. */
  readonly started?: string;
  /** True when the plan itself was asked for, not an edit. */
  readonly isAsked: boolean;
  readonly by?: string | undefined;
  /** RFC 3339. */
  readonly at: string;
  /** A UUID that nothing has yet; the uids of the runs come from it. */
  readonly newUid: string;
  readonly fingerprints: Fingerprinter;
}

/**
 * The Instance, as it is to be stored, with these runs at the end of its queue. A plan that waits already keeps its place, and gets the approval that was
 * given since. The start of a plan
 * takes its entry off, by whatever it was started, and acts upon every edit that waits. An edit that was taken back takes its plans with it.
 *
 * @param instance with a value for each source
 */
export function enqueue(instance: Instance, write: Enqueue): Instance {
  const queue = runQueueOf(instance);
  const { started, plans } = write;
  const isUnseen = started === undefined && hasUnseenChange(instance, write.fingerprints);
  const isBack = started === undefined && !isUnseen;
  const gone = isBack ? (queue.edit?.plans ?? []) : [];
  const kept = queue.entries.filter(({ plan }) => plan !== started && !gone.includes(plan));
  const first = started ?? plans[0]?.plan;
  const approved = kept.map((entry) => withNewApproval(entry, instance, write));
  const added = plans
    .filter(({ plan }) => kept.every((entry) => entry.plan !== plan))
    .map((each) => entryOf(instance, each, first, write));
  const said = started === undefined ? plans : [];
  const settled = said.reduce((next, { plan }) => withoutRequest(next, plan), instance);
  const next = { entries: [...approved, ...added], ...editAfter(instance, queue, isUnseen, { added, write }) };
  return withRunQueue(settled, next);
}

function editAfter(
  instance: Instance,
  { edit }: RunQueue,
  isUnseen: boolean,
  { added, write }: { readonly added: readonly QueueEntry[]; readonly write: Enqueue },
): Pick<RunQueue, 'edit'> {
  if (write.started !== undefined) return {};
  const inputs = inputsDigest(instance, write.fingerprints);
  if (!isUnseen) return edit === undefined ? {} : { edit: { inputs, plans: [] } };
  // Values that were sent with the start of a plan wait with it.
  const asked = write.isAsked && edit?.inputs === inputs ? [] : write.plans.map(({ plan }) => plan);
  const own = new Set([...(edit?.plans ?? []), ...asked.filter((plan) => added.some((entry) => entry.plan === plan))]);
  const shared = [...(edit?.shared ?? []), ...asked].filter((plan) => !own.has(plan));
  return { edit: { inputs, plans: [...own], ...(shared.length === 0 ? {} : { shared: [...new Set(shared)] }) } };
}

function withNewApproval(entry: QueueEntry, instance: Instance, { plans, fingerprints }: Enqueue): QueueEntry {
  const approval = plans.find(({ plan }) => plan === entry.plan)?.approval;
  if (approval === undefined || !isProven(entry, instance, fingerprints)) return entry;
  return provenEntry({ ...entry, approval }, instance, fingerprints);
}

function entryOf(
  instance: Instance,
  { plan, confirmed, approval }: QueuedPlan,
  first: string | undefined,
  { isAsked, started, by = '', at, newUid, fingerprints }: Enqueue,
): QueueEntry {
  const request = requestOf(instance, first ?? plan);
  const { reason, stopAfter, retryOf, undoOf } = request ?? {};
  // A preview shows the first plan alone.
  const preview = plan === first && started === undefined ? shortToken(request?.preview ?? '') : undefined;
  const entry: QueueEntry = {
    plan,
    uid: derivedUid(`run of ${plan}`, newUid),
    cause: !isAsked ? 'Parameters' : retryOf === undefined ? 'Manual' : 'Retry',
    at,
    ...(by === '' ? {} : { by }),
    ...(reason === undefined ? {} : { reason }),
    ...(stopAfter === undefined || !isAsked ? {} : { stopAfter }),
    ...(retryOf === undefined || !isAsked ? {} : { retryOf }),
    ...(undoOf === undefined ? {} : { undoOf }),
    ...(preview === undefined ? {} : { preview }),
    ...(approval === undefined ? {} : { approval }),
    ...(confirmed === undefined ? {} : { confirmed }),
  };
  return provenEntry(entry, instance, fingerprints);
}
