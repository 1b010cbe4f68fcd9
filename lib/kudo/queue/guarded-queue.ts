import { parseTime } from '@/lib/clock/clock';
import { derivedUid } from '@/lib/kudo/schedules/slot-uid';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance } from '@/lib/kudo/types';
import { isProven, provenEntry } from './queue-proof';
import { type QueueEntry, runQueueOf, withRunQueue } from './run-queue';

const FRESH_MS = 60_000;

export interface QueueWriter {
  readonly by?: string | undefined;
  /** RFC 3339. */
  readonly at: string;
  readonly newUid: string;
  readonly fingerprints: Fingerprinter;
  /** True for a manifest that knows nothing of the annotations of the Instance: it does not empty the queue. */
  readonly isBare: boolean;
}

/**
 * What was sent, with a queue that says nothing but what a person may say: entries of the stored one in any order, without some, and plans
 * that this person asks for with this write. The same object when it says no more than that.
 */
export function withGuardedQueue(stored: Instance, sent: Instance, writer: QueueWriter): Instance {
  const before = runQueueOf(stored);
  if (writer.isBare) return withRunQueue(sent, before);
  const { entries, edit = before.edit } = runQueueOf(sent);
  const isStored = ({ uid, plan }: QueueEntry) =>
    before.entries.some((entry) => entry.uid === uid && entry.plan === plan);
  const isKnown = (entry: QueueEntry) =>
    isProven(entry, stored, writer.fingerprints) && (isStored(entry) || isFresh(entry, writer.at));
  const guarded = entries.map((entry) => (isKnown(entry) ? entry : ownEntry(entry, stored, writer)));
  return withRunQueue(sent, { entries: guarded, ...(edit === undefined ? {} : { edit }) });
}

/** True for an entry that the controller has just made, for an edit that no webhook has seen. An older one was on the queue before. */
function isFresh({ at }: QueueEntry, now: string): boolean {
  const ageMs = (parseTime(now) ?? 0) - (parseTime(at) ?? 0);
  return Math.abs(ageMs) <= FRESH_MS;
}

/** Of what a person wrote, only the plan and the reason are believed. */
function ownEntry({ plan, reason }: QueueEntry, stored: Instance, writer: QueueWriter): QueueEntry {
  const { by = '', at, newUid, fingerprints } = writer;
  const uid = derivedUid(`run of ${plan}`, newUid);
  const entry: QueueEntry = {
    plan,
    uid,
    cause: 'Manual',
    at,
    ...(by === '' ? {} : { by }),
    ...(reason === undefined ? {} : { reason }),
  };
  return provenEntry(entry, stored, fingerprints);
}
