import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberAt } from '@/lib/json/json';
import { extraConditionOf } from '@/lib/kudo/plan/conditions';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { done, errs, never, withBackup } from '@/test/operators/backup-operator';
import {
  apply,
  configMap,
  deployment,
  job,
  oneStep,
  pond,
  pondCrd,
  statefulSet,
  task,
} from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'refusals');
});
afterAll(() => engine?.stop());
const isStalled = (name: string) => extraConditionOf(lab.instance(name), 'Stalled') !== undefined;

describe('a refusal of the API', () => {
  it('T-19 C26 because of an immutable field ends the plan after five tries, with object, field and remedy', async () => {
    const templates = { 'j.yaml': job('t19', 'echo {{ .Params.V }}') };
    await lab.deploy('t19', oneStep([apply('a', 'j.yaml')], { templates, parameters: [{ name: 'V', default: '1' }] }));
    await lab.patch('instances', 't19', { spec: { parameters: { V: '2' } } });
    const { message: tried } = await lab.step('t19', 'deploy.main.run', 'ERROR');
    expect(tried).toContain('Will retry.');
    await lab.ends('t19', 'deploy', { status: 'FATAL_ERROR' });
    const { message } = lab.stepNow('t19', 'deploy.main.run') ?? {};
    expect(message).toMatch(
      /Job t19: spec\.template is immutable.*kubectl delete job t19 -n refusals.*or revert the change/,
    );
    expect(lab.reasons('t19')).toContain('ImmutableField');
    expect(lab.writes('jobs', 't19', 'PATCH').length).toBeLessThanOrEqual(9);
  });

  it('T-41 because of an invalid object ends the plan', async () => {
    const templates = { 'd.yaml': deployment('t41', { labels: ', level: 1' }) };
    await lab.deploy('t41', oneStep([apply('a', 'd.yaml')], { templates }), {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons('t41')).toContain('ObjectRefused');
  });

  it('C16 because the namespace is terminating ends the plan at once', async () => {
    const leaving = await Lab.open(engine, 'leaving');
    const spec = { ...withBackup(never), templates: { 'c.yaml': configMap('c16') } };
    const tasks = [never, done, apply('a', 'c.yaml')];
    await leaving.create('c16', await leaving.operator('c16', { ...spec, tasks }), {}, { finalizers: ['test/hold'] });
    await leaving.step('c16', 'deploy.main.run', 'IN_PROGRESS');
    await leaving.remove('instances', 'c16');
    await leaving.remove('namespaces', 'leaving');
    await engine.pass(5_000);
    const writes = leaving.writes('configmaps', 'c16').length;
    await engine.pass(600_000);
    expect(leaving.writes('configmaps', 'c16').length - writes).toBe(0);
    await leaving.patch('instances', 'c16', { metadata: { finalizers: null } });
  });

  it('C18 because of an unknown kind lets the plan wait with a message, until the kind is served', async () => {
    const templates = { 'pond.yaml': pond('c18', '{deep: {a: 1}}') };
    await lab.create('c18', await lab.operator('c18', oneStep([apply('a', 'pond.yaml')], { templates })));
    await engine.pass(10_000);
    expect(lab.stepNow('c18', 'deploy.main.run')).toMatchObject({
      status: 'IN_PROGRESS',
      message: expect.stringMatching(
        /^waits for a kind: the cluster does not know the kind Pond in lab\.example\.org\/v1/,
      ),
    });
    const crd = oneStep([apply('crd', 'crd.yaml')], { templates: { 'crd.yaml': pondCrd } });
    await lab.deploy('c18-crd', crd);
    await lab.ends('c18', 'deploy');
  });
});

describe('C25 the reason why a step waits', () => {
  const restricted = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const open = (name: string) =>
    lab.put('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: restricted } });

  it.each<[string, string]>([
    ['Deployment', deployment('held')],
    ['StatefulSet', statefulSet('held')],
    ['Job', job('held')],
  ])('is said of a %s that may not make its pods', async (kind, template) => {
    const name = `held-${kind.toLowerCase()}`;
    await open(name);
    const place = new Lab(engine, name);
    const spec = oneStep([apply('a', 'x.yaml')], { templates: { 'x.yaml': template } });
    await place.create('i', await place.operator('i', spec));
    await engine.pass(120_000);
    expect(place.stepNow('i', 'deploy.main.run')?.message).toMatch(
      new RegExp(`^${kind} held: .*pods cannot be created: .*forbidden: violates PodSecurity`),
    );
    expect(extraConditionOf(place.instance('i'), 'Stalled')?.reason).toBe('ResourceNotReady');
  });

  it('is a pod for which no node has room', async () => {
    const templates = { 'd.yaml': deployment('room', { podSpec: '      nodeSelector: {disk: none}\n' }) };
    await lab.create('room', await lab.operator('room', oneStep([apply('a', 'd.yaml')], { templates })));
    await engine.pass(20_000);
    expect(lab.stepNow('room', 'deploy.main.run')?.message).toMatch(
      /^Deployment room: 0 of 1 available; pod room-[^:]+: Unschedulable: 0\/1 nodes are available/,
    );
  });

  it('is the reason why the child operator waits', async () => {
    await lab.operator('inner', oneStep([errs]));
    const kid = task('kid', 'KudoOperator', { package: 'inner', operatorVersion: '1', instanceName: 'inner-kid' });
    await lab.create('outer', await lab.operator('outer', oneStep([kid])));
    await engine.pass(240_000);
    expect(lab.stepNow('outer', 'deploy.main.run')?.message).toMatch(
      /^Instance inner-kid: Plan deploy is stalled: step run: .*dummy error/,
    );
    expect(isStalled('outer')).toBe(true);
  });
});

describe('C29 an object that another client changes back at once', () => {
  it('is written at most every ten seconds, and the step says so', async () => {
    const templates = { 'd.yaml': deployment('fight', { image: 'nonexistent', replicas: 3 }) };
    await lab.create('fight', await lab.operator('fight', oneStep([apply('a', 'd.yaml')], { templates })));
    await lab.step('fight', 'deploy.main.run', 'IN_PROGRESS');
    const stopper = new AbortController();
    const fight = async () => {
      const deployments = { group: 'apps', version: 'v1', resource: 'deployments', namespace: lab.namespace };
      const options = { signal: stopper.signal, resourceVersion: '0' };
      for await (const { object } of engine.people.watch(deployments, options)) {
        if (object.metadata.name !== 'fight' || numberAt(object.spec, 'replicas') !== 3) continue;
        await engine.people.patch({ ...deployments, name: 'fight' }, 'merge', { spec: { replicas: 2 } });
      }
    };
    fight().catch(() => undefined);
    await engine.pass(45_000);
    const { message } = lab.stepNow('fight', 'deploy.main.run') ?? {};
    stopper.abort();
    const times = lab.writes('deployments', 'fight', 'PATCH').map(({ atMs }) => atMs);
    expect(times.length).toBeGreaterThan(2);
    const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10_000);
    expect(message).toContain('Deployment fight: was changed by somebody else since it was applied');
    await engine.pass(60_000);
    expect(numberAt(lab.find('deployments', 'fight')?.spec, 'replicas')).toBe(3);
  });
});
