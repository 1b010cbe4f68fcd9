import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectAt, stringAt } from '@/lib/json/json';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, deployment, job, oneStep } from '@/test/operators/templates';

describe('Apply over an existing object', () => {
  let engine: VirtualEngine;
  let lab: Lab;

  beforeAll(async () => {
    engine = await startVirtualEngine();
    await engine.startController();
    lab = await Lab.open(engine, 'apply-over');
  });
  afterAll(() => engine?.stop());

  it('APL-11 a Service keeps its clusterIP when its selector changes', async () => {
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: {name: apl11}\nspec:\n  selector: {app: "{{ .Params.APP }}"}\n  ports: [{port: 80}]\n';
    const spec = { templates: { 's.yaml': service }, parameters: [{ name: 'APP', default: 'one' }] };
    await lab.deploy('apl11', oneStep([apply('a', 's.yaml')], spec));
    const before = stringAt(lab.find('services', 'apl11')?.spec, 'clusterIP');
    await lab.edit('apl11', { parameters: { APP: 'two' } }, 'deploy');
    expect(lab.find('services', 'apl11')?.spec).toMatchObject({ clusterIP: before, selector: { app: 'two' } });
    expect(before).toMatch(/\d/);
  });

  it('the next plan reverts the number of a Service port that a user changed by hand', async () => {
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: {name: ports}\nspec:\n  selector: {app: "{{ .Params.APP }}"}\n  ports: [{name: web, port: 80}, {name: admin, port: 81}]\n';
    const spec = { templates: { 's.yaml': service }, parameters: [{ name: 'APP', default: 'one' }] };
    await lab.deploy('ports', oneStep([apply('a', 's.yaml')], spec));
    const theirs = [
      { name: 'web', port: 8080 },
      { name: 'admin', port: 81 },
    ];
    await lab.patch('services', 'ports', { spec: { ports: theirs } });
    await lab.edit('ports', { parameters: { APP: 'two' } }, 'deploy');
    expect(lab.find('services', 'ports')?.spec).toMatchObject({
      selector: { app: 'two' },
      ports: [
        { name: 'web', port: 80 },
        { name: 'admin', port: 81 },
      ],
    });
  });

  it('APL-12 APL-13 a container or field that a template no longer renders is removed', async () => {
    const more =
      '{{ if eq .Params.MORE "yes" }}      - {name: side, image: nginx}\n      priority: 0\n      hostname: one\n{{ end }}';
    const templates = { 'd.yaml': deployment('apl12', { podSpec: more }) };
    const spec = oneStep([apply('a', 'd.yaml')], { templates, parameters: [{ name: 'MORE', default: 'yes' }] });
    await lab.deploy('apl12', spec);
    expect(podSpecOf('apl12')).toMatchObject({ hostname: 'one' });
    await lab.edit('apl12', { parameters: { MORE: 'no' } }, 'deploy');
    const after = podSpecOf('apl12');
    expect((after.containers as { name: string }[]).map(({ name }) => name)).toEqual(['main']);
    expect(after).not.toHaveProperty('hostname');
    expect(after).not.toHaveProperty('priority');
  });

  it('APL-14 a label that a user added by hand stays', async () => {
    const templates = { 'c.yaml': configMap('apl14', '{value: "{{ .Params.V }}"}') };
    const spec = oneStep([apply('a', 'c.yaml')], { templates, parameters: [{ name: 'V', default: '1' }] });
    await lab.deploy('apl14', spec);
    await lab.patch('configmaps', 'apl14', { metadata: { labels: { mine: 'yes' } } });
    await lab.edit('apl14', { parameters: { V: '2' } }, 'deploy');
    expect(lab.find('configmaps', 'apl14')).toMatchObject({
      data: { value: '2' },
      metadata: { labels: { mine: 'yes' } },
    });
  });

  it('fields that a kind does not have and the API drops are sent once, and do not block the step', async () => {
    const odd = deployment('odd', {
      spec: '  typo: {a: 1}\n  strategy: null\n',
      podSpec: '      nodeSelector:\n      oops: 1\n',
    });
    await lab.deploy('odd', oneStep([apply('a', 'd.yaml')], { templates: { 'd.yaml': odd } }));
    expect(lab.writes('deployments', 'odd', 'PATCH').length).toBeLessThan(2);
    expect(JSON.stringify(lab.find('deployments', 'odd'))).not.toContain('"typo":{"a"');
    engine.calls.length = 0;
    const startedMs = engine.clock.now();
    await lab.edit('odd', { planExecution: { planName: 'deploy', uid: 'again' } }, 'deploy');
    expect([lab.writes('deployments', 'odd').length < 2, engine.clock.now() - startedMs < 5_000]).toEqual([true, true]);
  });

  it('APL-16 an object without annotations is adopted, and none of its fields is removed', async () => {
    await lab.put('configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'apl16' },
      data: { theirs: 'kept', value: 'old' },
    });
    await lab.deploy('apl16', oneStep([apply('a', 'c.yaml')], { templates: { 'c.yaml': configMap('apl16') } }));
    expect(lab.find('configmaps', 'apl16')).toMatchObject({
      data: { theirs: 'kept', value: 'one' },
      metadata: { ownerReferences: [{ kind: 'Instance', name: 'apl16' }] },
    });
  });

  it('APL-17 an object with annotations of others ends the plan, unless it has the annotation for adoption', async () => {
    const theirs = (annotations: { [key: string]: string }) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'apl17', annotations },
      data: {},
    });
    await lab.put('configmaps', theirs({ 'example.org/made-by': 'hand' }));
    const spec = oneStep([apply('a', 'c.yaml')], { templates: { 'c.yaml': configMap('apl17') } });
    const before = await lab.deploy('apl17', spec, {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons('apl17')).toContain('TaskRenderingError');
    await lab.patch('configmaps', 'apl17', { metadata: { annotations: { 'bravo.kudo.dev/adopt': 'true' } } });
    await lab.edit('apl17', { planExecution: { planName: 'deploy', uid: 'again' } }, 'deploy', {
      not: before.status?.planStatus?.deploy?.uid,
    });
    expect(lab.find('configmaps', 'apl17')?.data).toEqual({ value: 'one' });
  });

  it('APL-18 the template of a Job is immutable: the error is retried, and disappears when the Job is deleted', async () => {
    const templates = { 'j.yaml': job('apl18', 'echo {{ .Params.V }}') };
    await lab.deploy(
      'apl18',
      oneStep([apply('a', 'j.yaml')], { templates, parameters: [{ name: 'V', default: '1' }] }),
    );
    await lab.patch('instances', 'apl18', { spec: { parameters: { V: '2' } } });
    const { message } = await lab.step('apl18', 'deploy.main.run', 'ERROR');
    expect(message).toMatch(/^A transient error when executing task deploy\.main\.run\.a\. Will retry\. .*immutable/);
    await lab.remove('jobs', 'apl18');
    await lab.ends('apl18', 'deploy');
  });

  const podSpecOf = (name: string) => objectAt(lab.find('deployments', name)?.spec, 'template', 'spec');
});
