import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { type Instance, KUDO_API_VERSION, type OperatorVersionSpec } from '@/lib/kudo/types';
import {
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  getInstance,
  patchInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { apply, configMap, plan } from '@/test/operators/templates';
import { CONFIGURATION_NAME, CONFIGURATIONS } from './registration';

const NS = 'sources';
const SECRETS = { group: '', version: 'v1', resource: 'secrets', namespace: NS };
const spec: OperatorVersionSpec = {
  version: '1',
  tasks: [apply('t', 'c.yaml')],
  templates: { 'c.yaml': configMap('{{ .Name }}', '{password: "{{ .Params.PASSWORD }}"}') },
  parameters: [{ name: 'PASSWORD', trigger: 'password' }, { name: 'SIZE' }],
  plans: { deploy: plan(['one', 't']), password: plan(['one', 't']) },
};

let engine: Engine;
let version: string;

beforeAll(async () => {
  engine = await startEngine({ webhook: true });
  await createNamespace(engine.api, NS);
  version = await createOperator(engine.api, NS, 'op', spec);
  const configuration = { ...CONFIGURATIONS, name: CONFIGURATION_NAME };
  await eventually('the webhook is registered', () => engine.api.get(configuration));
});
afterAll(() => engine?.stop());

const secret = (name: string, pw: string) =>
  engine.api.create(SECRETS, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: NS },
    stringData: { pw },
  });
const sources = (name: string) => [{ name: 'PASSWORD', secretKeyRef: { name, key: 'pw' } }];
const create = async (name: string, more: object) =>
  (await engine.api.create(
    { ...INSTANCES, namespace: NS },
    {
      apiVersion: KUDO_API_VERSION,
      kind: 'Instance',
      metadata: { name, namespace: NS },
      spec: { operatorVersion: { name: version }, ...more },
    },
  )) as Instance;
const starts = async (name: string, of: string) => {
  const { items } = await engine.api.list({ group: '', version: 'v1', resource: 'events', namespace: NS });
  const isStart = (event: object) =>
    stringAt(event, 'involvedObject', 'name') === name && stringAt(event, 'message')?.includes(`plan ${of} started`);
  return items.filter(isStart).length;
};

describe('the webhook of a running controller and values in Secrets', () => {
  it('lets the plan of a changed key pass, which runs once', async () => {
    await secret('a', 'hunter2-a');
    await create('a', { parametersFrom: sources('a') });
    await planEnds(engine.api, NS, 'a', { plan: 'deploy' });
    await engine.api.patch({ ...SECRETS, name: 'a' }, 'merge', { stringData: { pw: 'hunter2-b' } });
    const done = await planEnds(engine.api, NS, 'a', { plan: 'password' });
    expect(JSON.stringify(done)).not.toMatch(/hunter2|\\u0000/);
    await patchInstance(engine.api, NS, 'a', { parameters: { SIZE: '2' } });
    await planEnds(engine.api, NS, 'a', { plan: 'deploy', notUid: done.status?.planStatus?.deploy?.uid });
    expect(await starts('a', 'password')).toBe(1);
  });

  it('stores a value that only moves without a plan', async () => {
    await secret('moved', 'hunter2-moved');
    await create('moved', { parameters: { PASSWORD: 'hunter2-moved' } });
    await planEnds(engine.api, NS, 'moved', { plan: 'deploy' });
    const patch = { parameters: { PASSWORD: null }, parametersFrom: sources('moved') };
    const written = await patchInstance(engine.api, NS, 'moved', patch as never);
    expect(stringAt(written, 'spec', 'planExecution', 'planName') ?? '').toBe('');
    await eventually('the place is recorded', async () => {
      const instance = await getInstance(engine.api, NS, 'moved');
      return instance !== undefined && actedUpon(instance)?.sources !== undefined ? true : undefined;
    });
    expect(await starts('moved', 'password')).toBe(0);
  });

  it('schedules a plan whose key does not exist yet, and it begins under the same uid', async () => {
    const created = await create('late', { parametersFrom: sources('late') });
    const uid = created.spec?.planExecution?.uid;
    expect(created.spec?.parameters).toBeUndefined();
    await eventually('it says what is missing', async () => {
      const ready = (await getInstance(engine.api, NS, 'late'))?.status?.conditions?.find(
        ({ type }) => type === 'Ready',
      );
      return ready?.reason === 'DependencyMissing' ? true : undefined;
    });
    await secret('late', 'hunter2-late');
    const done = await planEnds(engine.api, NS, 'late', { plan: 'deploy' });
    expect(done.status?.planStatus?.deploy?.uid).toBe(uid);
    const record = actedUpon(done);
    expect(record?.fingerprints?.PASSWORD).toMatch(/^[0-9a-f]{8}:/);
  });
});
