import { arrayAt, isJsonObject, stringAt } from '@/lib/json/json';
import { kudoCrds } from '@/lib/kudo/crds';
import { SERVICE_ACCOUNT, SYSTEM_NAMESPACE } from '@/lib/kudo/installation/manifests';
import type { Session } from '../support/session';
import { workingController } from './controller-lease';

export interface InstallationTarget {
  readonly namespace: string;
  readonly serviceAccount: string;
}

/** What is missing for plans to be executed, one sentence each (spec command line, 4.6 verify). */
export async function checkInstallation(session: Session, target: InstallationTarget): Promise<string[]> {
  const { api } = session;
  const problems: string[] = [];
  for (const { metadata } of kudoCrds()) {
    const name = metadata.name ?? '';
    const place = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions', name };
    const crd = await api.get(place);
    if (crd === undefined) problems.push(`CRD ${name} is not installed`);
    else if (!isServed(crd)) problems.push(`CRD ${name} is not served in v1beta1; bravo init --upgrade renews it`);
  }
  if ((await workingController(session, target.namespace)) === undefined) {
    problems.push('no controller works: nobody has renewed the lease bravo-controller lately');
  }
  return problems;
}

function isServed(crd: unknown): boolean {
  const served = arrayAt(crd, 'spec', 'versions').some(
    (version) => isJsonObject(version) && version.name === 'v1beta1' && version.served === true,
  );
  const established = arrayAt(crd, 'status', 'conditions').some(
    (condition) => isJsonObject(condition) && condition.type === 'Established' && condition.status === 'True',
  );
  return served && established;
}

/** The namespace must be there unless it is the one that init makes, and must not be about to go (4.3). */
export async function namespaceProblems({ api }: Session, { namespace }: InstallationTarget): Promise<string[]> {
  const found = await api.get({ group: '', version: 'v1', resource: 'namespaces', name: namespace });
  if (found?.metadata.deletionTimestamp !== undefined) {
    return [`Namespace ${namespace} is being terminated - Wait until it is fully gone and retry`];
  }
  if (found !== undefined || namespace === SYSTEM_NAMESPACE) return [];
  return [
    `Namespace ${namespace} does not exist - KUDO expects that any namespace except the default ${SYSTEM_NAMESPACE} is created beforehand`,
  ];
}

/** An account of one's own must be there and be bound to `cluster-admin` (4.3). */
export async function accountProblems({ api }: Session, target: InstallationTarget): Promise<string[]> {
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
      stringAt(binding, 'roleRef', 'name') === 'cluster-admin' &&
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
