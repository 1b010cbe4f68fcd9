import { arrayAt, stringAt } from '@/lib/json/json';
import { CONTROLLER_ROLE, SERVICE_ACCOUNT, SYSTEM_NAMESPACE } from '@/lib/kudo/installation/names';
import type { ClusterSession } from '../support/session';

export interface InstallationTarget {
  readonly namespace: string;
  readonly serviceAccount: string;
}

/** The namespace must exist, unless `init` creates it, and must not be terminating. The sentences are KUDO's. */
export async function namespaceProblems({ api }: ClusterSession, { namespace }: InstallationTarget): Promise<string[]> {
  const found = await api.get({ group: '', version: 'v1', resource: 'namespaces', name: namespace });
  if (found?.metadata.deletionTimestamp !== undefined) {
    return [`Namespace ${namespace} is being terminated - Wait until it is fully gone and retry`];
  }
  if (found !== undefined || namespace === SYSTEM_NAMESPACE) return [];
  return [
    `Namespace ${namespace} does not exist - KUDO expects that any namespace except the default ${SYSTEM_NAMESPACE} is created beforehand`,
  ];
}

/**
 * A service account other than the default one must exist and be bound to `cluster-admin` or to the controller's narrow role. The
 * sentences are KUDO's.
 */
export async function accountProblems({ api }: ClusterSession, target: InstallationTarget): Promise<string[]> {
  const { namespace, serviceAccount: name } = target;
  if (name === SERVICE_ACCOUNT) return [];
  const account = await api.get({ group: '', version: 'v1', resource: 'serviceaccounts', namespace, name });
  if (account === undefined) {
    return [
      `Service Account ${name} does not exists - KUDO expects the serviceAccount to be present in the namespace ${namespace}`,
    ];
  }
  const bindings = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' };
  const { items } = await api.list(bindings);
  const isBound = items.some(
    (binding) =>
      ['cluster-admin', CONTROLLER_ROLE].includes(stringAt(binding, 'roleRef', 'name') ?? '') &&
      arrayAt(binding, 'subjects').some(
        (subject) =>
          stringAt(subject, 'kind') === 'ServiceAccount' &&
          stringAt(subject, 'name') === name &&
          stringAt(subject, 'namespace') === namespace,
      ),
  );
  if (isBound) return [];
  return [
    `Service Account ${name} does not have cluster-admin role - KUDO expects the serviceAccount passed to be in the namespace ${namespace} and to have cluster-admin role`,
  ];
}
