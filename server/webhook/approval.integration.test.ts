import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import type { JsonObject } from '@/lib/json/json';
import {
  APPROVAL_ANNOTATION,
  PLAN_APPROVAL_API_VERSION,
  PLAN_APPROVALS,
  type PlanApproval,
} from '@/lib/kudo/approvals/plan-approval';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { changeParameters } from '@/server/instances/change-parameters';
import { moveInstance } from '@/server/instances/move-instance';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { connectTransport } from '@/server/kube/transport';
import {
  clusterOf,
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  getInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { saying, wiping } from '@/test/operators/destructive-operator';
import { CONFIGURATION_NAME, CONFIGURATIONS } from './registration';

const NS = 'approving';
let engine: Engine;
let version: string;
let alice: ClosableApi;
let bob: ClosableApi;
/** May ask, and not approve. */
let carol: ClosableApi;

function apiAs(user: string, groups: string[]): ClosableApi {
  const cluster = clusterOf(engine.sandbox);
  const transport = connectTransport(cluster);
  const who = { 'impersonate-user': user, ...(groups.length === 0 ? {} : { 'impersonate-group': groups.join(',') }) };
  return createApi(cluster, {
    clock: systemClock,
    transport: {
      ...transport,
      request: (request) => transport.request({ ...request, headers: { ...request.headers, ...who } }),
    },
  });
}

beforeAll(async () => {
  engine = await startEngine({ webhook: true });
  await createNamespace(engine.api, NS);
  version = await createOperator(engine.api, NS, 'op', wiping());
  await engine.api.patch({ ...OPERATOR_VERSIONS, namespace: NS, name: version }, 'merge', {
    metadata: { annotations: saying({ wipe: { parameters: ['FROM'], approval: true } }) },
  });
  const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', namespace: NS };
  await engine.api.create(
    { ...rbac, resource: 'roles' },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'ask', namespace: NS },
      rules: [{ apiGroups: ['bravo.kudo.dev'], resources: ['planapprovals'], verbs: ['create', 'get', 'patch'] }],
    },
  );
  await engine.api.create(
    { ...rbac, resource: 'rolebindings' },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'ask', namespace: NS },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'ask' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'carol' }],
    },
  );
  [alice, bob, carol] = [
    apiAs('alice', ['system:masters']),
    apiAs('bob', ['system:masters']),
    apiAs('carol', ['system:authenticated']),
  ];
  await eventually('the webhook is registered', () => engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME }));
});
afterAll(async () => {
  await Promise.all([alice, bob, carol].map((api) => api?.close()));
  await engine?.stop();
});

async function deployed(name: string): Promise<void> {
  await createInstance(engine.api, NS, name, version);
  await planEnds(engine.api, NS, name, { plan: 'deploy' });
}
const ask = async (api: ClosableApi, name: string, instanceName: string, spec: JsonObject = {}) =>
  (await api.create(
    { ...PLAN_APPROVALS, namespace: NS },
    {
      apiVersion: PLAN_APPROVAL_API_VERSION,
      kind: 'PlanApproval',
      metadata: { name, namespace: NS },
      spec: { instanceName, plan: 'wipe', ...spec },
    },
  )) as PlanApproval;
const decide = async (api: ClosableApi, name: string, status: JsonObject) =>
  (await api.patch(
    { ...PLAN_APPROVALS, namespace: NS, name },
    'merge',
    { status },
    { subresource: 'status' },
  )) as PlanApproval;
const start = (instance: string, approval?: string, spec: JsonObject = {}) =>
  engine.api.patch({ ...INSTANCES, namespace: NS, name: instance }, 'merge', {
    ...(approval === undefined ? {} : { metadata: { annotations: { [APPROVAL_ANNOTATION]: approval } } }),
    spec: { planExecution: { planName: 'wipe', uid: `of ${approval}` }, ...spec },
  });
const stored = async (name: string) =>
  (await engine.api.get({ ...PLAN_APPROVALS, namespace: NS, name })) as PlanApproval | undefined;

describe('the approval of a plan', () => {
  it('takes a second person, whom the webhook names, and is used once', async () => {
    await deployed('a');
    await expect(start('a')).rejects.toThrow(
      `plan "wipe" cannot start. It needs the approval of a second person. Ask for it with \`bravo plan request --instance a --name wipe -n ${NS}\``,
    );
    const asked = await ask(alice, 'a1', 'a', { reason: 'migration', requestedBy: 'mallory' });
    expect(asked.spec).toMatchObject({ requestedBy: 'alice', operatorVersion: version, reason: 'migration' });
    await expect(start('a', 'a1')).rejects.toThrow('PlanApproval a1 waits for a second person');
    await expect(decide(alice, 'a1', { approvedBy: 'bob' })).rejects.toThrow(
      'PlanApproval a1 was asked for by alice; a second person has to approve it',
    );
    const approved = await decide(bob, 'a1', { approvedBy: 'somebody' });
    expect(approved.status).toMatchObject({ approvedBy: 'bob' });
    const written = await start('a', 'a1');
    expect(written.metadata.annotations).not.toHaveProperty([APPROVAL_ANNOTATION]);
    await planEnds(engine.api, NS, 'a', { plan: 'wipe' });
    const used = await stored('a1');
    const uid = (await getInstance(engine.api, NS, 'a'))?.status?.planStatus?.wipe?.uid;
    expect(used?.status).toMatchObject({ approvedBy: 'bob', usedBy: uid });
    await expect(start('a', 'a1')).rejects.toThrow('PlanApproval a1 was used for a start already');
    const forgets = decide(bob, 'a1', { usedBy: null, usedAt: null });
    await forgets;
    await expect(start('a', 'a1')).rejects.toThrow('PlanApproval a1 was used for a start already');
  });

  it('is void after any change of the inputs, and holds for the values that were asked for', async () => {
    await deployed('b');
    const asked = await ask(alice, 'b1', 'b', { parameters: { FROM: 'monday' } });
    expect(asked.spec?.parameters?.FROM).toMatch(/^[0-9a-f]{8}:[0-9a-f]{32}$/);
    await decide(bob, 'b1', { approvedBy: 'me' });
    await expect(start('b', 'b1')).rejects.toThrow(
      'PlanApproval b1 is void: the parameters or the version are not those',
    );
    await expect(start('b', 'b1', { parameters: { FROM: 'tuesday' } })).rejects.toThrow('is void');
    await start('b', 'b1', { parameters: { FROM: 'monday' } });
    await planEnds(engine.api, NS, 'b', { plan: 'wipe' });
  });

  it('is void after an edit of the OperatorVersion', async () => {
    await deployed('c');
    await ask(alice, 'c1', 'c');
    await decide(bob, 'c1', { approvedBy: 'me' });
    const templates = { 'other.yaml': 'kind: ConfigMap' };
    await engine.api.patch({ ...OPERATOR_VERSIONS, namespace: NS, name: version }, 'merge', { spec: { templates } });
    await eventually('the webhook sees the edit', async () => {
      const answer = await start('c', 'c1').then(
        () => 'started',
        (error: unknown) => String(error),
      );
      expect(answer).not.toBe('started');
      return answer.includes('is void');
    });
  });

  it('is a right of its own: who may ask and not approve is refused by the API server', async () => {
    await deployed('d');
    await ask(alice, 'd1', 'd');
    await expect(decide(carol, 'd1', { approvedBy: 'carol' })).rejects.toThrow('planapprovals/status');
    expect((await ask(carol, 'd2', 'd')).spec?.requestedBy).toBe('carol');
    const spec = { requestedBy: 'bob' };
    await expect(carol.patch({ ...PLAN_APPROVALS, namespace: NS, name: 'd2' }, 'merge', { spec })).rejects.toThrow(
      'a request cannot be changed',
    );
  });

  it('is rejected for good', async () => {
    await deployed('e');
    await ask(alice, 'e1', 'e');
    expect((await decide(bob, 'e1', { rejectedBy: 'x' })).status).toMatchObject({ rejectedBy: 'bob' });
    const after = await decide(bob, 'e1', { rejectedBy: null, approvedBy: 'x' });
    expect(after.status).toMatchObject({ rejectedBy: 'bob' });
    await expect(start('e', 'e1')).rejects.toThrow('PlanApproval e1 was rejected by bob');
  });

  it('tells a receiver that it is asked for, through the webhook, before and after which its status stays', async () => {
    await deployed('h');
    const receiver = 'ConfigMap/approving/hooks/nowhere';
    await engine.api.create(
      { group: '', version: 'v1', resource: 'configmaps', namespace: NS },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'hooks', namespace: NS, labels: { 'bravo.kudo.dev/notices': 'true' } },
        // Link-local addresses are refused, so that nothing leaves this machine.
        data: { 'a.yaml': '{name: nowhere, url: "http://169.254.1.1/", results: [ApprovalRequested]}' },
      },
    );
    await ask(alice, 'h1', 'h');
    const told = { target: receiver, result: 'ApprovalRequested', outcome: 'Failed' };
    await eventually('the outcome is stored', async () => (await stored('h1'))?.status?.notices?.[0]?.outcome);
    expect((await stored('h1'))?.status?.notices).toMatchObject([told]);
    await decide(bob, 'h1', { approvedBy: 'me', notices: [] });
    expect((await stored('h1'))?.status).toMatchObject({ approvedBy: 'bob', notices: [told] });
    await start('h', 'h1');
    await planEnds(engine.api, NS, 'h', { plan: 'wipe' });
    expect((await stored('h1'))?.status).toMatchObject({ usedBy: expect.any(String), notices: [told] });
  });

  it('is not asked for a plan that needs none', async () => {
    await deployed('f');
    await expect(ask(alice, 'f1', 'f', { plan: 'deploy' })).rejects.toThrow('plan deploy needs no approval');
    await expect(ask(alice, 'f2', 'nobody')).rejects.toThrow(`Instance ${NS}/nobody does not exist`);
  });

  it('holds for an edit and for a change of the version, as the console sends them', async () => {
    await deployed('g');
    const key = { namespace: NS, name: 'g' };
    const edit = (approval: string) =>
      changeParameters(alice, key, { parameters: { FROM: 'monday' }, seen: {}, wishes: { approval } });
    await ask(alice, 'g1', 'g', { parameters: { FROM: 'monday' } });
    await expect(edit('g1')).rejects.toThrow('PlanApproval g1 waits for a second person');
    await decide(bob, 'g1', { approvedBy: 'me' });
    expect(await edit('g1')).toMatchObject({ plan: 'wipe' });
    await planEnds(engine.api, NS, 'g', { plan: 'wipe' });
    const next = await createOperator(engine.api, NS, 'op', wiping('2'));
    await engine.api.patch({ ...OPERATOR_VERSIONS, namespace: NS, name: next }, 'merge', {
      metadata: { annotations: saying({ deploy: { approval: true } }) },
    });
    const move = (approval: string) =>
      moveInstance(alice, key, { operatorVersion: next, parameters: {}, approval, reason: 'ticket 8' });
    await ask(alice, 'g2', 'g', { plan: 'deploy', operatorVersion: next });
    await expect(move('g2')).rejects.toThrow('PlanApproval g2 waits for a second person');
    await decide(bob, 'g2', { approvedBy: 'me' });
    const { uid } = (await getInstance(engine.api, NS, 'g'))?.status?.planStatus?.deploy ?? {};
    expect(await move('g2')).toMatchObject({ plan: 'deploy' });
    await eventually('the plan of the new version ends', async () => {
      const deploy = (await getInstance(engine.api, NS, 'g'))?.status?.planStatus?.deploy;
      return deploy?.uid !== uid && deploy?.status === 'COMPLETE';
    });
    expect((await stored('g2'))?.status?.usedBy).not.toBe('');
  });
});
