import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { pathSegmentProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { asInternal, ensureObject, fill, objectsOf } from '../base/access';
import type { CheckedField } from '../base/checked-field';
import type { KindRules } from '../base/kind-rules';
import { checkLabelSelector } from '../validation/selectors';

const GROUP = 'rbac.authorization.k8s.io';

function defaultBinding(binding: JsonObject): void {
  const roleRef = ensureObject(binding, 'roleRef');
  roleRef.apiGroup = roleRef.apiGroup || GROUP;
  for (const subject of objectsOf(binding, 'subjects')) {
    if (subject.kind === 'User' || subject.kind === 'Group') fill(subject, { apiGroup: GROUP });
  }
}

/** The rules of a role (Kubernetes pkg/apis/rbac/validation ValidatePolicyRule). */
function validateRole(object: CheckedField): void {
  const needed = (list: CheckedField, text: string) => {
    if (list.items.length === 0) list.required(text);
  };
  for (const rule of object.at('rules').items) {
    needed(rule.at('verbs'), 'verbs must contain at least one value');
    const urls = rule.at('nonResourceURLs');
    if (urls.items.length === 0) {
      needed(rule.at('apiGroups'), 'resource rules must supply at least one api group');
      needed(rule.at('resources'), 'resource rules must supply at least one resource');
      continue;
    }
    if (object.at('kind').text === 'Role') urls.invalid('namespaced rules cannot apply to non-resource URLs');
    if (rule.given('apiGroups', 'resources', 'resourceNames').length > 0) {
      urls.invalid('rules cannot apply to both regular resources and non-resource URLs');
    }
  }
  for (const aggregation of object.given('aggregationRule')) {
    const selectors = aggregation.at('clusterRoleSelectors');
    needed(selectors, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
    for (const selector of selectors.items) checkLabelSelector(selector);
  }
}

function validateBinding(object: CheckedField): void {
  const isNamespaced = object.at('kind').text === 'RoleBinding';
  const roleRef = object.at('roleRef');
  roleRef.at('apiGroup').oneOf([GROUP]);
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (!kinds.includes(roleRef.at('kind').text)) roleRef.at('kind').notSupported(kinds);
  roleRef.at('name').name(pathSegmentProblems);
  for (const subject of object.at('subjects').items) validateSubject(subject, isNamespaced);
}

function validateSubject(subject: CheckedField, isNamespaced: boolean): void {
  const kind = subject.at('kind');
  const group = subject.at('apiGroup');
  const isAccount = kind.text === 'ServiceAccount';
  subject.at('name').name(isAccount ? subdomainProblems : undefined);
  if (isAccount) {
    group.oneOf(['']);
    if (!isNamespaced) subject.at('namespace').name();
  } else if (kind.text === 'User' || kind.text === 'Group') group.oneOf([GROUP]);
  else kind.notSupported(['ServiceAccount', 'User', 'Group']);
}

function validateBindingUpdate(object: CheckedField, old: JsonObject): void {
  const roleRef = object.at('roleRef');
  if (!jsonEqual(roleRef.value, old.roleRef)) roleRef.invalid('cannot change roleRef', asInternal(roleRef.object));
}

const role: KindRules = { defaults: (object) => fill(object, { rules: null }), validate: validateRole };
const binding: KindRules = {
  defaults: defaultBinding,
  validate: validateBinding,
  validateUpdate: validateBindingUpdate,
};

/** The rules of RBAC's four kinds. */
export const rbacRules: { readonly [kind: string]: KindRules } = {
  [`${GROUP}/Role`]: role,
  [`${GROUP}/ClusterRole`]: role,
  [`${GROUP}/RoleBinding`]: binding,
  [`${GROUP}/ClusterRoleBinding`]: binding,
};
