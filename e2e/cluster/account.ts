import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringAt } from '@/lib/json/json';
import type { Cluster } from '@/server/kube/credentials';
import type { ClosableApi } from '@/server/kube/http-api';
import { temporaryFolder } from '@/test/programs/process';

const ACCOUNTS = { group: '', version: 'v1', resource: 'serviceaccounts' };
const HOUR_S = 3_600;

/** A token of a ServiceAccount that exists, for an hour. */
export async function tokenOf(api: ClosableApi, namespace: string, name: string): Promise<string> {
  const review = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: {},
    spec: { expirationSeconds: HOUR_S },
  };
  const issued = await api.create({ ...ACCOUNTS, namespace, name }, review, { subresource: 'token' });
  return stringAt(issued, 'status', 'token') ?? '';
}

/** A kubeconfig of that cluster with a token, or with none, readable by this user alone. @returns its path */
export async function kubeconfigWith(cluster: Cluster, token: string | undefined, namespace: string): Promise<string> {
  const { tls } = await cluster.access();
  const ca = tls.ca === undefined ? undefined : Buffer.from(String(tls.ca)).toString('base64');
  const server = { server: cluster.server, ...(ca === undefined ? {} : { 'certificate-authority-data': ca }) };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'e2e',
    clusters: [{ name: 'e2e', cluster: server }],
    users: [{ name: 'e2e', user: token === undefined ? {} : { token } }],
    contexts: [{ name: 'e2e', context: { cluster: 'e2e', user: 'e2e', namespace } }],
  };
  const file = join(temporaryFolder('e2e-cluster'), 'kubeconfig');
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

export async function createAccount(api: ClosableApi, namespace: string, name: string): Promise<void> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
  await api.create({ ...ACCOUNTS, namespace }, account);
}

/** Binds an account to a ClusterRole in its own namespace. */
export async function bindAccount(
  api: ClosableApi,
  namespace: string,
  name: string,
  clusterRole: string,
): Promise<void> {
  const bindings = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'rolebindings', namespace };
  await api.create(bindings, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name, namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: clusterRole },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  });
}
