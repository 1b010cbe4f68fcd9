import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom } from '@/lib/random/random';
import { type Sandbox, startSandbox } from '../sandbox';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const HOME = `${RBAC}/namespaces/default`;

describe('who writes roles and bindings', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox({
      port: 'none',
      mode: 'no-controllers',
      podDelayMs: 0,
      clock: new VirtualClock(),
      random: seededRandom('roles'),
    });
    await send('admin', 'POST', `${HOME}/rolebindings`, {
      kind: 'RoleBinding',
      metadata: { name: 'kim' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
      subjects: [{ kind: 'User', name: 'kim', apiGroup: 'rbac.authorization.k8s.io' }],
    });
  });
  afterEach(() => sandbox?.stop());

  const send = async (who: 'admin' | 'kim', method: string, path: string, body: object) => {
    const asKim = who === 'kim' ? { 'impersonate-user': 'kim', 'impersonate-group': 'dev' } : {};
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const response = await sandbox.inject({
      method,
      path,
      headers: { 'content-type': type, authorization: `Bearer ${sandbox.adminToken}`, ...asKim },
      body: JSON.stringify(method === 'PATCH' ? body : { apiVersion: 'rbac.authorization.k8s.io/v1', ...body }),
    });
    let text = '';
    for await (const chunk of response.body) text += Buffer.from(chunk).toString();
    return { status: response.status, message: String(JSON.parse(text).message ?? '') };
  };
  const role = (name: string, ...rules: object[]) => ({ kind: 'Role', metadata: { name }, rules });
  const held = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };
  const notHeld = { apiGroups: ['lab.example.org'], resources: ['ponds'], verbs: ['get', 'list'] };
  const bound = (name: string, kind: string, of: string) => ({
    kind: 'RoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: of },
    subjects: [{ kind: 'User', name: 'lee', apiGroup: 'rbac.authorization.k8s.io' }],
  });

  it('gives away the rights that he has, and no others', async () => {
    expect((await send('kim', 'POST', `${HOME}/roles`, role('a', held))).status).toBe(201);
    expect(await send('kim', 'POST', `${HOME}/roles`, role('b', held, notHeld))).toEqual({
      status: 403,
      message:
        'roles.rbac.authorization.k8s.io "b" is forbidden: user "kim" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:["lab.example.org"], Resources:["ponds"], Verbs:["get" "list"]}',
    });
    expect((await send('kim', 'PATCH', `${HOME}/roles/a`, { rules: [notHeld] })).status).toBe(403);
    expect((await send('kim', 'PATCH', `${HOME}/roles/a`, { metadata: { labels: { a: 'b' } } })).status).toBe(200);
  });

  it('binds roles whose rights he has, or that he may bind', async () => {
    expect((await send('kim', 'POST', `${HOME}/rolebindings`, bound('a', 'ClusterRole', 'view'))).status).toBe(201);
    const refused = await send('kim', 'POST', `${HOME}/rolebindings`, bound('b', 'ClusterRole', 'cluster-admin'));
    expect(refused.status).toBe(403);
    expect(refused.message).toContain(
      '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}',
    );
    expect(await send('kim', 'POST', `${HOME}/rolebindings`, bound('c', 'Role', 'none'))).toEqual({
      status: 404,
      message: 'roles.rbac.authorization.k8s.io "none" not found',
    });
    const mayBind = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['bind'] };
    await send('admin', 'POST', `${HOME}/roles`, role('binder', mayBind));
    await send('admin', 'POST', `${HOME}/rolebindings`, {
      ...bound('binder', 'Role', 'binder'),
      subjects: [{ kind: 'User', name: 'kim', apiGroup: 'rbac.authorization.k8s.io' }],
    });
    expect((await send('kim', 'POST', `${HOME}/rolebindings`, bound('b', 'ClusterRole', 'cluster-admin'))).status).toBe(
      201,
    );
  });
});
