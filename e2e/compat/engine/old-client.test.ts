import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '@/lib/json/json';
import { type EngineWorld, startWorld } from './engine-fixture';
import { Lab } from './lab';
import { configMap } from './templates';

const UID = '33333333-3333-4333-8333-333333333333';
const GO_META = { creationTimestamp: null };

/** Steps and phases as Go writes them: members that are empty are there. */
const plan = (task: string): JsonObject => ({
  strategy: 'serial',
  phases: [{ name: 'main', strategy: '', steps: [{ name: 'one', tasks: [task] }] }],
});

/** The requests of KUDO's own command line (0.19), byte for byte in what they say. */
describe("KUDO's own command line against Bravo", () => {
  let world: EngineWorld;
  let lab: Lab;

  beforeAll(async () => {
    world = await startWorld();
    await world.startController();
    lab = await Lab.open(world, 'old');
  });
  afterAll(() => world?.stop());

  const request = async (method: string, path: string, body: JsonValue, contentType = 'application/json') => {
    const response = await world.run(
      world.people.raw({
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

  it('install makes an Operator, a version and an Instance with all members that Go writes', async () => {
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

  it('update patches parameters beside empty members, and the plan that they mean runs', async () => {
    const not = lab.instance('app').status?.planStatus?.deploy?.uid;
    const patch = { spec: { operatorVersion: {}, parameters: { V: '2' }, planExecution: {} } };
    expect((await merge('app', patch)).status).toBe(200);
    await lab.ends('app', 'deploy', { not });
    expect(lab.find('configmaps', 'app')?.data).toEqual({ v: '2', by: '0.1.0' });
  });

  it('plan trigger patches the name and a uid of its own, which can be followed', async () => {
    const patch = { spec: { operatorVersion: {}, planExecution: { planName: 'deploy', uid: UID } } };
    expect((await merge('app', patch)).status).toBe(200);
    await world.until('the plan ran under that uid', () => {
      const deploy = lab.instance('app').status?.planStatus?.deploy;
      return deploy?.uid === UID && deploy.status === 'COMPLETE';
    });
  });

  it('upgrade makes the new version and patches the reference; the upgrade plan runs', async () => {
    const plans = { deploy: plan('a'), upgrade: plan('a'), cleanup: plan('a') };
    expect((await request('POST', 'operatorversions', version('0.2.0', plans))).status).toBe(201);
    const patch = { spec: { operatorVersion: { name: 'pond-0.2.0' }, planExecution: {} } };
    expect((await merge('app', patch)).status).toBe(200);
    await lab.ends('app', 'upgrade');
    expect(lab.find('configmaps', 'app')?.data).toEqual({ v: '2', by: '0.2.0' });
  });

  it('uninstall deletes in the background; the cleanup plan runs first', async () => {
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
    expect((await request('DELETE', 'instances/app', options)).status).toBe(200);
    await world.until('it is gone', () => lab.find('instances', 'app') === undefined);
    expect(lab.reasons('app')).toContain('PlanFinished');
  });
});
