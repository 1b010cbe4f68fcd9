import { LOCK_ANNOTATION, lockText, readLock, withoutLockBreak } from '@/lib/kudo/lock/instance-lock';
import { provenLock, withoutFalseAuthor } from '@/lib/kudo/lock/lock-proof';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance } from '@/lib/kudo/types';
import type { AdmissionDecision } from './admission-decision';

export interface LockWrite {
  readonly stored?: Instance | undefined;
  readonly sent: Instance;
  /** Who sends it, as the API server says. */
  readonly by?: string | undefined;
  /** RFC 3339. */
  readonly now: string;
  readonly fingerprints: Fingerprinter;
}

/**
 * The decision with the lock as it is stored: who locks an Instance is who sends the lock, whatever the text says. A lock that is sent
 * again as it was keeps its author. A new one takes off a reason to break the lock that was there before.
 */
export function withLockAuthor(decision: AdmissionDecision, write: LockWrite): AdmissionDecision {
  const { stored, sent, by, now, fingerprints } = write;
  const [text, before] = [sent, stored].map((instance) => instance?.metadata.annotations?.[LOCK_ANNOTATION]);
  const isRefused = decision.outcome === 'denied' || decision.outcome === 'error';
  if (text === undefined || text === before || isRefused) return decision;
  const lock = readLock(text);
  if ('problem' in lock) {
    const message = `the annotation ${LOCK_ANNOTATION} ${lock.problem}`;
    return { outcome: 'denied', code: 403, rule: 'lock', message };
  }
  const known = before === undefined ? undefined : readLock(before);
  const isSame =
    known !== undefined && !('problem' in known) && known.reason === lock.reason && known.until === lock.until;
  const { reason, until } = lock;
  const author = { since: now, ...(by === undefined || by === '' ? {} : { by }) };
  const wanted =
    isSame && before !== undefined
      ? withoutFalseAuthor(sent, before, fingerprints)
      : lockText(provenLock(sent, { reason, until, ...author }, fingerprints));
  const instance = decision.instance ?? sent;
  const kept = isSame || decision.plan !== undefined ? instance : withoutLockBreak(instance);
  if (wanted === text && kept === instance) return decision;
  const annotations = { ...kept.metadata.annotations, [LOCK_ANNOTATION]: wanted };
  const locked = { ...kept, metadata: { ...kept.metadata, annotations } };
  return { ...decision, outcome: 'allowed-with', instance: locked };
}
