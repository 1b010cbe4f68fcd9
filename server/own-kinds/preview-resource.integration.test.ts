import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import type { JsonObject } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { install } from '@/server/packages/install';
import { prepareInstall } from '@/server/packages/prepare-install';
import { createInstance, createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { pondWithKinds } from '@/test/operators/own-kinds-package';
import { previewResource } from './preview-resource';

const namespace = 'pond-preview';

describe('the preview of a new resource', () => {
  let engine: Engine;

  beforeAll(async () => {
    engine = await startEngine({ controller: false });
    await createNamespace(engine.api, namespace);
    await createNamespace(engine.api, 'empty');
    const loaded = pondWithKinds();
    const context = { catalogue: new PackageCatalogue({ bundledDir: '/nowhere' }), scope: loaded.scope };
    const prepared = await prepareInstall({ loaded, context, namespace });
    await install(engine.api, { prepared, skipInstance: true });
  });
  afterAll(() => engine?.stop());

  const preview = (kind: 'Pond' | 'Feed' | 'Drain', name: string, spec: JsonObject, place = namespace) => {
    const resource = `${kind.toLowerCase()}s`;
    const target = { group: 'pond.example.com', version: 'v1', resource, namespace: place };
    const object = { apiVersion: 'pond.example.com/v1', kind, metadata: { name }, spec };
    return previewResource({ api: engine.api, clock: systemClock }, target, object);
  };

  it('shows the parameters of the Instance with the defaults of the schema, and its objects; nothing is written', async () => {
    const found = await preview('Pond', 'a', { colour: 'red' });
    expect(found).toMatchObject({
      causes: [],
      instance: 'a',
      operatorVersion: 'pond-0.1.0',
      plan: 'deploy',
      parameters: { SIZE: '2', COLOUR: 'red' },
    });
    expect([found.refused, found.waitsFor, found.problem]).toEqual([undefined, undefined, undefined]);
    expect(found.tasks.flatMap(({ objects }) => objects.map(({ kind, name }) => `${kind} ${name}`))).toEqual([
      'Deployment a',
    ]);
    expect(found.tasks[0]?.objects[0]?.yaml).toContain('replicas: 2');
    expect((await engine.api.list({ ...INSTANCES, namespace })).items).toEqual([]);
  });

  it('says what the API server refuses, at its field', async () => {
    const { causes, refused, tasks } = await preview('Pond', 'a', { size: 12 });
    expect(causes.map(({ field }) => field)).toEqual(['spec.size']);
    expect(causes[0]?.message).toContain('less than or equal to 9');
    expect(refused).toContain('is invalid');
    expect(tasks).toEqual([]);
    expect((await preview('Pond', 'A', {})).causes.map(({ field }) => field)).toEqual(['metadata.name']);
  });

  it('says what the controller would wait for: a rule, an Instance of that name, an operator that is not installed', async () => {
    expect((await preview('Pond', 'dark', { colour: 'black' })).waitsFor).toEqual({
      reason: 'ColourNotSupported',
      message: 'Fish cannot be black.',
    });
    await createInstance(engine.api, namespace, 'old', { version: 'pond-0.1.0', parameters: {} });
    expect((await preview('Pond', 'old', {})).waitsFor?.reason).toBe('InstanceExists');
    expect((await preview('Pond', 'a', {}, 'empty')).waitsFor?.reason).toBe('OperatorNotInstalled');
  });

  it('shows what a run does to its Instance, and what confirms a destructive one', async () => {
    const missing = await preview('Feed', 'lunch', { pond: 'nowhere' });
    expect([missing.waitsFor?.reason, missing.run]).toEqual(['InstanceMissing', undefined]);
    const feed = await preview('Feed', 'lunch', { pond: 'old', food: 'worms' });
    expect([feed.plan, feed.instance, feed.parameters]).toEqual(['feed', 'old', { FOOD: 'worms' }]);
    expect(feed.run?.objects.map(({ kind, name, change }) => [kind, name, change])).toEqual([
      ['ConfigMap', 'old-food', 'create'],
    ]);
    const drain = await preview('Drain', 'weekly', { pond: 'old' });
    expect(drain.run?.confirmation).toBe('drain/old');
  });
});
