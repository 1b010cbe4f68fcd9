import { sourceHold } from '@/lib/kudo/sources/source-check';
import { NO_READS } from '@/lib/kudo/sources/source-values';
import type { NextAction, NextActionInput } from './next-action-types';
import type { Scheduled } from './scheduled';

/**
 * What to do instead of starting a plan with what the sources of parameters hold now; undefined when it can start. A plan that is
 * `scheduled` already stays so and waits, also for another value; an edit that would start one is refused for a bad value.
 */
export function heldAction(
  { instance, operatorVersion, reads = NO_READS }: NextActionInput,
  scheduled: Scheduled | undefined,
): NextAction | undefined {
  const hold = sourceHold(instance, operatorVersion, reads);
  if (hold === undefined) return undefined;
  const { kind, message } = hold;
  if (kind === 'waits') return { do: 'blocked', reason: 'DependencyMissing', message };
  return scheduled === undefined ? { do: 'refuse', message } : { do: 'blocked', reason: 'ChangeRefused', message };
}
