import { LOCK_ANNOTATION } from '@/lib/kudo/lock/instance-lock';
import { correctedLock } from '@/lib/kudo/lock/lock-proof';
import type { Instance } from '@/lib/kudo/types';
import type { ReconcilerDeps } from './reconciler-deps';

/** Takes an author off a lock that no webhook has written there. Gives the Instance as it is stored then. */
export async function hideFalseAuthor(
  { store, fingerprints }: Pick<ReconcilerDeps, 'store' | 'fingerprints'>,
  instance: Instance,
): Promise<Instance> {
  const text = correctedLock(instance, fingerprints);
  return text === undefined ? instance : store.annotate(instance, { [LOCK_ANNOTATION]: text });
}
