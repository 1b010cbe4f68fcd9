import type { JsonObject } from '@/lib/json/json';
import { invalid, notSupported } from '@/lib/schema/field-error';
import { objectsOf, textOf } from '../base/access';
import type { Faults } from '../base/kind-rules';

/** The tolerations of a pod, or of what brings them in (Kubernetes pkg/apis/core/validation ValidateTolerations). */
export function validateTolerations(owner: JsonObject, path: string, faults: Faults): void {
  for (const [index, toleration] of objectsOf(owner, 'tolerations').entries()) {
    const field = `${path}.tolerations[${index}]`;
    const operator = textOf(toleration, 'operator');
    const value = textOf(toleration, 'value');
    const effect = textOf(toleration, 'effect');
    const key = textOf(toleration, 'key');
    if (key === '' && operator !== 'Exists') {
      const text = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      faults.push(invalid(`${field}.operator`, operator, text));
    }
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const text = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      faults.push(invalid(`${field}.effect`, effect, text));
    }
    if (operator === 'Exists') {
      if (value !== '') {
        faults.push(invalid(`${field}.operator`, value, "value must be empty when `operator` is 'Exists'"));
      }
    } else if (operator !== '' && operator !== 'Equal') {
      faults.push(notSupported(`${field}.operator`, operator, ['Equal', 'Exists']));
    }
  }
}
