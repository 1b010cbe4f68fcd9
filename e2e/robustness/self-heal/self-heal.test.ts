import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAt, stringAt } from '@/lib/json/json';
import { INVENTORY_ANNOTATION, inventoryOf } from '@/lib/kudo/inventory/inventory';
import { LAST_APPLIED_ANNOTATION, SELF_HEAL_ANNOTATION } from '@/lib/kudo/names';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, deployment, oneStep, plan, remove, task } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'self-heal');
});
afterAll(() => engine?.stop());

const on = { annotations: { [SELF_HEAL_ANNOTATION]: 'on' } };

async function deploy(name: string, spec: OperatorVersionSpec, metadata: object = on): Promise<void> {
  await lab.create(name, await lab.operator(name, spec), {}, metadata as typeof on);
  await lab.ends(name, 'deploy');
}

const names = (instance: string) =>
  inventoryOf(lab.instance(instance))?.runs.flatMap((run) => run.objects.map(({ name }) => name)) ?? [];

describe('self-heal on a virtual clock', () => {
  it('sends no requests at rest: twenty Instances for half an hour cost watches, the lease and a sweep every five minutes', async () => {
    const templates = { 'c.yaml': configMap('{{ .Name }}') };
    const version = await lab.operator('idle', oneStep([apply('a', 'c.yaml')], { templates }));
    for (let index = 0; index < 20; index++) await lab.create(`idle-${index}`, version, {}, on);
    for (let index = 0; index < 20; index++) await lab.ends(`idle-${index}`, 'deploy');
    await engine.pass(60_000);
    const before = engine.calls.length;
    await engine.pass(1_800_000);
    const others = engine.calls
      .slice(before)
      .filter(({ path }) => !path.includes('watch=1') && !path.includes('/leases/'));
    const isSweep = (path: string) => path.startsWith('/api/v1/secrets?fieldSelector=type%3Dbravo.kudo.dev%2Frun');
    expect(others.filter(({ path }) => !isSweep(path)).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    expect(others.length).toBeLessThanOrEqual(6);
  });

  it('does not fight another writer: it reverts at most once in 10 s, then more rarely, and publishes an event', async () => {
    await deploy('fight', oneStep([apply('a', 'c.yaml')], { templates: { 'c.yaml': configMap('fight') } }));
    const startMs = engine.clock.now();
    let rounds = 0;
    while (engine.clock.now() < startMs + 1_800_000) {
      await lab.patch('configmaps', 'fight', { data: { value: `other ${++rounds}` } });
      await engine.pass(6_000);
    }
    const repairs = lab.writes('configmaps', 'fight', 'PATCH').filter(({ atMs }) => atMs >= startMs);
    const gaps = repairs.slice(1).map(({ atMs }, index) => atMs - (repairs[index]?.atMs ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10_000);
    expect(repairs.length).toBeLessThan(12);
    expect(gaps.at(-1)).toBeGreaterThanOrEqual(500_000);
    const slowed = lab.events('fight').filter(({ reason }) => reason === 'RepairSlowed');
    expect(slowed[0]?.message).toContain('ConfigMap fight was reverted 3 times and changed again each time');
  });

  it('leaves the number of replicas to an autoscaler, and reverts it when there is none', async () => {
    await deploy('scaled', oneStep([apply('a', 'd.yaml')], { templates: { 'd.yaml': deployment('scaled') } }));
    const autoscaler = { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' };
    const target = { ...autoscaler, namespace: lab.namespace };
    await engine.run(
      engine.people.create(target, {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'scaled', namespace: lab.namespace },
        spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'scaled' }, maxReplicas: 5 },
      }),
    );
    await lab.patch('deployments', 'scaled', { spec: { replicas: 4 } });
    await engine.pass(60_000);
    const replicas = () => getAt(lab.find('deployments', 'scaled'), 'spec', 'replicas');
    expect(replicas()).toBe(4);
    await lab.patch('deployments', 'scaled', { spec: { minReadySeconds: 1 }, metadata: { labels: { heritage: 'x' } } });
    await engine.until(
      'the label is put back',
      () => lab.find('deployments', 'scaled')?.metadata.labels?.heritage === 'kudo',
    );
    expect(replicas()).toBe(4);
    await engine.run(engine.people.delete({ ...target, name: 'scaled' }));
    await lab.patch('deployments', 'scaled', { spec: { replicas: 3 } });
    await engine.until('the number of replicas is reverted', () => replicas() === 1);
  });

  it('takes over what KUDO left: it restores the objects that exist from then on', async () => {
    const templates = { 'a.yaml': configMap('taken-a'), 'b.yaml': configMap('taken-b') };
    await deploy('taken', oneStep([apply('a', 'a.yaml', 'b.yaml')], { templates }), {});
    await lab.remove('configmaps', 'taken-b');
    await lab.patch('instances', 'taken', { metadata: { annotations: { [INVENTORY_ANNOTATION]: null } } });
    await lab.patch('instances', 'taken', { metadata: on });
    await engine.until('it has an inventory', () => names('taken').length > 0);
    expect(names('taken')).toEqual(['taken-a']);
    await lab.remove('configmaps', 'taken-a');
    await engine.pass(5_000);
    const failed = lab.events('taken').filter(({ reason }) => reason === 'RepairFailed');
    expect(failed.map(({ message }) => message)).toEqual([
      'ConfigMap taken-a is missing, and the controller no longer knows what plan deploy left. Start plan deploy again to restore it.',
    ]);
    expect(lab.find('configmaps', 'taken-b')).toBeUndefined();
  });

  it('restores an object that was deleted before self-heal was turned on, when the templates still render the same', async () => {
    const templates = { 'c.yaml': configMap('later', '{value: "{{ randAlphaNum 20 }}"}') };
    await deploy('later', oneStep([apply('a', 'c.yaml')], { templates }), {});
    const before = lab.find('configmaps', 'later');
    await lab.remove('configmaps', 'later');
    await lab.patch('instances', 'later', { metadata: on });
    await engine.until('the object is restored', () => lab.find('configmaps', 'later') !== undefined);
    expect(lab.find('configmaps', 'later')?.data).toEqual(before?.data);
  });

  it('is turned on by the version, and off by the Instance', async () => {
    const templates = { 'c.yaml': configMap('byversion') };
    const version = await lab.operator('byversion', oneStep([apply('a', 'c.yaml')], { templates }));
    await lab.patch('operatorversions', version, { metadata: on });
    await lab.create('byversion', version);
    await lab.ends('byversion', 'deploy');
    await lab.remove('configmaps', 'byversion');
    await engine.until('the object is restored', () => lab.find('configmaps', 'byversion') !== undefined);
    await lab.patch('instances', 'byversion', { metadata: { annotations: { [SELF_HEAL_ANNOTATION]: 'off' } } });
    await lab.remove('configmaps', 'byversion');
    await engine.pass(120_000);
    expect(lab.find('configmaps', 'byversion')).toBeUndefined();
  });

  it('does not restore an object that no template renders any more', async () => {
    const extra = `{{ if eq .Params.EXTRA "on" }}\n${configMap('stale-extra')}{{ end }}\n`;
    await deploy('stale', {
      templates: { 'a.yaml': configMap('stale-a', '{value: "{{ .Params.EXTRA }}"}'), 'extra.yaml': extra },
      tasks: [apply('all', 'a.yaml', 'extra.yaml'), apply('some', 'a.yaml')],
      parameters: [{ name: 'EXTRA', default: 'on' }],
      plans: { deploy: plan(['run', 'all']), update: plan(['run', 'some']) },
    });
    expect(names('stale').sort()).toEqual(['stale-a', 'stale-extra']);
    await lab.edit('stale', { parameters: { EXTRA: 'off' } }, 'update');
    expect(names('stale')).toEqual(['stale-a']);
    await lab.remove('configmaps', 'stale-extra');
    await engine.pass(60_000);
    expect(lab.find('configmaps', 'stale-extra')).toBeUndefined();
  });

  it('keeps an object as an earlier plan applied it when a later plan with other parameters does not apply it', async () => {
    await deploy('mixed', {
      templates: {
        'a.yaml': configMap('mixed-a', '{value: "{{ .Params.VALUE }}"}'),
        'b.yaml': configMap('mixed-b', '{value: "{{ .Params.VALUE }}"}'),
      },
      tasks: [apply('all', 'a.yaml', 'b.yaml'), apply('some', 'a.yaml')],
      parameters: [{ name: 'VALUE', default: 'one' }],
      plans: { deploy: plan(['run', 'all']), update: plan(['run', 'some']) },
    });
    await lab.edit('mixed', { parameters: { VALUE: 'two' } }, 'update');
    await lab.remove('configmaps', 'mixed-a');
    await lab.remove('configmaps', 'mixed-b');
    await engine.until('both objects are restored', () =>
      ['mixed-a', 'mixed-b'].every((name) => lab.find('configmaps', name)),
    );
    expect(stringAt(lab.find('configmaps', 'mixed-a'), 'data', 'value')).toBe('two');
    expect(stringAt(lab.find('configmaps', 'mixed-b'), 'data', 'value')).toBe('one');
  });

  it('reports what the API refuses to restore, and retries rarely', async () => {
    await deploy('refused', oneStep([apply('a', 'c.yaml')], { templates: { 'c.yaml': configMap('refused') } }));
    engine.refuse(({ method, path }) => (method === 'POST' && path.includes('/configmaps') ? 403 : undefined));
    const startMs = engine.clock.now();
    await lab.remove('configmaps', 'refused');
    await engine.pass(600_000);
    engine.refuse(undefined);
    const tries = engine.calls.filter(
      ({ path, status, atMs }) => path.includes('/configmaps') && status === 403 && atMs >= startMs,
    );
    expect(tries.length).toBeGreaterThan(1);
    expect(tries.length).toBeLessThan(10);
    expect(lab.reasons('refused')).toContain('RepairFailed');
    await engine.until('the object is restored in the end', () => lab.find('configmaps', 'refused') !== undefined);
  });

  it('checks again what it left alone while it could not list autoscalers', async () => {
    const replicas = () => getAt(lab.find('deployments', 'unsized'), 'spec', 'replicas');
    await deploy('unsized', oneStep([apply('a', 'd.yaml')], { templates: { 'd.yaml': deployment('unsized') } }));
    await engine.stopController();
    engine.refuse(({ path }) => (path.includes('/horizontalpodautoscalers') ? 500 : undefined));
    const record = lab.find('deployments', 'unsized')?.metadata.annotations?.[LAST_APPLIED_ANNOTATION] ?? '{}';
    const other = JSON.stringify({ ...JSON.parse(record), spec: { ...JSON.parse(record).spec, replicas: 2 } });
    const metadata = { annotations: { [LAST_APPLIED_ANNOTATION]: other } };
    await lab.patch('deployments', 'unsized', { metadata, spec: { replicas: 2 } });
    await engine.startController();
    await engine.pass(60_000);
    expect(replicas()).toBe(2);
    engine.refuse(undefined);
    await engine.until('the number of replicas is reverted', () => replicas() === 1);
  });

  it('does not revert what a plan wrote before it failed when another plan completes', async () => {
    const size = () => stringAt(lab.find('configmaps', 'halfway-a'), 'data', 'value');
    await deploy('halfway', {
      templates: {
        'a.yaml': configMap('halfway-a', '{value: "{{ .Params.SIZE }}"}'),
        'b.yaml': `{{ if eq .Params.SIZE "many" }}{{ fail "too many" }}{{ end }}${configMap('halfway-b')}`,
        'c.yaml': configMap('halfway-c', '{value: "{{ .Params.OTHER }}"}'),
      },
      tasks: [apply('a', 'a.yaml'), apply('b', 'b.yaml'), apply('c', 'c.yaml')],
      parameters: [
        { name: 'SIZE', default: 'one', trigger: 'deploy' },
        { name: 'OTHER', default: 'x', trigger: 'update' },
      ],
      plans: { deploy: plan(['one', 'a'], ['two', 'b']), update: plan(['one', 'c']) },
    });
    await lab.edit('halfway', { parameters: { SIZE: 'many' } }, 'deploy', { status: 'FATAL_ERROR' });
    expect(size()).toBe('many');
    await lab.edit('halfway', { parameters: { OTHER: 'y' } }, 'update');
    await engine.pass(60_000);
    expect(size()).toBe('many');
    expect(names('halfway').sort()).toEqual(['halfway-b', 'halfway-c']);
    await lab.edit('halfway', { parameters: { SIZE: 'two' } }, 'deploy');
    await lab.patch('configmaps', 'halfway-a', { data: { value: 'by hand' } });
    await engine.until('drift is reverted again', () => size() === 'two');
  });

  it('does not restore what a superseded plan deleted', async () => {
    await deploy('gaveway', {
      templates: { 'a.yaml': configMap('gaveway-a'), 'b.yaml': configMap('gaveway-b') },
      tasks: [
        apply('all', 'a.yaml', 'b.yaml'),
        apply('some', 'a.yaml'),
        remove('clear', 'b.yaml'),
        task('never', 'Dummy', { wantErr: true }),
      ],
      plans: {
        deploy: plan(['run', 'all']),
        update: plan(['run', 'some']),
        hangs: plan(['clear', 'clear'], ['never', 'never']),
      },
    });
    await lab.patch('instances', 'gaveway', { spec: { planExecution: { planName: 'hangs' } } });
    await lab.step('gaveway', 'hangs.main.never', 'ERROR');
    await engine.pass(600_000);
    await lab.patch('instances', 'gaveway', { spec: { planExecution: { planName: 'update', uid: 'by-hand' } } });
    await lab.ends('gaveway', 'update');
    expect(names('gaveway')).toEqual(['gaveway-a']);
    await engine.pass(60_000);
    expect(lab.find('configmaps', 'gaveway-b')).toBeUndefined();
  });
});
