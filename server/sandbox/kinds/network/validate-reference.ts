import type { JsonObject } from '@/lib/json/json';
import { dnsLabelProblems, pathSegmentProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import { objectOf, textOf } from '../access';
import type { Faults } from '../kind-rules';

/** An object of any kind that is named in an Ingress or a class (validateIngressTypedLocalObjectReference). */
export function validateReference(reference: JsonObject | undefined, path: string, faults: Faults): void {
  if (reference === undefined) return;
  const group = reference.apiGroup;
  if (typeof group === 'string') {
    for (const problem of subdomainProblems(group)) faults.push(invalid(`${path}.apiGroup`, group, problem));
  }
  for (const key of ['kind', 'name']) {
    const value = textOf(reference, key);
    if (value === '') faults.push(required(`${path}.${key}`, `${key} is required`));
    for (const problem of pathSegmentProblems(value)) faults.push(invalid(`${path}.${key}`, value, problem));
  }
}

/** The parameters of an IngressClass, which may stand in a namespace (validateIngressClassParametersReference). */
export function validateClassParameters(spec: JsonObject | undefined, faults: Faults): void {
  const parameters = objectOf(spec, 'parameters');
  const path = 'spec.parameters';
  validateReference(parameters, path, faults);
  if (parameters === undefined) return;
  const scope = textOf(parameters, 'scope');
  const namespace = parameters.namespace;
  if (scope !== 'Cluster' && scope !== 'Namespace') {
    faults.push(notSupported(`${path}.scope`, scope, ['Cluster', 'Namespace']));
  }
  if (scope === 'Namespace') {
    if (typeof namespace !== 'string' || namespace === '') {
      faults.push(required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"));
    } else {
      for (const problem of dnsLabelProblems(namespace)) faults.push(invalid(`${path}.namespace`, namespace, problem));
    }
  } else if (scope === 'Cluster' && namespace !== undefined) {
    faults.push(forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  }
}
