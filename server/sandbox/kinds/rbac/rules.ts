import type { JsonObject } from '@/lib/json/json';
import { ensureObject, fill, objectsOf } from '../base/access';
import type { KindRules } from '../base/kind-rules';
import { validateBinding, validateBindingUpdate, validateRole } from './validate';

const GROUP = 'rbac.authorization.k8s.io';

function defaultBinding(binding: JsonObject): void {
  const roleRef = ensureObject(binding, 'roleRef');
  if (roleRef.apiGroup === undefined || roleRef.apiGroup === '') roleRef.apiGroup = GROUP;
  for (const subject of objectsOf(binding, 'subjects')) {
    if (subject.kind === 'User' || subject.kind === 'Group') fill(subject, { apiGroup: GROUP });
  }
}

/** The rules of RBAC's four kinds. */
export const rbacRules: { readonly [kind: string]: KindRules } = {
  [`${GROUP}/Role`]: { defaults: (role) => fill(role, { rules: null }), validate: validateRole },
  [`${GROUP}/ClusterRole`]: { defaults: (role) => fill(role, { rules: null }), validate: validateRole },
  [`${GROUP}/RoleBinding`]: {
    defaults: defaultBinding,
    validate: validateBinding,
    validateUpdate: validateBindingUpdate,
  },
  [`${GROUP}/ClusterRoleBinding`]: {
    defaults: defaultBinding,
    validate: validateBinding,
    validateUpdate: validateBindingUpdate,
  },
};
