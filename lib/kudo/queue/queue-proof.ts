import { operatorVersionKey } from '@/lib/kudo/names';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import { sourceTexts } from '@/lib/kudo/sources/parameter-source';
import type { Instance } from '@/lib/kudo/types';
import { type QueueEntry, runQueueOf } from './run-queue';

/** The entry with a proof that only a holder of the key can make, for this Instance and no other. */
export function provenEntry(entry: QueueEntry, instance: Instance, fingerprints: Fingerprinter): QueueEntry {
  return { ...entry, proof: proofOf(entry, instance, fingerprints) };
}

/** True for an entry that admission or the controller wrote, and nobody has changed since: who and why are true. */
export function isProven(entry: QueueEntry, instance: Instance, fingerprints: Fingerprinter): boolean {
  return entry.proof === proofOf(entry, instance, fingerprints);
}

function proofOf(entry: QueueEntry, { metadata }: Instance, fingerprints: Fingerprinter): string {
  const {
    plan,
    uid,
    cause,
    at,
    by = '',
    reason = '',
    stopAfter = '',
    retryOf = '',
    undoOf = '',
    preview = '',
    approval = '',
    confirmed = false,
  } = entry;
  const gates = [preview, approval, confirmed];
  const said = [metadata.uid ?? '', plan, uid, cause, at, by, reason, stopAfter, retryOf, undoOf, ...gates];
  return fingerprints.signatureOf(`queued run ${JSON.stringify(said)}`);
}

/** A fingerprint of what an edit of this Instance comes to: version, values and their places. */
export function inputsDigest(instance: Instance, fingerprints: Fingerprinter): string {
  const { name, namespace } = operatorVersionKey(instance);
  const values = Object.entries(instance.spec?.parameters ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const sources = Object.entries(sourceTexts(instance.spec)).sort(([a], [b]) => (a < b ? -1 : 1));
  return fingerprints.of(`inputs ${JSON.stringify([namespace, name, values, sources])}`);
}

/** True when the values of the Instance, as they are, were decided about: what they start is in the queue, or was taken off it. */
export function isEditDecided(instance: Instance, fingerprints: Fingerprinter): boolean {
  const { edit } = runQueueOf(instance);
  return edit !== undefined && edit.inputs === inputsDigest(instance, fingerprints);
}
