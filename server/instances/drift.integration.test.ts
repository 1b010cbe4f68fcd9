import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { numberAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { driftSentence } from '@/lib/kudo/drift/report';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { silentLog } from '@/server/log/log';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  patchInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { plan } from '@/test/operators/templates';
import { countDrift } from './count-drift';
import { driftReport } from './drift-report';
import { pruneObjects } from './prune-objects';
import { restoreObjects } from './restore-objects';

const namespace = 'drift';
const service =
  'apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Name }}-db\nspec:\n  selector: {app: x}\n  ports:\n  - {name: main, port: 5432}\n';
const configMap = (name: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-${name}\ndata:\n  mode: "{{ .Params.MODE }}"\n  chance: "{{ randAlphaNum 8 }}"\n`;
const claim =
  'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: {{ .Name }}-data\nspec:\n  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: 1Gi}}\n';
const stamped =
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-{{ now | date "20060102150405" }}\ndata: {a: b}\n';

const first: OperatorVersionSpec = {
  version: '1.0.0',
  templates: {
    'service.yaml': service,
    'a.yaml': configMap('a'),
    'extra.yaml': `{{ if eq .Params.EXTRA "true" }}\n${configMap('extra')}{{ end }}\n`,
    'claim.yaml': claim,
    'stamped.yaml': stamped,
    'plain.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-plain\ndata:\n  mode: "{{ .Params.MODE }}"\n',
  },
  tasks: [
    { name: 'all', kind: 'Apply', spec: { resources: ['service.yaml', 'a.yaml', 'extra.yaml', 'claim.yaml'] } },
    { name: 'plain', kind: 'Apply', spec: { resources: ['plain.yaml'] } },
    { name: 'stamp', kind: 'Apply', spec: { resources: ['stamped.yaml'] } },
  ],
  parameters: [
    { name: 'MODE', default: 'fast' },
    { name: 'EXTRA', default: 'true' },
  ],
  plans: { deploy: plan(['one', 'all', 'plain']), backup: plan(['one', 'stamp']) },
};
const second: OperatorVersionSpec = {
  ...first,
  version: '2.0.0',
  tasks: [
    { name: 'all', kind: 'Apply', spec: { resources: ['service.yaml', 'a.yaml'] } },
    { name: 'plain', kind: 'Apply', spec: { resources: ['plain.yaml'] } },
    { name: 'stamp', kind: 'Apply', spec: { resources: ['stamped.yaml'] } },
  ],
};

describe('drift and leftovers of an Instance', () => {
  let engine: Engine;
  let version: string;
  beforeAll(async () => {
    engine = await startEngine({ podDelayMs: 0 });
    await createNamespace(engine.api, namespace);
    version = await createOperator(engine.api, namespace, 'keeper', first);
    await createOperator(engine.api, namespace, 'keeper', second);
  });
  afterAll(() => engine?.stop());

  const target = (resource: string, name: string) => ({ group: '', version: 'v1', resource, namespace, name });
  const deps = () => ({ api: engine.api, clock: systemClock, log: silentLog });
  const report = (name: string) => driftReport(engine.api, { namespace, name });

  async function installed(name: string): Promise<void> {
    await createInstance(engine.api, namespace, name, version);
    await planEnds(engine.api, namespace, name, { plan: 'deploy' });
  }

  it('has an empty report for a deleted Instance, and restores nothing', async () => {
    expect(await report('gone')).toMatchObject({ notes: ['The instance was deleted.'], drifted: [], leftovers: [] });
    await expect(restoreObjects(deps(), { namespace, name: 'gone' }, undefined)).rejects.toThrow(
      /Instance gone does not exist/,
    );
  });

  it('lists deleted and changed objects, and restores each to what the last plan applied', async () => {
    const { api } = engine;
    await installed('orders');
    expect((await report('orders')).drifted).toEqual([]);
    const before = await api.get(target('configmaps', 'orders-a'));
    await api.patch(target('services', 'orders-db'), 'merge', { spec: { ports: [{ name: 'main', port: 5433 }] } });
    await api.delete(target('configmaps', 'orders-a'));
    const { drifted, selfHeal } = await report('orders');
    expect(selfHeal).toBe(false);
    expect(drifted.map(driftSentence)).toEqual([
      'Service orders-db: spec.ports[0].port is 5433, the last plan left 5432',
      'ConfigMap orders-a is missing',
    ]);
    const inList = [`${namespace}/orders`, `${namespace}/nobody`, 'nowhere/orders', 'mistyped'];
    expect(await countDrift(api, inList)).toEqual({ [`${namespace}/orders`]: 2 });
    const one = await restoreObjects(deps(), { namespace, name: 'orders' }, ['/ConfigMap/orders-a']);
    expect(one).toMatchObject({ done: [{ name: 'orders-a' }], failed: [] });
    expect((await api.get(target('configmaps', 'orders-a')))?.data).toEqual(before?.data);
    const rest = await restoreObjects(deps(), { namespace, name: 'orders' }, undefined);
    expect(rest.done.map(({ name }) => name)).toEqual(['orders-db']);
    expect(numberAt(await api.get(target('services', 'orders-db')), 'spec', 'ports', 0, 'port')).toBe(5432);
    expect((await report('orders')).drifted).toEqual([]);
    expect(await countDrift(api, inList)).toEqual({});
  });

  it('refuses to restore an object whose manifest is unknown, and writes nothing', async () => {
    const { api } = engine;
    await installed('lost');
    await api.delete(target('configmaps', 'lost-plain'));
    const operatorVersions = { group: 'kudo.dev', version: 'v1beta1', resource: 'operatorversions', namespace };
    const plain = first.templates?.['plain.yaml'] ?? '';
    const changed = { spec: { templates: { 'plain.yaml': plain.replace('mode', 'other') } } };
    await api.patch({ ...operatorVersions, name: version }, 'merge', changed);
    const result = await restoreObjects(deps(), { namespace, name: 'lost' }, undefined);
    await api.patch({ ...operatorVersions, name: version }, 'merge', { spec: { templates: first.templates ?? {} } });
    expect(result.done).toEqual([]);
    expect(result.failed[0]?.message).toContain('Run plan deploy again');
    expect(await api.get(target('configmaps', 'lost-plain'))).toBeUndefined();
  });

  it('lists objects that a parameter or an upgrade removed from the templates, and deletes them only on request', async () => {
    const { api } = engine;
    const key = { namespace, name: 'old' };
    await installed('old');
    await patchInstance(api, namespace, 'old', { planExecution: { planName: 'backup' } });
    await planEnds(api, namespace, 'old', { plan: 'backup' });
    expect((await report('old')).leftovers).toEqual([]);
    await patchInstance(api, namespace, 'old', { parameters: { EXTRA: 'false' } });
    await eventually('the extra ConfigMap is a leftover', async () => {
      const { leftovers } = await report('old');
      return leftovers.length === 1 && leftovers[0]?.name === 'old-extra';
    });
    await patchInstance(api, namespace, 'old', { operatorVersion: { name: 'keeper-2.0.0' } });
    const leftovers = await eventually('the claim is one too', async () => {
      const found = (await report('old')).leftovers;
      return found.length === 2 ? found : undefined;
    });
    expect(leftovers.map(({ kind, name, isClaim }) => [kind, name, isClaim])).toEqual([
      ['ConfigMap', 'old-extra', false],
      ['PersistentVolumeClaim', 'old-data', true],
    ]);
    const uids = leftovers.map(({ uid }) => uid);
    await expect(pruneObjects(api, key, { uids, claims: false, shared: false })).rejects.toThrow(/old-data holds data/);
    expect(await api.get(target('configmaps', 'old-extra'))).toBeDefined();
    const result = await pruneObjects(api, key, { uids, claims: true, shared: true });
    expect(result.done.map(({ name }) => name)).toEqual(['old-extra', 'old-data']);
    expect(await api.get(target('configmaps', 'old-extra'))).toBeUndefined();
    await eventually('nothing is left over', async () => (await report('old')).leftovers.length === 0);
  });

  it('never deletes an object with another owner, or one that is rendered again', async () => {
    const { api } = engine;
    const key = { namespace, name: 'own' };
    await installed('own');
    const labels = { 'kudo.dev/instance': 'own', heritage: 'kudo' };
    const annotations = {
      'kudo.dev/last-applied-configuration': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}',
    };
    const stranger = await api.create(target('configmaps', 'own-stranger'), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'own-stranger', namespace, labels, annotations },
    });
    expect((await report('own')).leftovers).toEqual([]);
    const used = await api.get(target('configmaps', 'own-a'));
    const uids = [stranger.metadata.uid ?? '', used?.metadata.uid ?? ''];
    const result = await pruneObjects(api, key, { uids, claims: true, shared: true });
    expect(result.done).toEqual([]);
    expect(result.failed).toHaveLength(2);
    expect(await api.get(target('configmaps', 'own-stranger'))).toBeDefined();
    expect(await api.get(target('configmaps', 'own-a'))).toBeDefined();
  });

  it('has no report while a plan runs, and compares only live objects before a plan has run', async () => {
    const { api } = engine;
    await installed('taken');
    const withoutInventory = { metadata: { annotations: { 'bravo.kudo.dev/inventory': null } } };
    await api.patch({ ...INSTANCES, namespace, name: 'taken' }, 'merge', withoutInventory);
    await api.patch(target('configmaps', 'taken-a'), 'merge', { data: { mode: 'slow' } });
    await api.delete(target('services', 'taken-db'));
    const { drifted, notes } = await report('taken');
    expect(drifted.map(driftSentence)).toEqual(['ConfigMap taken-a: data.mode is "slow", the last plan left "fast"']);
    expect(notes[0]).toContain('Objects that were deleted before are not listed');
  });
});
