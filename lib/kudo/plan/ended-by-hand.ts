import type { Instance } from '@/lib/kudo/types';
import { actedUpon } from './acted-upon-record';
import type { NextAction } from './next-action-types';
import { isTerminal } from './status';

/** The webhook emptied `planExecution` because a person wrote its end (T-09); the plan's status does not show it yet. */
export function endedByHand(instance: Instance): NextAction | undefined {
  const { plan, uid, ended } = actedUpon(instance) ?? {};
  if (plan === undefined || uid === undefined || ended === undefined) return undefined;
  const status = instance.status?.planStatus?.[plan];
  if (status?.uid === uid && isTerminal(status.status)) return undefined;
  return { do: 'abandon', scheduled: { plan, uid }, status: ended };
}
