import type { JsonObject } from '@/lib/json/json';
import type { Api } from '@/server/kube/api';
import { DEMO_NAMESPACE } from './prepare-sandbox';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;
const READ = ['get', 'list', 'watch'];
const OPERATORS = ['kudo.dev', 'bravo.kudo.dev'];

/**
 * What the sandbox's sample users may do, by Kubernetes' own roles: `admin` everything, `dev` to edit in `demo` and to view elsewhere,
 * `viewer` to view. Operators are added to `view` and `edit` by aggregation. What exists is left alone: a person may have changed it.
 */
export async function prepareSampleUsers(api: Api): Promise<void> {
  const roles = [
    role('bravo-sample-view', 'view', READ),
    role('bravo-sample-edit', 'edit', ['create', 'update', 'patch', 'delete', 'deletecollection']),
    {
      metadata: { name: 'bravo-sample-namespaces' },
      rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: READ }],
    },
  ];
  for (const object of roles) await createMissing(api, 'clusterroles', 'ClusterRole', object);
  const bindings = [
    binding('bravo-sample-admin', 'cluster-admin', ['admin']),
    binding('bravo-sample-view', 'view', ['dev', 'viewer']),
    binding('bravo-sample-namespaces', 'bravo-sample-namespaces', ['dev', 'viewer']),
  ];
  for (const object of bindings) await createMissing(api, 'clusterrolebindings', 'ClusterRoleBinding', object);
  const edit = {
    ...binding('bravo-sample-edit', 'edit', ['dev']),
    metadata: { name: 'bravo-sample-edit', namespace: DEMO_NAMESPACE },
  };
  await createMissing(api, 'rolebindings', 'RoleBinding', edit);
}

interface Named extends JsonObject {
  metadata: { name: string; namespace?: string };
}

function role(name: string, into: string, verbs: string[]): Named {
  const labels = { [`rbac.authorization.k8s.io/aggregate-to-${into}`]: 'true' };
  return { metadata: { name, labels }, rules: [{ apiGroups: OPERATORS, resources: ['*'], verbs }] } as Named;
}

function binding(name: string, clusterRole: string, users: readonly string[]): Named {
  return {
    metadata: { name },
    roleRef: { apiGroup: RBAC.group, kind: 'ClusterRole', name: clusterRole },
    subjects: users.map((user) => ({ apiGroup: RBAC.group, kind: 'User', name: user })),
  };
}

async function createMissing(api: Api, resource: string, kind: string, object: Named): Promise<void> {
  const { namespace, name } = object.metadata;
  const target = { ...RBAC, resource, namespace, name };
  if ((await api.get(target)) !== undefined) return;
  await api.create(target, { ...object, apiVersion: `${RBAC.group}/${RBAC.version}`, kind });
}
