import type { Condition, Instance } from '@/lib/kudo/types';

/** Conditions of an Instance beside `Ready`; each exists only while it is True. KUDO's clients ignore them. */
export type ExtraConditionType = 'Stalled' | 'ChangePending' | 'GuessableSecret';

export interface ExtraCondition {
  readonly reason: string;
  readonly message: string;
}

/**
 * The conditions with that one True, or without it. Returns the same array when nothing changes (no write is due).
 * `now` is RFC 3339.
 */
export function withExtraCondition(
  conditions: readonly Condition[] | undefined,
  type: ExtraConditionType,
  wanted: ExtraCondition | undefined,
  now: string,
): readonly Condition[] | undefined {
  const existing = conditions?.find((condition) => condition.type === type);
  if (wanted === undefined) {
    return existing === undefined ? conditions : conditions?.filter((condition) => condition.type !== type);
  }
  const { reason, message } = wanted;
  if (existing?.status === 'True' && existing.reason === reason && existing.message === message) return conditions;
  const lastTransitionTime = existing?.status === 'True' ? existing.lastTransitionTime : now;
  const next: Condition = { type, status: 'True', reason, message, lastTransitionTime };
  return [...(conditions ?? []).filter((condition) => condition.type !== type), next];
}

/** The condition of that type while it is True. */
export function extraConditionOf(instance: Instance, type: ExtraConditionType): Condition | undefined {
  return instance.status?.conditions?.find((condition) => condition.type === type && condition.status === 'True');
}

/**
 * Why the scheduled plan is stalled; undefined while it makes progress. An edit or another plan may replace a stalled plan. A
 * condition of another execution does not count.
 */
export function stallOf(instance: Instance): Condition | undefined {
  const { planName = '', uid = '' } = instance.spec?.planExecution ?? {};
  const status = instance.status?.planStatus?.[planName];
  return planName !== '' && uid !== '' && status?.uid === uid ? extraConditionOf(instance, 'Stalled') : undefined;
}
