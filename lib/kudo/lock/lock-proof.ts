import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance } from '@/lib/kudo/types';
import { type InstanceLock, LOCK_ANNOTATION, lockText, readLock } from './instance-lock';

type Named = Pick<Instance, 'metadata'>;

/** The lock with the proof that admission wrote who and since when. */
export function provenLock(instance: Named, lock: InstanceLock, fingerprints: Fingerprinter): InstanceLock {
  return { ...lock, proof: proofOf(instance, lock, fingerprints) };
}

/**
 * The text of the annotation without an author that a person made up; the same text when the author is proven, or there is none. Where no webhook
 * answers, anybody may write any name there.
 */
export function withoutFalseAuthor(instance: Named, text: string, fingerprints: Fingerprinter): string {
  const lock = readLock(text);
  if ('problem' in lock) return text;
  const { reason, until, by, since, proof } = lock;
  const isBare = by === undefined && since === undefined && proof === undefined;
  return isBare || proof === proofOf(instance, lock, fingerprints) ? text : lockText({ reason, until });
}

/** The annotation of the Instance as it should be; undefined when it is so already. */
export function correctedLock(instance: Instance, fingerprints: Fingerprinter): string | undefined {
  const text = instance.metadata.annotations?.[LOCK_ANNOTATION];
  const corrected = text === undefined ? undefined : withoutFalseAuthor(instance, text, fingerprints);
  return corrected === text ? undefined : corrected;
}

function proofOf({ metadata }: Named, { reason, until, by, since }: InstanceLock, fingerprints: Fingerprinter): string {
  const { namespace = '', name = '' } = metadata;
  return fingerprints.signatureOf(JSON.stringify(['lock', namespace, name, reason, until, by ?? '', since ?? '']));
}
