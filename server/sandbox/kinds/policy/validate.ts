import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { invalid, notSupported, required } from '@/lib/schema/field-error';
import { asInternal, numberOf, objectOf, textOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkAtMostAll, checkIntOrPercent } from '../validation/numbers';
import { checkLabelSelector } from '../validation/selectors';

/** A PodDisruptionBudget (Kubernetes pkg/apis/policy/validation). */
export function validateBudget(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    const text = 'minAvailable and maxUnavailable cannot be both set';
    faults.push(invalid('spec', asInternal(spec), text));
  }
  for (const key of ['minAvailable', 'maxUnavailable']) {
    checkIntOrPercent(spec[key], `spec.${key}`, faults);
    checkAtMostAll(spec[key], `spec.${key}`, faults);
  }
  checkLabelSelector(objectOf(spec, 'selector'), 'spec.selector', faults);
  const policies = ['AlwaysAllow', 'IfHealthyBudget'];
  const policy = textOf(spec, 'unhealthyPodEvictionPolicy');
  if (policy !== '' && !policies.includes(policy)) {
    faults.push(notSupported('spec.unhealthyPodEvictionPolicy', policy, policies));
  }
}

/** A HorizontalPodAutoscaler (pkg/apis/autoscaling/validation). */
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
  const target = objectOf(spec, 'scaleTargetRef') ?? {};
  for (const key of ['kind', 'name']) {
    if (textOf(target, key) === '') faults.push(required(`spec.scaleTargetRef.${key}`));
  }
}

export function validateSpecFixed(object: JsonObject, old: JsonObject, faults: Faults): void {
  if (!jsonEqual(object.spec, old.spec))
    faults.push(invalid('spec', asInternal(object.spec ?? {}), 'field is immutable'));
}
