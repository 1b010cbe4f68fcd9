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

/**
 * Why the plan may not start although the table allows it: a precondition does not hold, or the confirmation is missing. Asked also for
 * a start that a client wrote as our webhook does, or that KUDO's webhook let pass, which asks for no confirmation.
 */
export function startRefusal(
  start: GatedStart,
  judge: JudgeStart | undefined,
): { readonly rule: 'precondition' | 'confirm'; readonly message: string } | undefined {
  const { plan, instance, operatorVersion } = start;
  const prefix = `failed to update Instance ${instance.metadata.namespace ?? ''}/${instance.metadata.name ?? ''}: `;
  const problem = judge?.(start);
  if (problem !== undefined) return { rule: 'precondition', message: `${prefix}${problem}` };
  if (!isDestructive(operatorVersion, plan) || isConfirmed(instance, plan)) return undefined;
  return { rule: 'confirm', message: `${prefix}${confirmationRefusal(instance, plan, operatorVersion)}` };
}
