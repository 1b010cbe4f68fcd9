import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, plan, task } from '@/test/operators/templates';
import { complete, instanceStatusWith, NEW, OLD, operator, planStatus } from './kudo-status';

describe('several Instances that KUDO managed', () => {
  let engine: VirtualEngine;
  let lab: Lab;

  beforeEach(async () => {
    engine = await startVirtualEngine();
    lab = await Lab.open(engine, 'taken');
  });
  afterEach(() => engine?.stop());

  const takeOver = async () => {
    await engine.startController();
    await engine.pass(5_000);
  };

  it('a parent continues to wait for its child, and what a user set on the child stays', async () => {
    const child = await lab.operator('leaf', {
      parameters: [{ name: 'A' }, { name: 'B' }],
      templates: { 'c.yaml': configMap('{{ .Name }}-made', '{a: "{{ .Params.A }}", b: "{{ .Params.B }}"}') },
      tasks: [apply('make', 'c.yaml')],
      plans: { deploy: plan(['one', 'make']) },
    });
    const tree = await lab.operator('tree', {
      templates: { 'params.yaml': 'A: from-parent\n', 'own.yaml': configMap('{{ .Name }}-own') },
      tasks: [
        task('grow', 'KudoOperator', { package: 'leaf', operatorVersion: '1', parameterFile: 'params.yaml' }),
        apply('own', 'own.yaml'),
      ],
      plans: { deploy: plan(['one', 'grow'], ['two', 'own']) },
    });
    const instance = (name: string, version: string, metadata: JsonObject, spec: JsonObject): KubeObject => ({
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name, namespace: 'taken', ...metadata },
      spec: { operatorVersion: { name: version }, ...spec },
    });
    const parent = await lab.put(
      'instances',
      instance('app', tree, {}, { planExecution: { planName: 'deploy', uid: OLD, status: 'IN_PROGRESS' } }),
    );
    await lab.patch(
      'instances',
      'app',
      {
        status: {
          planStatus: { deploy: planStatus('deploy', 'IN_PROGRESS', ['IN_PROGRESS', 'PENDING'], { uid: OLD }) },
        },
      },
      'status',
    );
    const owner = { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'app', uid: parent.metadata.uid ?? '' };
    const parameters = { A: 'from-parent', B: 'by-hand' };
    await lab.put(
      'instances',
      instance(
        'app-leaf',
        child,
        { labels: { 'kudo.dev/operator': 'leaf' }, ownerReferences: [owner] },
        { parameters, planExecution: { planName: 'deploy', uid: NEW, status: 'IN_PROGRESS' } },
      ),
    );
    const oneStep = {
      name: 'deploy',
      status: 'IN_PROGRESS',
      uid: NEW,
      phases: [{ name: 'main', status: 'IN_PROGRESS', steps: [{ name: 'one', status: 'IN_PROGRESS' }] }],
    };
    await lab.patch('instances', 'app-leaf', { status: { planStatus: { deploy: oneStep } } }, 'status');
    await takeOver();
    const after = await lab.ends('app', 'deploy');
    const leaf = lab.instance('app-leaf');
    expect([after.status?.planStatus?.deploy?.uid, leaf.status?.planStatus?.deploy?.uid]).toEqual([OLD, NEW]);
    expect(leaf.spec?.parameters).toEqual(parameters);
    expect(lab.find('configmaps', 'app-leaf-made')?.data).toEqual({ a: 'from-parent', b: 'by-hand' });
  });

  it('several Instances of one OperatorVersion each continue from their own state', async () => {
    const version = await lab.operator('pond', operator());
    for (const [name, status] of [
      ['app', 'COMPLETE'],
      ['other', 'IN_PROGRESS'],
    ] as const) {
      const isDone = status === 'COMPLETE';
      const planExecution = isDone ? {} : { planName: 'deploy', uid: NEW, status };
      await lab.put('instances', {
        apiVersion: 'kudo.dev/v1beta1',
        kind: 'Instance',
        metadata: { name, namespace: 'taken' },
        spec: { operatorVersion: { name: version }, planExecution },
      });
      const deploy = isDone
        ? complete('deploy', OLD)
        : planStatus('deploy', status, ['COMPLETE', 'PENDING'], { uid: NEW });
      await lab.patch('instances', name, { status: instanceStatusWith({ deploy }) }, 'status');
    }
    await takeOver();
    await lab.ends('other', 'deploy');
    expect(lab.find('configmaps', 'other-deploy-two')).toBeDefined();
    expect([lab.find('configmaps', 'other-deploy-one'), lab.find('configmaps', 'app-deploy-one')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
