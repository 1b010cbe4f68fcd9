import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, oneStep, plan, pond, pondCrd, remove } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'definitions');
});
afterAll(() => engine?.stop());

/** The CRD of another kind, so that no two tests share one. */
const crd = (kind: string, change = (text: string) => text): string =>
  change(pondCrd.replaceAll('Pond', kind).replaceAll('pond', kind.toLowerCase()));
const object = (kind: string, name: string): string => pond(name, '{deep: {a: 1}}').replace('Pond', kind);
const target = (kind: string) => ({
  group: 'lab.example.org',
  version: 'v1',
  resource: `${kind.toLowerCase()}s`,
  namespace: 'definitions',
});

describe('a task with a CRD and an object of its kind', () => {
  it('creates the CRD first, wherever it is in the list, and the rest when the kind is served', async () => {
    const templates = { 'x.yaml': object('Lake', 'own'), 'm.yaml': configMap('beside'), 'z.yaml': crd('Lake') };
    await lab.deploy('lake', oneStep([apply('a', 'x.yaml', 'm.yaml', 'z.yaml')], { templates }));
    const found = engine.sandbox.api.get({ ...target('Lake'), name: 'own' });
    expect(found?.metadata.ownerReferences?.[0]).toMatchObject({ kind: 'Instance', name: 'lake' });
    expect(lab.find('configmaps', 'beside')?.data).toEqual({ value: 'one' });
    expect(lab.reasons('lake')).toEqual(['PlanStarted', 'PlanFinished']);
  });

  it('creates an object of a cluster-scoped kind without namespace and owner', async () => {
    const wide = crd('Ocean', (text) => text.replace('scope: Namespaced', 'scope: Cluster'));
    const templates = { 'all.yaml': `${object('Ocean', 'wide')}---\n${wide}` };
    await lab.deploy('ocean', oneStep([apply('a', 'all.yaml')], { templates }));
    const { namespace: _, ...cluster } = target('Ocean');
    const metadata = engine.sandbox.api.get({ ...cluster, name: 'wide' })?.metadata;
    expect([metadata?.name, metadata?.namespace, metadata?.ownerReferences]).toEqual(['wide', undefined, undefined]);
  });

  it('waits, and says for what, while another CRD has the names', async () => {
    await lab.deploy('first', oneStep([apply('a', 'c.yaml')], { templates: { 'c.yaml': crd('Moor') } }));
    const second = crd('Marsh', (text) => text.replaceAll('singular: marsh', 'singular: moor'));
    const templates = { 'c.yaml': second, 'o.yaml': object('Marsh', 'own') };
    await lab.create('second', await lab.operator('second', oneStep([apply('a', 'o.yaml', 'c.yaml')], { templates })));
    await engine.pass(60_000);
    expect(lab.stepNow('second', 'deploy.main.run')).toMatchObject({
      status: 'IN_PROGRESS',
      message: expect.stringMatching(/^CustomResourceDefinition marshs\.lab\.example\.org: .*names are not accepted/),
    });
  });

  it('fails when the CRD does not serve the version that is used, and says which versions it serves', async () => {
    const templates = { 'c.yaml': crd('Brook'), 'o.yaml': object('Brook', 'own').replace('/v1', '/v2') };
    await lab.create('brook', await lab.operator('brook', oneStep([apply('a', 'o.yaml', 'c.yaml')], { templates })));
    await lab.ends('brook', 'deploy', { status: 'FATAL_ERROR' });
    expect(JSON.stringify(lab.instance('brook').status)).toContain(
      'does not know the kind Brook in lab.example.org/v2; brooks.lab.example.org in the same task serves it in v1: fix one of the two',
    );
  });

  it('deletes the objects and the CRD again', async () => {
    const templates = { 'c.yaml': crd('Creek'), 'o.yaml': object('Creek', 'own') };
    const tasks = [apply('a', 'o.yaml', 'c.yaml'), remove('d', 'c.yaml', 'o.yaml')];
    await lab.deploy('creek', { tasks, templates, plans: { deploy: plan(['make', 'a'], ['remove', 'd']) } });
    expect(() => engine.sandbox.api.get({ ...target('Creek'), name: 'own' })).toThrow('could not find the requested');
  });
});
