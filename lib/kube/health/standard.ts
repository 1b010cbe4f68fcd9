import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import { type ConditionView, conditionsOf } from '@/lib/kube/conditions';
import type { KubeObject } from '@/lib/kube/object';
import { failed, HEALTHY, type Health, progressing, unknown } from './verdict';

/** Conditions that must be True when they are there (sig-architecture API conventions; kstatus). */
const GOOD = ['Ready', 'Available', 'Established', 'Healthy'] as const;

/**
 * The health of a kind that we do not know: by `observedGeneration` (its own, or a condition's) and the standard conditions
 * (kstatus). Without either it is healthy, as in KUDO.
 */
export function customHealth(object: KubeObject): Health {
  const generation = object.metadata.generation ?? 0;
  if ((numberAt(object.status, 'observedGeneration') ?? generation) < generation) return UNSEEN;
  const conditions = conditionsOf(object);
  const stalled = conditions.find(({ type, status }) => type === 'Stalled' && status === 'True');
  if (stalled !== undefined) return failed(textOf(stalled));
  const reconciling = conditions.find(({ type, status }) => type === 'Reconciling' && status === 'True');
  if (reconciling !== undefined) return progressing(textOf(reconciling));
  for (const type of GOOD) {
    const condition = conditions.find((candidate) => candidate.type === type);
    if (condition === undefined) continue;
    if (isOutdated(object, type)) return UNSEEN;
    if (condition.status === 'True') continue;
    return condition.status === 'False' ? progressing(textOf(condition)) : unknown(textOf(condition));
  }
  return HEALTHY;
}

const UNSEEN = progressing('its latest change has not been observed yet');

/** True for a condition that speaks of an older generation (Kubernetes meta/v1 Condition). */
function isOutdated(object: KubeObject, type: string): boolean {
  const condition = arrayAt(object, 'status', 'conditions').find((each) => stringAt(each, 'type') === type);
  const observed = numberAt(condition, 'observedGeneration');
  return observed !== undefined && observed < (object.metadata.generation ?? 0);
}

function textOf({ type, status, reason, message }: ConditionView): string {
  const detail = message !== '' ? message : reason;
  return detail === '' ? `${type} is ${status}` : `${type} is ${status}: ${detail}`;
}
