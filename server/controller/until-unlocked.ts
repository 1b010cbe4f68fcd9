import { lockEndMs, lockInForce } from '@/lib/kudo/lock/instance-lock';
import type { Instance } from '@/lib/kudo/types';
import type { Outcome } from './outcome';
import type { ReconcilerDeps } from './reconciler-deps';

/** The outcome for an Instance on which a start waits: no later than the end of its lock, when it has one. */
export function untilUnlocked({ clock }: ReconcilerDeps, instance: Instance, outcome: Outcome): Outcome {
  const nowMs = clock.now();
  const lock = lockInForce(instance, nowMs);
  if (lock === undefined) return outcome;
  const afterMs = lockEndMs(lock) - nowMs;
  return { next: 'later', afterMs: outcome.next === 'later' ? Math.min(outcome.afterMs, afterMs) : afterMs };
}
