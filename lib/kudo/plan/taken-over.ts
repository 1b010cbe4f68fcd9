import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { actedUpon } from './acted-upon-record';
import { withCleanupFinalizer } from './scheduled';

/**
 * The next state of an Instance that a plan begins with: one without a record is KUDO's own; with its first record the finalizer
 * follows its version.
 */
export function takenOver(operatorVersion: OperatorVersion | undefined, next: Instance): Instance {
  return actedUpon(next) === undefined ? withCleanupFinalizer(next, operatorVersion) : next;
}
