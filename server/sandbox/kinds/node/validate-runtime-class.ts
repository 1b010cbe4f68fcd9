import type { JsonObject } from '@/lib/json/json';
import { dnsLabelProblems } from '@/lib/kube/label-syntax';
import { compareQuantities } from '@/lib/kube/quantity';
import { duplicate, invalid } from '@/lib/schema/field-error';
import { objectOf, objectsOf, textOf } from '../access';
import type { Faults } from '../kind-rules';
import { validateTolerations } from '../pods/validate-tolerations';
import { checkContainerResourceName } from '../validation/resource-names';
import { checkLabels } from '../validation/selectors';

/** A RuntimeClass (Kubernetes pkg/apis/node/validation). */
export function validateRuntimeClass(object: JsonObject, faults: Faults): void {
  const handler = textOf(object, 'handler');
  for (const problem of dnsLabelProblems(handler)) faults.push(invalid('handler', handler, problem));
  for (const [name, amount] of Object.entries(objectOf(objectOf(object, 'overhead'), 'podFixed') ?? {})) {
    const field = `overhead.limits[${name}]`;
    checkContainerResourceName(name, field, faults);
    if (typeof amount === 'string' && compareQuantities(amount, '0') < 0) {
      faults.push(invalid(field, amount, 'must be greater than or equal to 0'));
    }
  }
  const scheduling = objectOf(object, 'scheduling');
  if (scheduling === undefined) return;
  checkLabels(scheduling.nodeSelector, 'scheduling.nodeSelector', faults);
  validateTolerations(scheduling, 'scheduling.tolerations', faults);
  const seen = new Set<string>();
  for (const [index, toleration] of objectsOf(scheduling, 'tolerations').entries()) {
    const identity = ['key', 'operator', 'value', 'effect'].map((key) => textOf(toleration, key)).join('\n');
    if (seen.has(identity)) faults.push(duplicate(`scheduling.tolerations[${index}]`, toleration));
    seen.add(identity);
  }
}

export function validateRuntimeClassUpdate(object: JsonObject, old: JsonObject, faults: Faults): void {
  if (object.handler !== old.handler) faults.push(invalid('handler', object.handler ?? '', 'field is immutable'));
}
