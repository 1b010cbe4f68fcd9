import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { roleForRefusal } from './role-for-refusal';

const objects = (message: string) =>
  parseAllDocuments(roleForRefusal(message) ?? '').map((document) => document.toJS());

describe('roleForRefusal', () => {
  it('grants reading across the cluster, to the user that was refused', () => {
    expect(
      objects(
        'instances.kudo.dev is forbidden: User "viewer" cannot list resource "instances" in API group "kudo.dev" at the cluster scope',
      ),
    ).toMatchObject([
      {
        kind: 'ClusterRole',
        metadata: { name: 'bravo-read-instances' },
        rules: [{ apiGroups: ['kudo.dev'], resources: ['instances'], verbs: ['get', 'list', 'watch'] }],
      },
      {
        kind: 'ClusterRoleBinding',
        roleRef: { kind: 'ClusterRole', name: 'bravo-read-instances' },
        subjects: [{ kind: 'User', name: 'viewer' }],
      },
    ]);
  });

  it('grants one other verb, in the namespace of the refusal only', () => {
    expect(
      objects(
        'pods "db-0" is forbidden: User "system:serviceaccount:a:b" cannot create resource "pods/exec" in API group "" in the namespace "shop"',
      ),
    ).toMatchObject([
      {
        kind: 'Role',
        metadata: { name: 'bravo-create-pods-exec', namespace: 'shop' },
        rules: [{ apiGroups: [''], resources: ['pods/exec'], verbs: ['create'] }],
      },
      { kind: 'RoleBinding', metadata: { namespace: 'shop' }, subjects: [{ name: 'system:serviceaccount:a:b' }] },
    ]);
  });

  it('says nothing of other texts', () => {
    expect(roleForRefusal('exceeded quota')).toBeUndefined();
  });
});
