import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { systemRandom } from '@/lib/random/random';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  getInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { saying, WIPE, wiping } from '@/test/operators/destructive-operator';
import { apply, configMap, deployment, plan, remove } from '@/test/operators/templates';
import { previewPlan } from './preview-plan';
import { triggerPlan } from './trigger-plan';

const NS = 'previewed';
const at = { namespace: NS, name: 'one' };
const CLAIM =
  'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: "{{ .Name }}-data"}\n' +
  'spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 2Gi}}}\n';
let engine: Engine;

beforeAll(async () => {
  engine = await startEngine();
  await createNamespace(engine.api, NS);
  const { parameters = [], templates, tasks = [], plans } = wiping();
  const spec = {
    version: '1',
    parameters: [...parameters, { name: 'SIZE', default: '1', 'value-type': 'integer' }],
    templates: {
      ...templates,
      'claim.yaml': CLAIM,
      'web.yaml': deployment('{{ .Name }}', { replicas: '{{ .Params.SIZE }}' }),
      'old.yaml': configMap('{{ .Name }}-old'),
    },
    tasks: [...tasks, apply('all', 'claim.yaml', 'web.yaml', 'old.yaml'), remove('drop', 'claim.yaml', 'old.yaml')],
    plans: {
      ...plans,
      deploy: plan(['run', 'all']),
      wipe: plan(['drop', 'drop'], ['note', 'wipe']),
      grow: plan(['run', 'all']),
    },
  };
  const version = await createOperator(engine.api, NS, 'op', spec);
  const grow = {
    parameters: ['SIZE'],
    preconditions: [{ expression: 'params.SIZE <= 3', message: 'SIZE is at most 3.' }],
  };
  const metadata = { annotations: saying({ wipe: WIPE, grow }) };
  await engine.api.patch({ ...OPERATOR_VERSIONS, namespace: NS, name: version }, 'merge', { metadata });
  await createInstance(engine.api, NS, 'one', version);
  await planEnds(engine.api, NS, 'one', { plan: 'deploy' });
});
afterAll(() => engine?.stop());

const preview = (name: string, parameters: { [name: string]: string } = {}) =>
  previewPlan(engine.api, at, { plan: name, parameters }, systemClock);

describe('previewPlan', () => {
  it('names the volumes and objects that a plan deletes and creates, and the confirmation that it needs', async () => {
    const found = await preview('wipe');
    expect(found).toMatchObject({
      outcome: 'runs',
      plan: 'wipe',
      message: undefined,
      confirmation: 'wipe/one',
      unchecked: [],
      objects: [
        { kind: 'PersistentVolumeClaim', name: 'one-data', change: 'delete', place: 'main / drop' },
        { kind: 'ConfigMap', name: 'one-old', change: 'delete', place: 'main / drop', after: '' },
        { kind: 'ConfigMap', name: 'one-wiped', change: 'create', place: 'main / note', before: '' },
      ],
      unchanged: 0,
      restarts: [],
      volumes: [{ name: 'one-data', size: '2Gi', goes: true, because: 'Plan wipe deletes it.' }],
      problems: [],
    });
    expect(found.tasks).toEqual([
      {
        ...{ phase: 'main', step: 'drop', task: 'drop', kind: 'Delete' },
        objects: [
          { kind: 'PersistentVolumeClaim', name: 'one-data', change: 'delete' },
          { kind: 'ConfigMap', name: 'one-old', change: 'delete' },
        ],
      },
      {
        ...{ phase: 'main', step: 'note', task: 'wipe', kind: 'Apply' },
        objects: [{ kind: 'ConfigMap', name: 'one-wiped', change: 'create' }],
      },
    ]);
    expect(found.objects[2]?.after).toContain('data:\n  by: "1"\n  from: latest\n');
  });

  it('sees what parameters that go with the start change, and what stays as it is', async () => {
    expect(await preview('grow')).toMatchObject({ objects: [], unchanged: 3, restarts: [], confirmation: undefined });
    expect(await preview('grow', { SIZE: '3' })).toMatchObject({
      outcome: 'runs',
      objects: [{ kind: 'Deployment', name: 'one', change: 'change' }],
      unchanged: 2,
      restarts: ['Deployment one goes from 1 to 3 pods.'],
      volumes: [{ name: 'one-data', goes: false, because: 'Plan grow does not delete it.' }],
    });
  });

  it('says which precondition does not hold', async () => {
    expect(await preview('grow', { SIZE: '4' })).toMatchObject({
      outcome: 'refused',
      message: 'plan "grow" cannot start. SIZE is at most 3',
    });
  });
});

describe('triggerPlan', () => {
  const start = (request: Parameters<typeof triggerPlan>[2]) => triggerPlan(engine.api, at, request, systemRandom);

  it('stores the parameters with the start, under one run', async () => {
    const { uid } = await start({ plan: 'grow', parameters: { SIZE: '2' } });
    await planEnds(engine.api, NS, 'one', { plan: 'grow' });
    const after = await getInstance(engine.api, NS, 'one');
    expect(after?.spec?.parameters).toMatchObject({ SIZE: '2' });
    expect(after?.status?.planStatus?.grow?.uid).toBe(uid);
  });

  it('refuses a destructive plan that the person did not confirm, and starts it when they did', async () => {
    await expect(start({ plan: 'wipe' })).rejects.toMatchObject({ status: 422, reason: 'NotConfirmed' });
    await expect(start({ plan: 'wipe', confirm: 'wipe/two' })).rejects.toMatchObject({ status: 422 });
    await start({ plan: 'wipe', parameters: { FROM: 'monday' }, confirm: 'wipe/one' });
    await planEnds(engine.api, NS, 'one', { plan: 'wipe' });
    const wiped = { group: '', version: 'v1', resource: 'configmaps', namespace: NS, name: 'one-wiped' };
    expect((await engine.api.get(wiped))?.data).toMatchObject({ from: 'monday' });
  });
});
