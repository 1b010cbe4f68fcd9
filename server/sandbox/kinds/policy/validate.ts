import type { JsonObject } from '@/lib/json/json';
import { invalid, notSupported } from '@/lib/schema/field-error';
import { asInternal, objectOf, textOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
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
