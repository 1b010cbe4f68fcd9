import { type KubeObject, nameOf } from '@/lib/kube/object';
import { bravoRoles } from '@/lib/kudo/installation/roles';
import type { Api } from '@/server/kube/api';
import { DEMO_NAMESPACE } from './prepare-sandbox';

const GROUP = 'rbac.authorization.k8s.io';
const VERSION = 'v1';

/**
 * What the sandbox's sample users may do, by Kubernetes' own roles: `admin` everything, `dev` to edit in `demo` and to view elsewhere,
 * `viewer` to view. Bravo's roles, which an installation has too, add operators to `view` and `edit`. What exists is left alone: a person
 * may have changed it.
 */
export async function prepareSampleUsers(api: Api): Promise<void> {
  const namespaces: KubeObject = {
    apiVersion: `${GROUP}/${VERSION}`,
    kind: 'ClusterRole',
    metadata: { name: 'bravo-sample-namespaces' },
    rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] }],
  };
  for (const role of [...bravoRoles(), namespaces]) await createMissing(api, 'clusterroles', role);
  const bindings = [
    binding({ name: 'bravo-sample-admin' }, 'cluster-admin', ['admin']),
    binding({ name: 'bravo-sample-view' }, 'view', ['dev', 'viewer']),
    binding({ name: 'bravo-sample-namespaces' }, 'bravo-sample-namespaces', ['dev', 'viewer']),
  ];
  for (const object of bindings) await createMissing(api, 'clusterrolebindings', object);
  await createMissing(
    api,
    'rolebindings',
    binding({ name: 'bravo-sample-edit', namespace: DEMO_NAMESPACE }, 'edit', ['dev']),
  );
}

/** A RoleBinding, or without a namespace a ClusterRoleBinding. */
function binding(metadata: KubeObject['metadata'], clusterRole: string, users: readonly string[]): KubeObject {
  return {
    apiVersion: `${GROUP}/${VERSION}`,
    kind: metadata.namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata,
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: clusterRole },
    subjects: users.map((name) => ({ apiGroup: GROUP, kind: 'User', name })),
  };
}

async function createMissing(api: Api, resource: string, object: KubeObject): Promise<void> {
  const { namespace } = object.metadata;
  const target = { group: GROUP, version: VERSION, resource, namespace, name: nameOf(object) };
  if ((await api.get(target)) === undefined) await api.create(target, object);
}
