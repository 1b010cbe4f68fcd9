import type { JsonObject } from '@/lib/json/json';
import { invalid, notSupported, required } from '@/lib/schema/field-error';
import { numberOf, objectOf, objectsOf, textOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkTarget } from './check-target';
import { validateMetrics } from './validate-metrics';

const MAX_WINDOW_SECONDS = 3600;
const MAX_PERIOD_SECONDS = 1800;
const SELECT_POLICIES = ['Disabled', 'Max', 'Min'];

/** A HorizontalPodAutoscaler of either version (Kubernetes pkg/apis/autoscaling/validation). */
export function validateAutoscaler(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  const least = numberOf(spec, 'minReplicas');
  const most = numberOf(spec, 'maxReplicas') ?? 0;
  if (least !== undefined && least < 1) {
    faults.push(invalid('spec.minReplicas', least, 'must be greater than or equal to 1'));
  }
  if (most < 1) faults.push(invalid('spec.maxReplicas', most, 'must be greater than 0'));
  if (least !== undefined && most < least) {
    faults.push(invalid('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`'));
  }
  checkTarget(objectOf(spec, 'scaleTargetRef') ?? {}, 'spec.scaleTargetRef', faults);
  validateMetrics(spec, faults);
  const behavior = objectOf(spec, 'behavior');
  for (const key of ['scaleUp', 'scaleDown']) {
    const rules = objectOf(behavior, key);
    if (rules !== undefined) validateScaling(rules, `spec.behavior.${key}`, faults);
  }
}

function validateScaling(rules: JsonObject, path: string, faults: Faults): void {
  const seconds = numberOf(rules, 'stabilizationWindowSeconds') ?? 0;
  const field = `${path}.stabilizationWindowSeconds`;
  if (seconds < 0) faults.push(invalid(field, seconds, 'must be greater than or equal to zero'));
  if (seconds > MAX_WINDOW_SECONDS) {
    faults.push(invalid(field, seconds, `must be less than or equal to ${MAX_WINDOW_SECONDS}`));
  }
  const select = rules.selectPolicy;
  if (typeof select === 'string' && !SELECT_POLICIES.includes(select)) {
    faults.push(notSupported(`${path}.selectPolicy`, select, SELECT_POLICIES));
  }
  const policies = objectsOf(rules, 'policies');
  if (policies.length === 0) faults.push(required(`${path}.policies`, 'must specify at least one Policy'));
  for (const [index, policy] of policies.entries()) validatePolicy(policy, `${path}.policies[${index}]`, faults);
}

function validatePolicy(policy: JsonObject, path: string, faults: Faults): void {
  const type = textOf(policy, 'type');
  if (type !== 'Pods' && type !== 'Percent') faults.push(notSupported(`${path}.type`, type, ['Percent', 'Pods']));
  for (const key of ['value', 'periodSeconds']) {
    const amount = numberOf(policy, key) ?? 0;
    if (amount <= 0) faults.push(invalid(`${path}.${key}`, amount, 'must be greater than zero'));
  }
  const period = numberOf(policy, 'periodSeconds') ?? 0;
  if (period > MAX_PERIOD_SECONDS) {
    faults.push(invalid(`${path}.periodSeconds`, period, `must be less than or equal to ${MAX_PERIOD_SECONDS}`));
  }
}
