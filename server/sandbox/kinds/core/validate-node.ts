import type { JsonObject } from '@/lib/json/json';
import { labelValueProblems, qualifiedNameProblems } from '@/lib/kube/label-syntax';
import { invalid, notSupported, required } from '@/lib/schema/field-error';
import { isCidr } from '@/lib/schema/formats';
import { objectOf, objectsOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** A node's taints, which are told below `metadata` (Kubernetes pkg/apis/core/validation ValidateNode), and networks. */
export function validateNode(object: JsonObject, faults: Faults): void {
  const seen = new Set<string>();
  for (const [index, taint] of objectsOf(objectOf(object, 'spec'), 'taints').entries()) {
    const field = `metadata.taints[${index}]`;
    const key = textOf(taint, 'key');
    const value = textOf(taint, 'value');
    const effect = textOf(taint, 'effect');
    for (const problem of qualifiedNameProblems(key)) faults.push(invalid(`${field}.key`, key, problem));
    const problems = labelValueProblems(value);
    if (problems.length > 0) faults.push(invalid(`${field}.value`, value, problems.join(';')));
    if (effect === '') faults.push(required(`${field}.effect`));
    else if (!EFFECTS.includes(effect)) faults.push(notSupported(`${field}.effect`, effect, EFFECTS));
    const identity = `${key}:${effect}`;
    if (seen.has(identity)) {
      const shown = JSON.stringify({ key, ...(value === '' ? {} : { value }), effect });
      const message = `Duplicate value: ${shown}: taints must be unique by key and effect pair`;
      faults.push({ field, type: 'FieldValueDuplicate', message });
    }
    seen.add(identity);
  }
  const networks = textsOf(objectOf(object, 'spec'), 'podCIDRs');
  for (const [index, network] of networks.entries()) {
    if (!isCidr(network)) faults.push(invalid(`spec.podCIDRs[${index}]`, networks, 'must be valid CIDR'));
  }
}
