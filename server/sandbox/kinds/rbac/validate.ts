import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { pathSegmentProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { invalid, notSupported, required } from '@/lib/schema/field-error';
import { asInternal, objectOf, objectsOf, textOf, textsOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
import { checkLabelSelector } from '../validation/selectors';

const GROUP = 'rbac.authorization.k8s.io';

/** The rules of a role (Kubernetes pkg/apis/rbac/validation ValidatePolicyRule). */
export function validateRole(object: JsonObject, faults: Faults): void {
  const isNamespaced = object.kind === 'Role';
  for (const [index, rule] of objectsOf(object, 'rules').entries()) {
    const field = `rules[${index}]`;
    if (textsOf(rule, 'verbs').length === 0)
      faults.push(required(`${field}.verbs`, 'verbs must contain at least one value'));
    const urls = textsOf(rule, 'nonResourceURLs');
    const others = ['apiGroups', 'resources', 'resourceNames'].some((key) => textsOf(rule, key).length > 0);
    if (urls.length > 0) {
      if (isNamespaced) {
        const text = 'namespaced rules cannot apply to non-resource URLs';
        faults.push(invalid(`${field}.nonResourceURLs`, urls, text));
      }
      if (others) {
        const text = 'rules cannot apply to both regular resources and non-resource URLs';
        faults.push(invalid(`${field}.nonResourceURLs`, urls, text));
      }
      continue;
    }
    if (textsOf(rule, 'apiGroups').length === 0) {
      faults.push(required(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
    }
    if (textsOf(rule, 'resources').length === 0) {
      faults.push(required(`${field}.resources`, 'resource rules must supply at least one resource'));
    }
  }
  const aggregation = objectOf(object, 'aggregationRule');
  if (aggregation === undefined) return;
  const selectors = objectsOf(aggregation, 'clusterRoleSelectors');
  const field = 'aggregationRule.clusterRoleSelectors';
  if (selectors.length === 0)
    faults.push(required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  for (const [index, selector] of selectors.entries()) checkLabelSelector(selector, `${field}[${index}]`, faults);
}

export function validateBinding(object: JsonObject, faults: Faults): void {
  const roleRef = objectOf(object, 'roleRef') ?? {};
  const group = textOf(roleRef, 'apiGroup');
  if (group !== GROUP) faults.push(notSupported('roleRef.apiGroup', group, [GROUP]));
  const kinds = object.kind === 'RoleBinding' ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (!kinds.includes(textOf(roleRef, 'kind')))
    faults.push(notSupported('roleRef.kind', textOf(roleRef, 'kind'), kinds));
  const name = textOf(roleRef, 'name');
  if (name === '') faults.push(required('roleRef.name'));
  else for (const problem of pathSegmentProblems(name)) faults.push(invalid('roleRef.name', name, problem));
  for (const [index, subject] of objectsOf(object, 'subjects').entries()) {
    validateSubject(subject, `subjects[${index}]`, object.kind === 'RoleBinding', faults);
  }
}

function validateSubject(subject: JsonObject, field: string, isNamespaced: boolean, faults: Faults): void {
  const name = textOf(subject, 'name');
  const group = textOf(subject, 'apiGroup');
  const kind = textOf(subject, 'kind');
  if (name === '') faults.push(required(`${field}.name`));
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '')
        for (const problem of subdomainProblems(name)) faults.push(invalid(`${field}.name`, name, problem));
      if (group !== '') faults.push(notSupported(`${field}.apiGroup`, group, ['']));
      if (!isNamespaced && textOf(subject, 'namespace') === '') faults.push(required(`${field}.namespace`));
      break;
    case 'User':
    case 'Group':
      if (group !== GROUP) faults.push(notSupported(`${field}.apiGroup`, group, [GROUP]));
      break;
    default:
      faults.push(notSupported(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
  }
}

export function validateBindingUpdate(object: JsonObject, old: JsonObject, faults: Faults): void {
  if (jsonEqual(object.roleRef, old.roleRef)) return;
  faults.push(invalid('roleRef', asInternal(object.roleRef ?? {}), 'cannot change roleRef'));
}
