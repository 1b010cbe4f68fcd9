import { confirmationRefusal, isConfirmed, isDestructive } from '@/lib/kudo/plan-metadata/confirmation';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { JudgeStart } from './admission-decision';

/** A plan that a write would start. */
export interface GatedStart {
  readonly plan: string;
  /** As it would be stored. */
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion;
}

/** Why the plan may not start although the table allows it: a precondition does not hold, or the confirmation is missing. */
export function startRefusal(
  start: GatedStart,
  judge: JudgeStart | undefined,
): { readonly rule: 'precondition' | 'confirm'; readonly message: string } | undefined {
  const problem = judge?.(start);
  if (problem !== undefined) return { rule: 'precondition', message: problem };
  const { plan, instance, operatorVersion } = start;
  if (!isDestructive(operatorVersion, plan) || isConfirmed(instance, plan)) return undefined;
  return { rule: 'confirm', message: confirmationRefusal(instance, plan, operatorVersion) };
}
