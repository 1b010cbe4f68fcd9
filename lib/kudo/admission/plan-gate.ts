import { lockedStart } from '@/lib/kudo/lock/instance-lock';
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

/** What a start is judged by beside the Instance that would be stored. */
export interface GateFacts {
  /** Preconditions are not judged when absent. */
  readonly judge?: JudgeStart | undefined;
  /** Whether who asks may start a destructive plan; not judged when absent. */
  readonly judgeAuthor?: JudgeStart | undefined;
  /** Wall time, ms. Locks are not judged when absent. */
  readonly nowMs?: number | undefined;
  /** As it is stored: its lock counts even when the write takes it off. */
  readonly stored?: Instance | undefined;
}

/**
 * Why the plan may not start although the table allows it: the Instance is locked, who asks may not start a destructive plan, a precondition does not hold, or the confirmation is missing. Asked also for
 * a start that a client wrote as our webhook does, or that KUDO's webhook let pass, which asks for no confirmation.
 */
export function startRefusal(
  start: GatedStart,
  { judge, judgeAuthor, nowMs, stored }: GateFacts,
): { readonly rule: 'lock' | 'author' | 'precondition' | 'confirm'; readonly message: string } | undefined {
  const { plan, instance, operatorVersion } = start;
  const prefix = `failed to update Instance ${instance.metadata.namespace ?? ''}/${instance.metadata.name ?? ''}: `;
  const locked = nowMs === undefined ? undefined : lockedStart(instance, stored, nowMs);
  if (locked !== undefined) return { rule: 'lock', message: locked };
  const unauthorized = isDestructive(operatorVersion, plan) ? judgeAuthor?.(start) : undefined;
  if (unauthorized !== undefined) return { rule: 'author', message: `${prefix}${unauthorized}` };
  const problem = judge?.(start);
  if (problem !== undefined) return { rule: 'precondition', message: `${prefix}${problem}` };
  if (!isDestructive(operatorVersion, plan) || isConfirmed(instance, plan)) return undefined;
  return { rule: 'confirm', message: `${prefix}${confirmationRefusal(instance, plan, operatorVersion)}` };
}
