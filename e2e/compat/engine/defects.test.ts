import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, job, oneStep, plan, remove, statefulSet, task } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'defects');
});
afterAll(() => engine?.stop());

const done = task('done', 'Dummy', { done: true });
const theirs = (name: string, uid = '') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name,
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid, controller: true }],
  },
  data: {},
});

/** Defects of KUDO (`docs/compatibility.md`, "Different, on purpose") that no conformance case shows. */
describe('defects of KUDO', () => {
  it('T-07 a StatefulSet with the update strategy OnDelete completes its plan', async () => {
    const spec = { spec: '  updateStrategy: {type: OnDelete}\n' };
    await lab.deploy('t07', oneStep([apply('a', 's.yaml')], { templates: { 's.yaml': statefulSet('t07', spec) } }));
    expect(lab.ready('t07')).toMatchObject({ status: 'True' });
  });

  it('T-08 a Job of three completions is done after all three', async () => {
    const templates = { 'j.yaml': job('t08', 'true', '  completions: 3\n') };
    await lab.deploy('t08', oneStep([apply('a', 'j.yaml')], { templates }));
    expect(lab.find('jobs', 't08')?.status).toMatchObject({ succeeded: 3 });
  });

  it('T-09 a terminal status that a user writes ends the plan, and the plan has that status', async () => {
    await lab.create('t09', await lab.operator('t09', oneStep([task('never', 'Dummy')])));
    await lab.step('t09', 'deploy.main.run', 'IN_PROGRESS');
    await lab.patch('instances', 't09', { spec: { planExecution: { status: 'FATAL_ERROR' } } });
    const after = await lab.ends('t09', 'deploy', { status: 'FATAL_ERROR' });
    expect(after.status?.planStatus?.deploy?.message).toBe('The plan was ended by hand.');
  });

  it('T-12 a pipe in a step with an unfinished task runs its pod once', async () => {
    engine.files.contents.set('/out/f', Buffer.from('x'));
    const pod =
      'apiVersion: v1\nkind: Pod\nmetadata: {}\nspec:\n  volumes: [{name: out, emptyDir: {}}]\n  initContainers: [{name: i, image: busybox, volumeMounts: [{name: out, mountPath: /out}]}]\n';
    const pipe = task('gen', 'Pipe', { pod: 'p.yaml', pipe: [{ file: '/out/f', kind: 'Secret', key: 'k' }] });
    const spec = oneStep([pipe, task('never', 'Dummy')], { templates: { 'p.yaml': pod } });
    await lab.create('t12', await lab.operator('t12', spec));
    await engine.until('the artifact exists', () => lab.find('secrets', 't12.deploy.main.run.gen.k') !== undefined);
    await engine.pass(300_000);
    expect(lab.writes('pods', 't12.deploy.main.run.gen.pipepod', 'POST')).toHaveLength(1);
  });

  it('T-28 an object too large for its last-applied annotation is applied and changed without it', async () => {
    const templates = { 'c.yaml': configMap('t28', '{value: "{{ .Params.V }}", large: "{{ repeat 300000 "x" }}"}') };
    const spec = oneStep([apply('a', 'c.yaml')], { templates, parameters: [{ name: 'V', default: 'one' }] });
    await lab.deploy('t28', spec);
    await lab.edit('t28', { parameters: { V: 'two' } }, 'deploy');
    expect(stringAt(lab.find('configmaps', 't28'), 'data', 'value')).toBe('two');
  });

  it('T-31 an object of another controller is neither deleted nor overwritten', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other' }, data: {} };
    const { uid } = (await lab.put('configmaps', owner)).metadata;
    await lab.put('configmaps', theirs('t31', uid));
    const templates = { 'c.yaml': configMap('t31') };
    await lab.deploy('t31', oneStep([remove('d', 'c.yaml')], { templates }), {}, { status: 'FATAL_ERROR' });
    await lab.deploy('t31b', oneStep([apply('a', 'c.yaml')], { templates }), {}, { status: 'FATAL_ERROR' });
    expect([lab.reasons('t31'), lab.reasons('t31b')]).toEqual([
      ['PlanStarted', 'NotOwned'],
      ['PlanStarted', 'NotOwned'],
    ]);
    expect(lab.find('configmaps', 't31')?.data ?? {}).toEqual({});
  });

  it('T-32 the child of another parent is not taken over', async () => {
    await lab.operator('t32-kid', oneStep([done]));
    const parent = oneStep([
      task('kid', 'KudoOperator', { package: 't32-kid', operatorVersion: '1', instanceName: 't32-shared' }),
    ]);
    await lab.deploy('t32', parent);
    await lab.deploy('t32b', parent, {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons('t32b')).toContain('NotOwned');
  });

  it('T-32 an Instance of another operator is not taken over, but one of the same operator is', async () => {
    await lab.operator('t32-same', oneStep([done]));
    await lab.create('t32-own', 't32-same-1', {}, { labels: { 'kudo.dev/operator': 't32-same' } });
    await lab.ends('t32-own', 'deploy');
    const childOf = (instanceName: string) =>
      oneStep([task('kid', 'KudoOperator', { package: 't32-same', operatorVersion: '1', instanceName })]);
    await lab.deploy('t32c', childOf('t32-own'));
    await lab.create('t32-other', 't32-same-1', {}, { labels: { 'kudo.dev/operator': 'another' } });
    await lab.ends('t32-other', 'deploy');
    await lab.deploy('t32d', childOf('t32-other'), {}, { status: 'FATAL_ERROR' });
    expect(lab.stepNow('t32d', 'deploy.main.run')?.message).toMatch(
      /Instance t32-other is one of operator another .* give task kid another instanceName/,
    );
  });

  it('T-35 a deleted Instance waits for its missing OperatorVersion with an event; without a finalizer it is deleted at once', async () => {
    const clean = oneStep([done], { plans: { deploy: plan(['run', 'done']), cleanup: plan(['run', 'done']) } });
    await lab.deploy('t35', clean);
    await lab.deploy('t35b', oneStep([done]));
    for (const name of ['t35', 't35b']) {
      await lab.remove('operatorversions', `${name}-1`);
      await lab.remove('instances', name);
    }
    await engine.pass(60_000);
    expect(lab.find('instances', 't35b')).toBeUndefined();
    expect(lab.reasons('t35')).toContain('InvalidOperatorVersion');
    expect(lab.ready('t35')?.message).toMatch(
      /Install the version again, or remove the finalizer kudo\.dev\.instance\.cleanup/,
    );
    await lab.operator('t35', clean);
    await engine.until('the Instance is deleted', () => lab.find('instances', 't35') === undefined, 120_000);
  });
});
