import type { JsonObject } from '@/lib/json/json';
import { dnsLabelProblems, qualifiedNameProblems } from '@/lib/kube/label-syntax';
import { invalid, required } from '@/lib/schema/field-error';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkLabelSelector, checkNodeSelector, checkNodeSelectorTerm } from '../validation/selectors';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Where a pod wants to be (Kubernetes pkg/apis/core/validation validateAffinity). */
export function validateAffinity(affinity: JsonObject | undefined, path: string, faults: Faults): void {
  const node = objectOf(affinity, 'nodeAffinity');
  checkNodeSelector(objectOf(node, REQUIRED), `${path}.nodeAffinity.${REQUIRED}`, faults);
  for (const [index, weighted] of objectsOf(node, PREFERRED).entries()) {
    const field = `${path}.nodeAffinity.${PREFERRED}[${index}]`;
    checkWeight(weighted, field, faults);
    checkNodeSelectorTerm(objectOf(weighted, 'preference') ?? {}, `${field}.preference`, faults);
  }
  for (const name of ['podAffinity', 'podAntiAffinity']) {
    const affinities = objectOf(affinity, name);
    for (const [index, term] of objectsOf(affinities, REQUIRED).entries()) {
      validateTerm(term, `${path}.${name}.${REQUIRED}[${index}]`, faults);
    }
    for (const [index, weighted] of objectsOf(affinities, PREFERRED).entries()) {
      const field = `${path}.${name}.${PREFERRED}[${index}]`;
      checkWeight(weighted, field, faults);
      validateTerm(objectOf(weighted, 'podAffinityTerm') ?? {}, `${field}.podAffinityTerm`, faults);
    }
  }
}

function checkWeight(weighted: JsonObject, field: string, faults: Faults): void {
  const weight = numberOf(weighted, 'weight') ?? 0;
  if (weight < 1 || weight > 100) faults.push(invalid(`${field}.weight`, weight, 'must be in the range 1-100'));
}

function validateTerm(term: JsonObject, path: string, faults: Faults): void {
  checkLabelSelector(objectOf(term, 'labelSelector'), `${path}.labelSelector`, faults);
  checkLabelSelector(objectOf(term, 'namespaceSelector'), `${path}.namespaceSelector`, faults);
  for (const name of textsOf(term, 'namespaces')) {
    for (const problem of dnsLabelProblems(name)) faults.push(invalid(`${path}.namespace`, name, problem));
  }
  const key = textOf(term, 'topologyKey');
  if (key === '') faults.push(required(`${path}.topologyKey`, 'can not be empty'));
  for (const problem of qualifiedNameProblems(key)) faults.push(invalid(`${path}.topologyKey`, key, problem));
}
