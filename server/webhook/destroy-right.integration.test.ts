import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { bravoRoles } from '@/lib/kudo/installation/roles';
import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { saying, WIPE, wiping } from '@/test/operators/destructive-operator';
import { CONFIGURATION_NAME, CONFIGURATIONS } from './registration';

const NS = 'destroying';
const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
let engine: Engine;
let version: string;

beforeAll(async () => {
  engine = await startEngine({ webhook: true });
  await createNamespace(engine.api, NS);
  for (const role of bravoRoles()) await engine.api.create({ ...RBAC, resource: 'clusterroles' }, role);
  for (const [user, role] of [
    ['jo', 'bravo-user'],
    ['kim', 'bravo-admin'],
    ['lee', 'edit'],
  ] as const) {
    await engine.api.create(
      { ...RBAC, resource: 'rolebindings', namespace: NS },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { namespace: NS, name: user },
        roleRef: { apiGroup: RBAC.group, kind: 'ClusterRole', name: role },
        subjects: [{ kind: 'User', name: user, apiGroup: RBAC.group }],
      },
    );
  }
  version = await createOperator(engine.api, NS, 'op', wiping());
  await engine.api.patch({ ...OPERATOR_VERSIONS, namespace: NS, name: version }, 'merge', {
    metadata: { annotations: saying({ wipe: WIPE }) },
  });
  await eventually('the webhook is registered', () => engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME }));
});
afterAll(() => engine?.stop());

/** A confirmed start of the destructive plan, as a person would send it. */
async function wipe(user: string, name: string): Promise<{ status: number; message: string }> {
  const body: JsonObject = {
    metadata: { annotations: { [CONFIRM_ANNOTATION]: `wipe/${name}` } },
    spec: { planExecution: { planName: 'wipe', uid: `${user}-${name}` } },
  };
  return patchAs(user, name, body);
}

async function patchAs(user: string, name: string, body: JsonObject): Promise<{ status: number; message: string }> {
  const response = await engine.api.raw({
    method: 'PATCH',
    path: `/apis/kudo.dev/v1beta1/namespaces/${NS}/instances/${name}`,
    headers: { 'content-type': 'application/merge-patch+json', 'impersonate-user': user },
    body: JSON.stringify(body),
  });
  let text = '';
  for await (const chunk of response.body) text += Buffer.from(chunk).toString();
  return { status: response.status, message: String((JSON.parse(text) as JsonObject).message ?? '') };
}

async function deployed(name: string): Promise<void> {
  await createInstance(engine.api, NS, name, version);
  await planEnds(engine.api, NS, name, { plan: 'deploy' });
}

describe('a destructive plan', () => {
  it('is refused to a person without the verb destroy, who may start and edit everything else', async () => {
    await deployed('a');
    const { status, message } = await wipe('jo', 'a');
    expect(status).toBe(403);
    expect(message).toContain('User "jo" may not destroy instances.kudo.dev in namespace destroying');
    expect(message).toContain('ClusterRole bravo-admin allows it');
    expect((await patchAs('jo', 'a', { metadata: { labels: { a: 'b' } } })).status).toBe(200);
  });

  it('starts for a person with the verb', async () => {
    await deployed('b');
    expect((await wipe('kim', 'b')).status).toBe(200);
    await planEnds(engine.api, NS, 'b', { plan: 'wipe' });
  });

  it('is refused to who has Kubernetes own role edit, which contains bravo-user', async () => {
    await deployed('c');
    await eventually('edit contains bravo-user', async () => {
      const { status } = await patchAs('lee', 'c', { metadata: { labels: { a: 'c' } } });
      return status === 200 || undefined;
    });
    expect((await wipe('lee', 'c')).message).toContain('User "lee" may not destroy');
  });

  it('is refused also when it would wait in the queue behind another plan', async () => {
    await createInstance(engine.api, NS, 'd', version);
    const { status, message } = await wipe('jo', 'd');
    expect([status, message]).toEqual([403, expect.stringContaining('may not destroy')]);
  });

  it('starts for the account of the controller and of the cluster admin', async () => {
    await deployed('e');
    await engine.api.patch({ ...INSTANCES, namespace: NS, name: 'e' }, 'merge', {
      metadata: { annotations: { [CONFIRM_ANNOTATION]: 'wipe/e' } },
      spec: { planExecution: { planName: 'wipe', uid: 'e1' } },
    });
    await planEnds(engine.api, NS, 'e', { plan: 'wipe' });
  });
});
