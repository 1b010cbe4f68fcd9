import { KUDO_API_VERSION } from '@/lib/kudo/types';
import type { Api } from '@/server/kube/api';
import { NAMESPACES, type Person, WIDE_GROUP } from './persons';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
export const INSTANCES = { group: 'kudo.dev', version: 'v1beta1', resource: 'instances' };
const INSTANCES_IN_NAMESPACE = 50;

/** Namespaces with Instances, and persons who may read all of them or half of them. */
export async function fillCluster(api: Api, persons: readonly Person[]): Promise<void> {
  await api.create(
    { ...RBAC, resource: 'clusterroles' },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'bench-reader' },
      rules: [
        {
          apiGroups: ['', 'kudo.dev', 'bravo.kudo.dev', 'apps', 'batch'],
          resources: ['*'],
          verbs: ['get', 'list', 'watch'],
        },
      ],
    },
  );
  const roleRef = { apiGroup: RBAC.group, kind: 'ClusterRole', name: 'bench-reader' };
  const group = (name: string) => [{ apiGroup: RBAC.group, kind: 'Group', name }];
  await api.create(
    { ...RBAC, resource: 'clusterrolebindings' },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'bench-wide' },
      roleRef,
      subjects: group(WIDE_GROUP),
    },
  );
  for (const namespace of NAMESPACES) {
    await api.create(
      { group: '', version: 'v1', resource: 'namespaces' },
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace },
      },
    );
    const users = persons.filter((person) => !person.isWide && person.namespaces.includes(namespace));
    await api.create(
      { ...RBAC, resource: 'rolebindings', namespace },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: 'bench-listeners', namespace },
        roleRef,
        subjects: users.map(({ name }) => ({ apiGroup: RBAC.group, kind: 'User', name })),
      },
    );
    for (let at = 0; at < INSTANCES_IN_NAMESPACE; at++) await createInstance(api, namespace, `x-${namespace}-${at}`);
  }
}

/** An Instance whose OperatorVersion does not exist: a row, and nothing for a controller to do. */
export async function createInstance(api: Api, namespace: string, name: string): Promise<void> {
  await api.create(
    { ...INSTANCES, namespace },
    {
      apiVersion: KUDO_API_VERSION,
      kind: 'Instance',
      metadata: { name, namespace, labels: { 'kudo.dev/operator': 'bench' } },
      spec: { operatorVersion: { name: 'bench-1.0' }, parameters: { SIZE: '3' } },
    },
  );
}
