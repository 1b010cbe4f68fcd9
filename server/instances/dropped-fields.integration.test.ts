import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { numberAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { SELF_HEAL_ANNOTATION } from '@/lib/kudo/names';
import { silentLog } from '@/server/log/log';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { plan } from '@/test/operators/templates';
import { countDrift } from './count-drift';
import { driftReport } from './drift-report';
import { restoreObjects } from './restore-objects';

const namespace = 'dropped';
const WIDGETS = { group: 'test.dev', version: 'v1', resource: 'widgets', namespace };

/** The API keeps `size` and drops `colour`, as an older Kubernetes drops a field of a later one. */
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.test.dev' },
  spec: {
    group: 'test.dev',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
};

describe('a field that the API server does not store', () => {
  let engine: Engine;
  let version: string;
  beforeAll(async () => {
    engine = await startEngine({ podDelayMs: 0 });
    await createNamespace(engine.api, namespace);
    const crds = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
    await engine.api.create(crds, definition);
    await eventually('widgets are served', () => engine.api.list(WIDGETS).catch(() => undefined));
    version = await createOperator(engine.api, namespace, 'painter', {
      templates: {
        'widget.yaml':
          'apiVersion: test.dev/v1\nkind: Widget\nmetadata: {name: "{{ .Name }}"}\nspec: {size: 1, colour: red}\n',
      },
      tasks: [{ name: 'all', kind: 'Apply', spec: { resources: ['widget.yaml'] } }],
      plans: { deploy: plan(['one', 'all']) },
    });
  });
  afterAll(() => engine?.stop());

  const key = (name: string) => ({ namespace, name });
  const deps = () => ({ api: engine.api, clock: systemClock, log: silentLog });
  const drifted = async (name: string) => (await driftReport(engine.api, key(name))).drifted;
  const resize = (name: string) => engine.api.patch({ ...WIDGETS, name }, 'merge', { spec: { size: 2 } });
  const sizeOf = async (name: string) => numberAt(await engine.api.get({ ...WIDGETS, name }), 'spec', 'size');

  async function installed(name: string, selfHeal: 'on' | 'off'): Promise<void> {
    await createInstance(engine.api, namespace, name, version);
    const metadata = { annotations: { [SELF_HEAL_ANNOTATION]: selfHeal } };
    await engine.api.patch({ ...INSTANCES, namespace, name }, 'merge', { metadata });
    await planEnds(engine.api, namespace, name, { plan: 'deploy' });
  }

  it('is not drift, before and after a restore, and hides no other change', async () => {
    await installed('shown', 'off');
    expect(await drifted('shown')).toEqual([]);
    await resize('shown');
    expect((await drifted('shown')).map(({ words }) => words)).toEqual(['spec.size is 2, the last plan left 1']);
    expect(await countDrift(engine.api, [`${namespace}/shown`])).toEqual({ [`${namespace}/shown`]: 1 });
    expect(await restoreObjects(deps(), key('shown'), undefined)).toMatchObject({ failed: [] });
    expect(await sizeOf('shown')).toBe(1);
    expect(await drifted('shown')).toEqual([]);
    expect(await countDrift(engine.api, [`${namespace}/shown`])).toEqual({});
  });

  it('is not in the description of a repair', async () => {
    await installed('healed', 'on');
    await resize('healed');
    await eventually('it is put back', async () => ((await sizeOf('healed')) === 1 ? true : undefined));
    const event = await eventually('an event says so', async () => {
      const { items } = await engine.api.list({ group: '', version: 'v1', resource: 'events', namespace });
      return items.find(({ reason, message }) => reason === 'Repaired' && String(message).includes('Widget healed'));
    });
    expect(event.message).toMatch(/what plan deploy left: spec\.size is 2, the last plan left 1\.$/);
  });
});
