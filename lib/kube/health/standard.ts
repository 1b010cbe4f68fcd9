import { numberAt } from '@/lib/json/json';
import { type ConditionView, conditionsOf } from '@/lib/kube/conditions';
import type { KubeObject } from '@/lib/kube/object';
import { failed, HEALTHY, type Health, progressing } from './verdict';

/** Conditions that must be True when they are there (sig-architecture API conventions; kstatus). */
const GOOD = ['Ready', 'Available', 'Established', 'Healthy'] as const;

/**
 * The health of a kind that we do not know: by `observedGeneration` and the standard conditions. Without either it is
 * healthy, as in KUDO.
 */
export function customHealth(object: KubeObject): Health {
  const observed = numberAt(object.status, 'observedGeneration');
  if (observed !== undefined && observed < (object.metadata.generation ?? 0)) {
    return progressing('its latest change has not been looked at yet');
  }
  const conditions = conditionsOf(object);
  const stalled = conditions.find(({ type, status }) => type === 'Stalled' && status === 'True');
  if (stalled !== undefined) return failed(textOf(stalled));
  const reconciling = conditions.find(({ type, status }) => type === 'Reconciling' && status === 'True');
  if (reconciling !== undefined) return progressing(textOf(reconciling));
  for (const type of GOOD) {
    const condition = conditions.find((candidate) => candidate.type === type);
    if (condition !== undefined && condition.status !== 'True') return progressing(textOf(condition));
  }
  return HEALTHY;
}

function textOf({ type, status, reason, message }: ConditionView): string {
  const detail = message !== '' ? message : reason;
  return detail === '' ? `${type} is ${status}` : `${type} is ${status}: ${detail}`;
}
