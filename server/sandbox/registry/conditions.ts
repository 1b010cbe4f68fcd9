import { rfc3339 } from '@/lib/clock/rfc3339';
import { type JsonValue, stringAt } from '@/lib/json/json';

/** Sets one condition of a pod; its time changes only with its status. */
export function withPodCondition(
  conditions: readonly JsonValue[],
  condition: { readonly type: string; readonly status: string },
  nowMs: number,
): JsonValue[] {
  const at = conditions.findIndex((each) => stringAt(each, 'type') === condition.type);
  const before = conditions[at];
  if (stringAt(before, 'status') === condition.status) return [...conditions];
  const next = { lastProbeTime: null, lastTransitionTime: rfc3339(nowMs), ...condition };
  return at < 0 ? [...conditions, next] : conditions.map((each, index) => (index === at ? next : each));
}
