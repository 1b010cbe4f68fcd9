import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { bravoRoles } from '@/lib/kudo/installation/roles';
import { filterRoleRows, type RbacObjects, roleRows } from './role-rows';

const GROUP = 'rbac.authorization.k8s.io';

function binding(name: string, role: string, subject: object, namespace?: string, kind = 'ClusterRole'): KubeObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    roleRef: { apiGroup: GROUP, kind, name: role },
    subjects: [subject],
  } as unknown as KubeObject;
}

const user = (name: string) => ({ kind: 'User', name, apiGroup: GROUP });
const rowsOf = (rbac: Partial<RbacObjects>) =>
  roleRows({ roles: [], clusterRoles: bravoRoles(), roleBindings: [], clusterRoleBindings: [], ...rbac });

describe('roleRows', () => {
  it('says what a subject may do, where, and by which binding', () => {
    expect(rowsOf({ roleBindings: [binding('b', 'bravo-user', user('jo'), 'demo')] })).toEqual([
      {
        key: 'User jo @demo',
        kind: 'User',
        name: 'jo',
        namespace: 'demo',
        by: ['ClusterRole bravo-user by RoleBinding b'],
        actions: ['view', 'edit parameters', 'start plans', 'steer runs', 'ask for approvals'],
      },
    ]);
  });

  it('leaves out who may do nothing with operators, and roles that do not exist', () => {
    expect(rowsOf({ roleBindings: [binding('b', 'no-such-role', user('jo'), 'demo')] })).toEqual([]);
  });

  it('adds up the bindings of a place, and what a subject may do everywhere', () => {
    const destroy = { apiGroups: ['kudo.dev'], resources: ['instances'], verbs: ['destroy'] };
    const role = {
      apiVersion: `${GROUP}/v1`,
      kind: 'Role',
      metadata: { namespace: 'demo', name: 'd' },
      rules: [destroy],
    };
    const rows = rowsOf({
      roles: [role as unknown as KubeObject],
      clusterRoleBindings: [binding('wide', 'bravo-user', user('jo'))],
      roleBindings: [binding('narrow', 'd', user('jo'), 'demo', 'Role')],
    });
    expect(rows.map(({ namespace, actions }) => [namespace, actions.includes('start destructive plans')])).toEqual([
      [undefined, false],
      ['demo', true],
    ]);
  });

  it('names a ServiceAccount with its namespace', () => {
    const account = { kind: 'ServiceAccount', name: 'ci', namespace: 'build' };
    const [row] = rowsOf({ clusterRoleBindings: [binding('b', 'bravo-viewer', account)] });
    expect([row?.name, row?.namespace]).toEqual(['build:ci', undefined]);
  });

  it('reads objects of another shape as no grant', () => {
    const broken = { apiVersion: `${GROUP}/v1`, kind: 'RoleBinding', metadata: { namespace: 'demo', name: 'b' } };
    expect(rowsOf({ roleBindings: [broken as KubeObject, { ...broken, subjects: ['x', null] } as never] })).toEqual([]);
  });
});

describe('filterRoleRows', () => {
  it('finds subjects, namespaces and roles', () => {
    const rows = rowsOf({
      roleBindings: [binding('b', 'bravo-user', user('jo'), 'demo'), binding('c', 'bravo-admin', user('kim'), 'shop')],
    });
    const found = (text: string) => filterRoleRows(rows, text).map(({ name }) => name);
    expect([found('JO'), found('shop'), found('bravo-admin'), found('')]).toEqual([
      ['jo'],
      ['kim'],
      ['kim'],
      ['jo', 'kim'],
    ]);
  });
});
