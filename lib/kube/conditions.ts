import { arrayAt, stringAt } from '@/lib/json/json';

/** One entry of `status.conditions` of any kind, as far as it was readable. */
export interface ConditionView {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The conditions of an object, in their order. */
export function conditionsOf(object: unknown): ConditionView[] {
  return arrayAt(object, 'status', 'conditions').map((condition) => ({
    type: stringAt(condition, 'type') ?? '',
    status: stringAt(condition, 'status') ?? '',
    reason: stringAt(condition, 'reason') ?? '',
    message: stringAt(condition, 'message') ?? '',
  }));
}

/** The condition of that type, if there is one. */
export function conditionByType(object: unknown, type: string): ConditionView | undefined {
  return conditionsOf(object).find((condition) => condition.type === type);
}

/** True when the condition is there and `True`. */
export function hasCondition(object: unknown, type: string): boolean {
  return conditionByType(object, type)?.status === 'True';
}
