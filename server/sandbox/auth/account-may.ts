import type { AccountMay } from '../workloads/core/context';
import type { Rbac } from './rbac';
import { serviceAccountUser } from './user';

/** What service accounts may do by the roles of the cluster. */
export function accountMay(rbac: Rbac): AccountMay {
  return ({ namespace, name }, verb, resource) => {
    const attributes = { group: '', resource, subresource: '', namespace, name: '' };
    return rbac.decide(serviceAccountUser(namespace, name), { verb, path: '', resource: attributes }).allowed;
  };
}
