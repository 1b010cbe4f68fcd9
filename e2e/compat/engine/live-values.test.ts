import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatLiveValues, LIVE_VALUES_ANNOTATION, type TaskLiveValues } from '@/lib/kudo/live-values/live-values';
import { READABLE_FROM_ANNOTATION } from '@/lib/kudo/live-values/named-read';
import { SEEN_INPUTS_ANNOTATION } from '@/lib/kudo/live-values/seen-inputs';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { findDependents } from '@/server/instances/find-dependents';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, plan, pond, pondCrd } from '@/test/operators/templates';

const namespace = 'live';
let world: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  world = await startVirtualEngine();
  await world.startController();
  lab = await Lab.open(world, namespace);
});
afterAll(() => world?.stop());

/** Creates an Instance whose task `a` applies `c.yaml` in plan deploy, and says something beside its spec. */
async function install(
  name: string,
  said: Partial<TaskLiveValues>,
  spec: OperatorVersionSpec,
  parameters: { [name: string]: string } = {},
): Promise<void> {
  const tasks = [apply('a', ...Object.keys(spec.templates ?? {}))];
  const version = await lab.operator(name, { tasks, plans: { deploy: plan(['run', 'a']) }, ...spec });
  const text = formatLiveValues({ a: { reads: [], rules: [], ...said } }) ?? '';
  await lab.patch('operatorversions', version, { metadata: { annotations: { [LIVE_VALUES_ANNOTATION]: text } } });
  await lab.create(name, version, parameters);
}

const readConfig = (name: string) => ({ id: 'config', apiVersion: 'v1', kind: 'ConfigMap', name });
const HOST = '{host: "{{ .Objects.config.data.host }}"}';
const putConfig = (name: string, host: string, where = namespace, annotations = {}) =>
  lab.put(
    'configmaps',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: where, annotations }, data: { host } },
    where,
  );
const deployUid = (name: string) => lab.instance(name).status?.planStatus?.deploy?.uid;
const message = (name: string) => lab.stepNow(name, 'deploy.main.run')?.message;

describe('a task that reads an object', () => {
  it('waits until it exists and is as the task needs it, and says for what', async () => {
    const read = { ...readConfig('{{ .Name }}-from'), readyWhen: ["self.data.host != ''"] };
    await install('one', { reads: [read] }, { templates: { 'c.yaml': configMap('one-out', HOST) } });
    await world.until('it waits', () => message('one')?.includes('ConfigMap one-from') === true);
    expect(message('one')).toContain('waits for ConfigMap one-from, which does not exist yet');
    await putConfig('one-from', '');
    await world.until('it reads', () => message('one')?.includes('readyWhen') === true);
    expect(message('one')).toContain("waits for ConfigMap one-from: readyWhen does not hold: self.data.host != ''");
    expect(lab.find('configmaps', 'one-out')).toBeUndefined();
    await lab.patch('configmaps', 'one-from', { data: { host: 'a.example.org' } });
    await lab.ends('one', 'deploy');
    expect(lab.find('configmaps', 'one-out')?.data).toEqual({ host: 'a.example.org' });
  });

  it('uses the same values to its end, also when the controller dies meanwhile', async () => {
    await putConfig('two-from', 'first');
    const templates = { 'c.yaml': configMap('two-out', HOST) };
    const rules = [{ resource: 'c.yaml', readyWhen: ['has(self.metadata.annotations.go)'] }];
    await install('two', { reads: [readConfig('two-from')], rules }, { templates });
    await world.until('it is applied', () => lab.find('configmaps', 'two-out') !== undefined);
    await world.pass(1_000);
    await lab.patch('configmaps', 'two-from', { data: { host: 'second' } });
    await world.stopController();
    await lab.remove('configmaps', 'two-out');
    await world.startController();
    await world.until('it is applied again', () => lab.find('configmaps', 'two-out') !== undefined);
    expect(lab.find('configmaps', 'two-out')?.data).toEqual({ host: 'first' });
    await lab.patch('configmaps', 'two-out', { metadata: { annotations: { go: 'yes' } } });
    await lab.ends('two', 'deploy');
  });

  it('does not wait for an optional one, which is null then', async () => {
    const text = configMap(
      'three-out',
      '{host: "{{ if .Objects.config }}{{ .Objects.config.data.host }}{{ else }}none{{ end }}"}',
    );
    await install(
      'three',
      { reads: [{ ...readConfig('nowhere'), optional: true }] },
      { templates: { 'c.yaml': text } },
    );
    await lab.ends('three', 'deploy');
    expect(lab.find('configmaps', 'three-out')?.data).toEqual({ host: 'none' });
  });

  it('reads nothing of another namespace that does not allow it', async () => {
    const other = await Lab.open(world, 'other');
    await putConfig('closed', 'x', other.namespace);
    await putConfig('open', 'y', other.namespace, { [READABLE_FROM_ANNOTATION]: `a, ${namespace}` });
    const templates = (name: string) => ({ 'c.yaml': configMap(name, HOST) });
    const elsewhere = (name: string) => ({ ...readConfig(name), namespace: 'other' });
    await install('four', { reads: [elsewhere('closed')] }, { templates: templates('four-out') });
    await lab.ends('four', 'deploy', { status: 'FATAL_ERROR' });
    expect(message('four')).toContain(
      'ConfigMap closed in namespace other may not be read from namespace live; whoever may edit it can allow that with the annotation bravo.kudo.dev/readable-from: live',
    );
    await install('five', { reads: [elsewhere('open')] }, { templates: templates('five-out') });
    await lab.ends('five', 'deploy');
    expect(lab.find('configmaps', 'five-out')?.data).toEqual({ host: 'y' });
  });
});

describe('an object that has changed', () => {
  it('starts the plan of its trigger, once, and only for what templates use', async () => {
    await putConfig('six-from', 'first');
    const reads = [{ ...readConfig('six-from'), trigger: 'deploy' }];
    await install('six', { reads }, { templates: { 'c.yaml': configMap('six-out', HOST) } });
    await lab.ends('six', 'deploy');
    const first = deployUid('six');
    await lab.patch('configmaps', 'six-from', { data: { other: 'x' }, metadata: { labels: { a: 'b' } } });
    await world.pass(120_000);
    expect(deployUid('six')).toBe(first);
    await lab.patch('configmaps', 'six-from', { data: { host: 'second' } });
    await lab.ends('six', 'deploy', { not: first });
    expect(lab.find('configmaps', 'six-out')?.data).toEqual({ host: 'second' });
    const second = deployUid('six');
    await world.pass(120_000);
    expect(deployUid('six')).toBe(second);
    expect(lab.runs('six').at(-1)?.spec).toMatchObject({ cause: 'Object', reason: 'ConfigMap "config" has changed' });
    expect(lab.instance('six').metadata.annotations?.[SEEN_INPUTS_ANNOTATION]).not.toContain('second');
  });

  it('starts it also when it changed while no controller ran, and a plan that fails is not started again', async () => {
    await putConfig('seven-from', 'first');
    const reads = [{ ...readConfig('seven-from'), trigger: 'deploy' }];
    const text = configMap('seven-out', HOST);
    await install(
      'seven',
      { reads },
      { templates: { 'c.yaml': `{{ if eq .Objects.config.data.host "bad" }}{{ fail "no" }}{{ end }}${text}` } },
    );
    await lab.ends('seven', 'deploy');
    const first = deployUid('seven');
    await world.stopController();
    await lab.patch('configmaps', 'seven-from', { data: { host: 'bad' } });
    await world.startController();
    await lab.ends('seven', 'deploy', { not: first, status: 'FATAL_ERROR' });
    const second = deployUid('seven');
    await world.pass(300_000);
    expect(deployUid('seven')).toBe(second);
  });
});

describe('a rule', () => {
  it('leaves a template out, and judges a custom resource by its status', async () => {
    const status = 'status: {type: object, x-kubernetes-preserve-unknown-fields: true}';
    const withStatus = pondCrd.replace('spec: {type: object, x', `${status}\n          spec: {type: object, x`);
    const rules = [
      { resource: 'c.yaml', includeWhen: ['params.WITH_CONFIG'] },
      { resource: 'p.yaml', kind: 'Pond', readyWhen: ["self.status.phase == 'Full'"] },
    ];
    const templates = { 'c.yaml': configMap('eight-out'), 'd.yaml': withStatus, 'p.yaml': pond('eight', '{a: 1}') };
    const parameters = [{ name: 'WITH_CONFIG', 'value-type': 'boolean', default: 'false' }];
    await install('eight', { rules }, { templates, parameters });
    await world.until('it waits', () => message('eight')?.includes('Pond eight') === true);
    expect(message('eight')).toContain("Pond eight: readyWhen cannot be evaluated yet: self.status.phase == 'Full'");
    const started = world.clock.now();
    await lab.patch('ponds', 'eight', { status: { phase: 'Full' } });
    await lab.ends('eight', 'deploy');
    expect(world.clock.now() - started).toBeLessThan(5_000);
    expect(lab.find('configmaps', 'eight-out')).toBeUndefined();
  });
});

describe('a parameter of type instance', () => {
  const operator = (name: string, more: OperatorVersionSpec = {}): OperatorVersionSpec => {
    const own = '{{ .Name }} {{ .Params.SIZE }} {{ range .Services }}{{ .Host }}:{{ .Ports.client }}{{ end }}';
    const known = `{{ if eq .Kind "Instance" }}${own}{{ else }}{{ .Outputs.url }}{{ end }}`;
    const line = `{zk: "{{ with .Refs.ZK }}${known.replaceAll('"', '`')}{{ else }}none{{ end }}"}`;
    const parameters = [{ name: 'ZK', 'value-type': 'instance', required: false }];
    return { templates: { 'c.yaml': configMap(`${name}-out`, line) }, parameters, ...more };
  };
  const service =
    'apiVersion: v1\nkind: Service\nmetadata: {name: zk-client}\nspec: {ports: [{name: client, port: 2181}]}\n';
  const zookeeper: OperatorVersionSpec = {
    version: '3.6.0',
    templates: { 's.yaml': service, 'held.yaml': configMap('zk-held') },
    parameters: [
      { name: 'SIZE', default: '3' },
      { name: 'PASSWORD', default: 'hunter2' },
    ],
    tasks: [apply('s', 's.yaml')],
    plans: { deploy: plan(['run', 's']) },
  };
  const needs = (version: string) => ({
    'bravo.kudo.dev/parameter-schema': JSON.stringify({
      parameters: { ZK: { reference: { operator: 'zk', version } } },
    }),
  });
  const user = async (name: string, value: string, version = '>=3.4') => {
    const spec = { ...operator(name), tasks: [apply('a', 'c.yaml')], plans: { deploy: plan(['run', 'a']) } };
    const made = await lab.operator(name, spec);
    await lab.patch('operatorversions', made, { metadata: { annotations: needs(version) } });
    await lab.create(name, made, { ZK: value });
  };
  const shown = (name: string) => (lab.find('configmaps', `${name}-out`)?.data as { zk?: string } | undefined)?.zk;

  it('waits until the Instance exists and is ready, shows what it is, and runs again when that changes', async () => {
    await user('kafka', 'zk');
    await world.until('it waits', () => message('kafka')?.includes('zk') === true);
    expect(message('kafka')).toContain('waits for Instance zk (parameter ZK), which does not exist');
    await lab.deploy('zk', zookeeper);
    await lab.ends('kafka', 'deploy');
    expect(shown('kafka')).toBe('zk 3 zk-client.live.svc:2181');
    const first = deployUid('kafka');
    await lab.edit('zk', { parameters: { SIZE: '5' } }, 'deploy');
    await lab.ends('kafka', 'deploy', { not: first });
    expect(shown('kafka')).toBe('zk 5 zk-client.live.svc:2181');
    expect(lab.runs('kafka').at(-1)?.spec).toMatchObject({
      cause: 'Object',
      reason: 'What parameter ZK names has changed',
    });
    expect(JSON.stringify(lab.find('configmaps', 'kafka-out'))).not.toContain('hunter2');
    const dependents = await world.run(findDependents(world.people, { namespace, name: 'zk' }));
    expect(dependents).toEqual([{ namespace, name: 'kafka', parameter: 'ZK' }]);
  });

  it('is refused for another version, and follows a connection in a Secret', async () => {
    await user('old', 'zk', '<3');
    await world.until('it waits', () => message('old')?.includes('has version') === true);
    expect(message('old')).toContain(
      'waits for Instance zk (parameter ZK), which has version 3.6.0, which is not in <3, which parameter ZK needs',
    );
    await user('outside', 'Secret/zk-far');
    await lab.put('secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'zk-far', namespace },
      stringData: { url: 'far:2181' },
    });
    await lab.ends('outside', 'deploy');
    expect(shown('outside')).toContain('far:2181');
  });

  it('without a value is null', async () => {
    await user('alone', '');
    await lab.ends('alone', 'deploy');
    expect(shown('alone')).toBe('none');
  });
});
