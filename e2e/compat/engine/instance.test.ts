import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { instancesOf, ownerKeyOf } from '@/server/controller/watches';
import type { Cache } from '@/server/kube/cache';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, oneStep, plan, task } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'control');
});
afterAll(() => engine?.stop());

const done = task('done', 'Dummy', { done: true });
const never = task('never', 'Dummy');
const waiting = (name: string): OperatorVersionSpec =>
  oneStep([apply('a', 'c.yaml'), never], { templates: { 'c.yaml': configMap(name) } });
const callsOn = (name: string) =>
  engine.calls.filter(({ path }) => path.includes(`/${lab.namespace}/`) && path.includes(name));
const isStatusPut = (name: string) => (call: { method: string; path: string }) =>
  call.method === 'PUT' && call.path.endsWith(`/instances/${name}/status`);

describe('the lifecycle of an Instance', () => {
  it('CTL-01 a deleted Instance is ignored', async () => {
    await lab.create('ctl01', await lab.operator('ctl01', waiting('ctl01')));
    await lab.step('ctl01', 'deploy.main.run', 'IN_PROGRESS');
    const problems = engine.problems.length;
    await lab.remove('instances', 'ctl01');
    await engine.pass(5_000);
    // The record of its run stays, and a sweep notes that the Instance is gone.
    const calls = () => callsOn('ctl01').filter(({ path }) => !path.includes('/planruns/')).length;
    const before = calls();
    await engine.pass(300_000);
    expect(calls()).toBe(before);
    expect(engine.problems.slice(problems)).toEqual([]);
  });

  it('CTL-11 a finalizer without a cleanup plan is removed with the write that ends a plan, and blocks no deletion', async () => {
    const version = await lab.operator('ctl11', oneStep([done]));
    const finalizers = ['kudo.dev.instance.cleanup', 'test.bravo.dev/hold'];
    await lab.create('ctl11', version, {}, { finalizers });
    expect((await lab.ends('ctl11', 'deploy')).metadata.finalizers).toEqual(['test.bravo.dev/hold']);
    await lab.patch('instances', 'ctl11', { metadata: { finalizers: ['kudo.dev.instance.cleanup'] } });
    await lab.remove('instances', 'ctl11');
    await engine.until('the Instance is deleted', () => lab.find('instances', 'ctl11') === undefined, 10_000);
  });

  it('CTL-13 (differs, T-04) a cleanup plan that came with an upgrade runs when the Instance is deleted', async () => {
    const first = oneStep([done]);
    await lab.deploy('ctl13', first);
    const cleaned = {
      templates: { 'c.yaml': configMap('ctl13-cleaned') },
      tasks: [done, apply('clean', 'c.yaml'), never],
    };
    const plans = { deploy: plan(['run', 'done']), cleanup: plan(['run', 'clean', 'never']) };
    const version = await lab.operator('ctl13', { ...cleaned, plans, version: '2' });
    await lab.edit('ctl13', { operatorVersion: { name: version } }, 'deploy');
    expect(lab.instance('ctl13').metadata.finalizers).toEqual(['kudo.dev.instance.cleanup']);
    await lab.remove('instances', 'ctl13');
    await lab.step('ctl13', 'cleanup.main.run', 'IN_PROGRESS');
    expect(lab.instance('ctl13').spec?.planExecution?.planName).toBe('cleanup');
  });

  it('CTL-16 (differs, T-02) a running plan that its OperatorVersion no longer has ends, and an event says so', async () => {
    await lab.create('ctl16', await lab.operator('ctl16', oneStep([never])));
    await lab.step('ctl16', 'deploy.main.run', 'IN_PROGRESS');
    await engine.stopController();
    const secrets = engine.sandbox.api.list({
      group: '',
      version: 'v1',
      resource: 'secrets',
      namespace: lab.namespace,
    });
    for (const { metadata } of secrets) await lab.remove('secrets', metadata.name ?? '');
    await lab.patch('operatorversions', 'ctl16-1', { spec: { plans: { deploy: null, other: {} } } });
    await engine.startController();
    await engine.until(
      'the Instance is idle',
      () => (lab.instance('ctl16').spec?.planExecution?.planName ?? '') === '',
      60_000,
    );
    await engine.pass(2_000);
    expect(lab.reasons('ctl16')).toContain('ChangeRefused');
  });

  it('CTL-22 after the end of a plan the controller sends no requests', async () => {
    await lab.deploy('ctl22', oneStep([apply('a', 'c.yaml')], { templates: { 'c.yaml': configMap('ctl22') } }));
    const calls = callsOn('ctl22').length;
    await engine.pass(600_000);
    expect(callsOn('ctl22').length).toBe(calls);
  });

  it('CTL-23 (differs, T-10) a waiting plan is reconciled more and more rarely, at least every 60 s', async () => {
    await lab.create('ctl23', await lab.operator('ctl23', waiting('ctl23')));
    await lab.step('ctl23', 'deploy.main.run', 'IN_PROGRESS');
    await engine.pass(600_000);
    const reads = callsOn('configmaps/ctl23').map(({ atMs }) => atMs);
    const gaps = reads.slice(1).map((atMs, index) => atMs - (reads[index] ?? 0));
    expect(gaps[0]).toBeLessThan(3_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(60_500);
    expect(reads.length).toBeLessThan(45);
    expect(callsOn('ctl23').filter(isStatusPut('ctl23')).length).toBeLessThanOrEqual(2);
  });

  it('CTL-24 CTL-25 a plan starts with one event and ends with one', async () => {
    await lab.deploy('ctl24', oneStep([done]));
    expect(lab.events('ctl24').map(({ type, reason, message }) => [type, reason, message])).toEqual([
      ['Normal', 'PlanStarted', 'Execution of plan deploy started'],
      ['Normal', 'PlanFinished', 'Execution of plan deploy finished with status COMPLETE'],
    ]);
  });

  it('CTL-27 the end of a plan is not announced while its status cannot be written', async () => {
    const refused = isStatusPut('ctl27');
    engine.refuse((request) => (refused(request) ? 500 : undefined));
    await lab.create('ctl27', await lab.operator('ctl27', oneStep([done])));
    await engine.pass(30_000);
    expect(lab.reasons('ctl27')).not.toContain('PlanFinished');
    expect(lab.instance('ctl27').spec?.planExecution?.planName).toBe('deploy');
    engine.refuse(undefined);
    await lab.ends('ctl27', 'deploy');
    expect(lab.reasons('ctl27').filter((reason) => reason === 'PlanFinished')).toHaveLength(1);
  });

  it('CTL-28 (differs) planExecution names a plan before its status does, until its status is terminal', async () => {
    await lab.deploy('ctl28', oneStep([done]));
    const writes = lab.writes('instances', 'ctl28').map(({ method, path, body }) => {
      const { planName = 'idle' } =
        ((body?.spec ?? {}) as { planExecution?: { planName?: string } }).planExecution ?? {};
      return path.endsWith('/status') ? `${method} status` : `${method} ${planName}`;
    });
    expect(writes[0]).toBe('PUT deploy');
    expect(writes.at(-1)).toBe('PUT idle');
    expect(new Set(writes.slice(1, -1))).toEqual(new Set(['PUT status']));
  });

  it('CTL-29 a status that cannot be written because the Instance was deleted is dropped', async () => {
    const gate = isStatusPut('ctl29');
    engine.refuse((request) => (gate(request) ? 404 : undefined));
    await lab.create('ctl29', await lab.operator('ctl29', oneStep([done])));
    await engine.until('the write was tried', () => engine.calls.some(gate));
    await lab.remove('instances', 'ctl29');
    await engine.pass(10_000);
    const tried = engine.calls.filter(gate).length;
    await engine.pass(300_000);
    expect(engine.calls.filter(gate).length).toBe(tried);
    engine.refuse(undefined);
  });

  it('CTL-36 a template has no variables of pipes of another plan', async () => {
    const pipe = task('pipe', 'Pipe', { pod: 'p.yaml', pipe: [{ file: '/d/f', kind: 'Secret', key: 'k' }] });
    const spec = {
      templates: { 'c.yaml': configMap('ctl36', '{k: "{{ .Pipes.k }}"}'), 'p.yaml': '' },
      tasks: [pipe, apply('a', 'c.yaml')],
      plans: { deploy: plan(['run', 'a']), other: plan(['pipe', 'pipe']) },
    };
    await lab.deploy('ctl36', spec, {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons('ctl36')).toContain('TaskRenderingError');
  });
});

describe('what enqueues an Instance', () => {
  const pod = (annotations: { [key: string]: string }): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'p',
      namespace: 'n',
      annotations,
      ownerReferences: [{ apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'i', uid: 'u', controller: true }],
    },
  });

  it('CTL-30 the end of a pipe’s pod does not enqueue it, the end of any other pod does', () => {
    const piped = pod({ 'kudo.dev/pipepod': 'true' });
    expect(ownerKeyOf({ type: 'DELETED', object: piped })).toBeUndefined();
    expect(ownerKeyOf({ type: 'MODIFIED', object: piped })).toBe('n/i');
    expect(ownerKeyOf({ type: 'DELETED', object: pod({}) })).toBe('n/i');
  });

  it('CTL-31 an OperatorVersion enqueues exactly the Instances that refer to it', () => {
    const instance = (namespace: string, name: string, operatorVersion: object) => ({
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name, namespace },
      spec: { operatorVersion },
    });
    const all = [
      instance('a', 'here', { name: 'v' }),
      instance('a', 'other', { name: 'w' }),
      instance('b', 'same-name', { name: 'v' }),
      instance('b', 'from-b', { name: 'v', namespace: 'a' }),
    ];
    const cache = { list: () => all } as unknown as Cache;
    const version = {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'OperatorVersion',
      metadata: { name: 'v', namespace: 'a' },
    };
    expect(instancesOf(cache, version)).toEqual(['a/here', 'b/from-b']);
  });

  it('CTL-32 a child enqueues its parent at once, however long the parent has waited', async () => {
    const child = oneStep([never]);
    await lab.operator('ctl32-child', child);
    const kudo = task('child', 'KudoOperator', {
      package: 'ctl32-child',
      operatorVersion: '1',
      instanceName: 'ctl32-kid',
    });
    await lab.create('ctl32', await lab.operator('ctl32', oneStep([kudo])));
    await lab.step('ctl32-kid', 'deploy.main.run', 'IN_PROGRESS');
    await engine.pass(600_000);
    await lab.patch('operatorversions', 'ctl32-child-1', {
      spec: { tasks: [{ name: 'never', kind: 'Dummy', spec: { done: true } }] },
    });
    await lab.patch('instances', 'ctl32-kid', { spec: { planExecution: { planName: 'deploy', uid: 'again' } } });
    const isIdle = (name: string) => (lab.instance(name).spec?.planExecution?.planName ?? '') === '';
    await engine.until('the child is idle', () => isIdle('ctl32-kid'));
    await engine.until('the parent is idle', () => isIdle('ctl32'), 1_000);
  });
});
