import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '@/lib/json/json';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { configMap } from '@/test/operators/templates';

const UID = '33333333-3333-4333-8333-333333333333';
const GO_META = { creationTimestamp: null };

/** Steps and phases as Go writes them, with their empty members. */
const plan = (task: string): JsonObject => ({
  strategy: 'serial',
  phases: [{ name: 'main', strategy: '', steps: [{ name: 'one', tasks: [task] }] }],
});

/** The requests of KUDO's own command line (0.19), byte for byte in what they say. */
describe("KUDO's own command line against Bravo", () => {
  let engine: VirtualEngine;
  let lab: Lab;

  beforeAll(async () => {
    engine = await startVirtualEngine();
    await engine.startController();
    lab = await Lab.open(engine, 'old');
  });
  afterAll(() => engine?.stop());

  const request = async (method: string, path: string, body: JsonValue, contentType = 'application/json') => {
    const response = await engine.run(
      engine.people.raw({
        method,
        path: `/apis/kudo.dev/v1beta1/namespaces/old/${path}`,
        headers: { 'content-type': contentType, accept: 'application/json', 'user-agent': 'kubectl-kudo/v0.0.0' },
        body: JSON.stringify(body),
      }),
    );
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    return { status: response.status, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  };
  const merge = (name: string, patch: JsonValue) =>
    request('PATCH', `instances/${name}`, patch, 'application/merge-patch+json');

  const version = (operatorVersion: string, plans: JsonObject): JsonObject => ({
    kind: 'OperatorVersion',
    apiVersion: 'kudo.dev/v1beta1',
    metadata: { name: `pond-${operatorVersion}`, namespace: 'old', ...GO_META },
    spec: {
      operator: { kind: 'Operator', name: 'pond' },
      version: operatorVersion,
      templates: { 'c.yaml': configMap('{{ .Name }}', '{v: "{{ .Params.V }}", by: "{{ .OperatorVersion }}"}') },
      tasks: [
        {
          name: 'a',
          kind: 'Apply',
          spec: { resources: ['c.yaml'], pod: '', pipe: null, wantErr: false, fatal: false, done: false },
        },
      ],
      parameters: [{ name: 'V', required: true, default: '1', immutable: false }],
      plans,
    },
    status: {},
  });

  it('install creates an Operator, an OperatorVersion and an Instance with all members that Go writes', async () => {
    const operator = {
      kind: 'Operator',
      apiVersion: 'kudo.dev/v1beta1',
      metadata: { name: 'pond', namespace: 'old', ...GO_META },
      spec: { kudoVersion: '0.19.0', kubernetesVersion: '1.18.0' },
      status: {},
    };
    const instance = {
      kind: 'Instance',
      apiVersion: 'kudo.dev/v1beta1',
      metadata: { name: 'app', namespace: 'old', ...GO_META, labels: { 'kudo.dev/operator': 'pond' } },
      spec: { operatorVersion: { name: 'pond-0.1.0' }, planExecution: {} },
      status: {},
    };
    expect(await request('POST', 'operators', operator)).toMatchObject({ status: 201 });
    expect(await request('POST', 'operatorversions', version('0.1.0', { deploy: plan('a') }))).toMatchObject({
      status: 201,
    });
    expect((await request('POST', 'instances', instance)).status).toBe(201);
    await lab.ends('app', 'deploy');
    expect(lab.find('configmaps', 'app')?.data).toEqual({ v: '1', by: '0.1.0' });
  });

  it('update patches parameters beside empty members, and the plan of the parameters runs', async () => {
    const not = lab.instance('app').status?.planStatus?.deploy?.uid;
    const patch = { spec: { operatorVersion: {}, parameters: { V: '2' }, planExecution: {} } };
    expect((await merge('app', patch)).status).toBe(200);
    await lab.ends('app', 'deploy', { not });
    expect(lab.find('configmaps', 'app')?.data).toEqual({ v: '2', by: '0.1.0' });
  });

  it('plan trigger patches the name and its own uid, and the plan runs under that uid', async () => {
    const patch = { spec: { operatorVersion: {}, planExecution: { planName: 'deploy', uid: UID } } };
    expect((await merge('app', patch)).status).toBe(200);
    await engine.until('the plan ran under that uid', () => {
      const deploy = lab.instance('app').status?.planStatus?.deploy;
      return deploy?.uid === UID && deploy.status === 'COMPLETE';
    });
  });

  it('upgrade creates the new OperatorVersion and patches the reference; the upgrade plan runs', async () => {
    const plans = { deploy: plan('a'), upgrade: plan('a'), cleanup: plan('a') };
    expect((await request('POST', 'operatorversions', version('0.2.0', plans))).status).toBe(201);
    const patch = { spec: { operatorVersion: { name: 'pond-0.2.0' }, planExecution: {} } };
    expect((await merge('app', patch)).status).toBe(200);
    await lab.ends('app', 'upgrade');
    expect(lab.find('configmaps', 'app')?.data).toEqual({ v: '2', by: '0.2.0' });
  });

  const read = async (path: string) => {
    const response = await engine.run(
      engine.people.raw({
        method: 'GET',
        path,
        headers: { accept: 'application/json', 'user-agent': 'kubectl-kudo/v0.19.0' },
      }),
    );
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    return { status: response.status, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  };

  it('the check before every verb finds each CRD established and its version served', async () => {
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    for (const name of ['operators', 'operatorversions', 'instances']) {
      const { status, body } = await read(`${crds}/${name}.kudo.dev`);
      expect([status, body.kind, body.apiVersion]).toEqual([
        200,
        'CustomResourceDefinition',
        'apiextensions.k8s.io/v1',
      ]);
      const { conditions } = body.status;
      const established = conditions.find(({ type }: { type: string }) => type === 'Established');
      expect(established).toMatchObject({ status: 'True' });
      const version = body.spec.versions.find((each: { name: string }) => each.name === 'v1beta1');
      expect(version).toMatchObject({ served: true, storage: true });
    }
    const missing = await read(`${crds}/planexecutions.kudo.dev`);
    expect([missing.status, missing.body.kind, missing.body.reason]).toEqual([404, 'Status', 'NotFound']);
  });

  it('install reads the version of the server and the existing objects before it writes', async () => {
    const { body: version } = await read('/version');
    expect([version.major, version.gitVersion]).toEqual([expect.any(String), expect.stringMatching(/^v1\.\d+\.\d+/)]);
    const place = '/apis/kudo.dev/v1beta1/namespaces/old';
    const none = await read(`${place}/operators/none`);
    expect(none.body).toMatchObject({
      kind: 'Status',
      status: 'Failure',
      reason: 'NotFound',
      code: 404,
      details: { name: 'none', group: 'kudo.dev', kind: 'operators' },
      message: 'operators.kudo.dev "none" not found',
    });
    const { body: list } = await read(`${place}/operatorversions`);
    expect([list.kind, list.apiVersion]).toEqual(['OperatorVersionList', 'kudo.dev/v1beta1']);
    expect(list.metadata.resourceVersion).toMatch(/^\d+$/);
    expect(list.items.map((each: { metadata: { name: string } }) => each.metadata.name)).toEqual([
      'pond-0.1.0',
      'pond-0.2.0',
    ]);
    // Go's types: templates and plans are maps, tasks and parameters lists.
    expect(list.items[0].spec).toMatchObject({
      version: '0.1.0',
      templates: expect.any(Object),
      tasks: expect.any(Array),
    });
  });

  it('a second install of an Instance is refused as the client expects', async () => {
    const again = await request('POST', 'instances', {
      kind: 'Instance',
      apiVersion: 'kudo.dev/v1beta1',
      metadata: { name: 'app', namespace: 'old', ...GO_META },
      spec: { operatorVersion: { name: 'pond-0.2.0' }, planExecution: {} },
      status: {},
    });
    expect([again.status, again.body.reason]).toEqual([409, 'AlreadyExists']);
  });

  it('wait, plan status and plan history read the shapes that Go expects', async () => {
    const { body } = await read('/apis/kudo.dev/v1beta1/namespaces/old/instances/app');
    const { planStatus } = body.status;
    expect(Object.keys(planStatus)).toContain('upgrade');
    for (const [name, plan] of Object.entries<{ [key: string]: unknown }>(planStatus)) {
      expect(plan).toMatchObject({ name, status: expect.any(String) });
      if (plan.status === 'NEVER_RUN') continue;
      expect(plan.uid).toMatch(/^[0-9a-f-]{36}$/);
      expect(plan.lastUpdatedTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(plan.phases).toEqual([
        { name: 'main', status: 'COMPLETE', steps: [expect.objectContaining({ name: 'one', status: 'COMPLETE' })] },
      ]);
    }
    expect(body.spec.planExecution ?? {}).not.toHaveProperty('planName');
  });

  it('an edit of a missing Instance is answered with the message that the client shows', async () => {
    const gone = await merge('nobody', { spec: { planExecution: { planName: 'deploy', uid: UID } } });
    expect(gone.body).toMatchObject({ code: 404, message: 'instances.kudo.dev "nobody" not found' });
  });

  it.each([
    '/api/v1/namespaces?labelSelector=app%3Dkudo-manager',
    ...['pods', 'services', 'serviceaccounts'].map((each) => `/api/v1/namespaces/old/${each}`),
    ...['deployments', 'statefulsets', 'replicasets'].map((each) => `/apis/apps/v1/namespaces/old/${each}`),
    ...['roles', 'rolebindings'].map((each) => `/apis/rbac.authorization.k8s.io/v1/namespaces/old/${each}`),
    ...['clusterroles', 'clusterrolebindings'].map((each) => `/apis/rbac.authorization.k8s.io/v1/${each}`),
  ])('diagnostics lists %s by label', async (path) => {
    const { status, body } = await read(path.includes('?') ? path : `${path}?labelSelector=kudo.dev%2Foperator%3Dpond`);
    expect([status, body.items]).toEqual([200, []]);
    expect(body.kind).toMatch(/List$/);
  });

  it('init --verify and --upgrade look for the manager, which may be missing', async () => {
    for (const path of [
      '/api/v1/namespaces/kudo-system',
      '/api/v1/namespaces/kudo-system/serviceaccounts/kudo-manager',
      '/apis/apps/v1/namespaces/kudo-system/statefulsets/kudo-controller-manager',
      '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/kudo-manager-rolebinding',
    ]) {
      const { status, body } = await read(path);
      expect([status, body.kind, body.reason]).toEqual([404, 'Status', 'NotFound']);
    }
  });

  it('uninstall deletes in the background; the cleanup plan runs first', async () => {
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
    expect((await request('DELETE', 'instances/app', options)).status).toBe(200);
    await engine.until('the Instance is deleted', () => lab.find('instances', 'app') === undefined);
    expect(lab.reasons('app')).toContain('PlanFinished');
  });
});
