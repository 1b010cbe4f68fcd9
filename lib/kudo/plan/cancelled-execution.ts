import { WAY_OUT } from '@/lib/kudo/admission/decision-table';
import { hasPlan } from '@/lib/kudo/names';
import { executionUnderWay } from './execution-under-way';
import type { NextAction, NextActionInput } from './next-action-types';

/**
 * A running plan whose `planExecution` somebody emptied (`kubectl replace` of a manifest without it does) goes on, as with a
 * webhook, which denies that (ADM-16). Undefined when nothing was running.
 */
export function cancelledExecution({
  instance,
  operatorVersion,
  actedUponVersion,
}: NextActionInput): NextAction | undefined {
  const scheduled = executionUnderWay(instance);
  if (scheduled === undefined || !hasPlan(actedUponVersion ?? operatorVersion, scheduled.plan)) return undefined;
  if (instance.status?.planStatus?.[scheduled.plan]?.uid !== scheduled.uid) return undefined;
  const { namespace = '', name = '' } = instance.metadata;
  const message = `failed to update Instance ${namespace}/${name}: plan "${scheduled.plan}" is scheduled or running and cannot be cancelled${WAY_OUT}`;
  return { do: 'restore', scheduled, message };
}
