import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, deployment, oneStep, plan, statefulSet } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'hash');
});
afterAll(() => engine?.stop());

const volume = (name: string) => `      volumes: [{name: v, configMap: {name: ${name}, optional: true}}]\n`;
const hashOf = (resource: string, name: string) =>
  stringAt(lab.find(resource, name)?.spec, 'template', 'metadata', 'annotations', 'kudo.dev/dependencies-hash');
const podNames = (name: string) =>
  engine.sandbox.api
    .list({ group: '', version: 'v1', resource: 'pods', namespace: lab.namespace })
    .filter(({ metadata }) => metadata.labels?.['kudo.dev/instance'] === name)
    .map(({ metadata }) => metadata.name)
    .sort();

describe('the hash of dependencies', () => {
  const parameters = [
    { name: 'V', default: 'one', trigger: 'config' },
    { name: 'N', default: '1', trigger: 'deploy' },
  ];
  const operator = (name: string): OperatorVersionSpec => ({
    templates: {
      'c.yaml': configMap(`${name}-config`, '{value: "{{ .Params.V }}"}'),
      'd.yaml': deployment(name, { replicas: '{{ .Params.N }}', podSpec: volume(`${name}-config`) }),
    },
    tasks: [apply('config', 'c.yaml'), apply('all', 'c.yaml', 'd.yaml')],
    parameters,
    plans: { deploy: plan(['run', 'all']), config: plan(['run', 'config']), all: plan(['run', 'all']) },
  });

  it('HSH-01 is absent when no ConfigMap or Secret is mounted', async () => {
    await lab.deploy('hsh01', oneStep([apply('a', 's.yaml')], { templates: { 's.yaml': statefulSet('hsh01') } }));
    expect(hashOf('statefulsets', 'hsh01')).toBeUndefined();
  });

  it('HSH-02 of a missing ConfigMap is vector d', async () => {
    const templates = { 's.yaml': statefulSet('hsh02', { podSpec: volume('absent') }) };
    await lab.deploy('hsh02', oneStep([apply('a', 's.yaml')], { templates }));
    expect(hashOf('statefulsets', 'hsh02')).toBe('4ae71336e44bf9bf79d2752e234818a5');
  });

  it('HSH-04 changes with the data of a ConfigMap of the same task, and the pods are replaced', async () => {
    const spec = operator('hsh04');
    await lab.deploy('hsh04', {
      ...spec,
      parameters: [
        { name: 'V', default: 'one', trigger: 'all' },
        { name: 'N', default: '1' },
      ],
    });
    const before = [hashOf('deployments', 'hsh04'), podNames('hsh04')];
    await lab.edit('hsh04', { parameters: { V: 'two' } }, 'all');
    await engine.pass(60_000);
    expect(hashOf('deployments', 'hsh04')).toMatch(/^[0-9a-f]{32}$/);
    expect(hashOf('deployments', 'hsh04')).not.toBe(before[0]);
    expect(podNames('hsh04')).not.toEqual(before[1]);
  });

  it('HSH-06 stays when only the number of replicas changes, and no pod is replaced', async () => {
    await lab.deploy('hsh06', operator('hsh06'));
    const hash = hashOf('deployments', 'hsh06');
    const pods = podNames('hsh06');
    await lab.edit('hsh06', { parameters: { N: '2' } }, 'deploy');
    expect(hashOf('deployments', 'hsh06')).toBe(hash);
    expect(podNames('hsh06')).toEqual(expect.arrayContaining(pods));
    expect(podNames('hsh06')).toHaveLength(2);
  });

  it('HSH-07 changes at the next apply of the Deployment when another plan changed the ConfigMap', async () => {
    await lab.deploy('hsh07', operator('hsh07'));
    const hash = hashOf('deployments', 'hsh07');
    await lab.edit('hsh07', { parameters: { V: 'two' } }, 'config');
    expect(lab.find('configmaps', 'hsh07-config')?.data).toEqual({ value: 'two' });
    expect(hashOf('deployments', 'hsh07')).toBe(hash);
    await lab.edit('hsh07', { planExecution: { planName: 'all', uid: 'all' } }, 'all');
    expect(hashOf('deployments', 'hsh07')).not.toBe(hash);
  });
});
