import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayAt, isJsonObject, type JsonObject, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { lockText } from '@/lib/kudo/lock/instance-lock';
import { ADOPT_ANNOTATION, OWNED_BY_ANNOTATION, VERSION_ANNOTATION } from '@/lib/kudo/own-kinds/names';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { CRDS } from '@/server/kube/install-crds';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { type InstallStep, install } from '@/server/packages/install';
import { prepareInstall } from '@/server/packages/prepare-install';
import {
  createInstance,
  createNamespace,
  type Engine,
  eventually,
  getInstance,
  patchInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { pondWithKinds } from '@/test/operators/own-kinds-package';

const GROUP = { group: 'pond.example.com', version: 'v1' } as const;
const PONDS = { ...GROUP, resource: 'ponds' } as const;
const FEEDS = { ...GROUP, resource: 'feeds' } as const;
const DRAINS = { ...GROUP, resource: 'drains' } as const;

let engine: Engine;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine?.stop());

async function installPond(
  namespace: string,
  options: { version?: string; adopt?: boolean } = {},
): Promise<InstallStep[]> {
  const loaded = pondWithKinds(options.version);
  const context = { catalogue: new PackageCatalogue({ bundledDir: '/nowhere' }), scope: loaded.scope };
  const prepared = await prepareInstall({ loaded, context, namespace });
  const steps: InstallStep[] = [];
  const ownCrds = options.adopt === true ? 'adopt' : 'install';
  await install(engine.api, { prepared, skipInstance: true, ownCrds, onStep: (step) => steps.push(step) });
  return steps;
}

async function place(namespace: string): Promise<string> {
  await createNamespace(engine.api, namespace);
  await installPond(namespace);
  return namespace;
}

function make(
  target: typeof PONDS | typeof FEEDS | typeof DRAINS,
  namespace: string,
  name: string,
  spec: JsonObject,
  annotations = {},
) {
  const kind = { ponds: 'Pond', feeds: 'Feed', drains: 'Drain' }[target.resource];
  const object = { apiVersion: 'pond.example.com/v1', kind, metadata: { name, namespace, annotations }, spec };
  return engine.api.create({ ...target, namespace }, object);
}

const read = (target: typeof PONDS | typeof FEEDS | typeof DRAINS, namespace: string, name: string) =>
  engine.api.get({ ...target, namespace, name });

function conditionOf(object: KubeObject | undefined, type: string): JsonObject | undefined {
  return arrayAt(object, 'status', 'conditions')
    .filter(isJsonObject)
    .find((each) => each.type === type);
}

const isReady = (namespace: string, name: string, fish: number) =>
  eventually(`${name} is ready with ${fish} fish`, async () => {
    const pond = await read(PONDS, namespace, name);
    const isRunning = stringAt(pond, 'status', 'phase') === 'Running' && numberAt(pond, 'status', 'fish') === fish;
    return isRunning && conditionOf(pond, 'Ready')?.status === 'True' ? pond : undefined;
  });

const says = (target: typeof PONDS | typeof FEEDS | typeof DRAINS, namespace: string, name: string, reason: string) =>
  eventually(`${name} says ${reason}`, async () => {
    const found = await read(target, namespace, name);
    const conditions = arrayAt(found, 'status', 'conditions').filter(isJsonObject);
    return conditions.find((each) => each.reason === reason);
  });

const gone = (namespace: string, name: string) =>
  eventually(`${name} is gone`, async () => (await read(PONDS, namespace, name)) === undefined);

describe('a kind whose resources are Instances', () => {
  it('a resource becomes an Instance, follows edits, and takes it away when it is deleted', async () => {
    const namespace = await place('pond-walk');
    await make(PONDS, namespace, 'a', {});
    const pond = await isReady(namespace, 'a', 2);
    expect(pond.status).toMatchObject({
      instance: 'a',
      operatorVersion: 'pond-0.1.0',
      replicas: 2,
      readyReplicas: 2,
      selector: 'kudo.dev/instance=a',
      observedGeneration: 1,
    });
    expect(conditionOf(pond, 'Synced')?.status).toBe('True');

    await patchInstance(engine.api, namespace, 'a', { parameters: { DEPTH: '7' } });
    await engine.api.patch({ ...PONDS, namespace, name: 'a' }, 'merge', { spec: { size: 4, colour: 'red' } });
    await isReady(namespace, 'a', 4);
    const instance = await getInstance(engine.api, namespace, 'a');
    expect(instance?.spec?.parameters).toEqual({ SIZE: '4', COLOUR: 'red', DEPTH: '7' });

    await engine.api.patch({ ...PONDS, namespace, name: 'a' }, 'merge', { spec: { colour: null } });
    await eventually('the default colour is back', async () => {
      const { spec } = (await getInstance(engine.api, namespace, 'a')) ?? {};
      return spec?.parameters?.COLOUR === undefined;
    });
    await engine.api.delete({ ...PONDS, namespace, name: 'a' });
    await gone(namespace, 'a');
    expect(await getInstance(engine.api, namespace, 'a')).toBeUndefined();
  });

  it('the scale subresource changes the size', async () => {
    const namespace = await place('pond-scale');
    await make(PONDS, namespace, 'a', { size: 1 });
    await isReady(namespace, 'a', 1);
    await engine.api.patch(
      { ...PONDS, namespace, name: 'a' },
      'merge',
      { spec: { replicas: 3 } },
      { subresource: 'scale' },
    );
    await isReady(namespace, 'a', 3);
  });

  it('a value of a mapped parameter that somebody edits in the Instance is set again', async () => {
    const namespace = await place('pond-mapped');
    await make(PONDS, namespace, 'a', {});
    await isReady(namespace, 'a', 2);
    await patchInstance(engine.api, namespace, 'a', { parameters: { SIZE: '5' } });
    await eventually('the size is as the resource says', async () => {
      const instance = await getInstance(engine.api, namespace, 'a');
      return instance?.spec?.parameters?.SIZE === '2' && instance.metadata.generation !== 1;
    });
  });

  it('a rule that does not hold, and an operator that is not installed, are said with the way out', async () => {
    const namespace = await place('pond-rules');
    await make(PONDS, namespace, 'dark', { colour: 'black' });
    expect((await says(PONDS, namespace, 'dark', 'ColourNotSupported')).message).toBe('Fish cannot be black.');
    expect(await getInstance(engine.api, namespace, 'dark')).toBeUndefined();

    await createNamespace(engine.api, 'pond-empty');
    await make(PONDS, 'pond-empty', 'a', {});
    const { message } = await says(PONDS, 'pond-empty', 'a', 'OperatorNotInstalled');
    expect(message).toContain('`bravo install pond --skip-instance -n pond-empty`');
    await installPond('pond-empty');
    await isReady('pond-empty', 'a', 2);
  });

  it('an Instance that exists is adopted only when the resource says so', async () => {
    const namespace = await place('pond-adopt');
    await createInstance(engine.api, namespace, 'old', {
      version: 'pond-0.1.0',
      parameters: { SIZE: '3', DEPTH: '4' },
    });
    await planEnds(engine.api, namespace, 'old', { plan: 'deploy' });
    await make(PONDS, namespace, 'old', { size: 3 });
    expect((await says(PONDS, namespace, 'old', 'InstanceExists')).message).toContain(`${ADOPT_ANNOTATION}=true`);
    await engine.api.patch({ ...PONDS, namespace, name: 'old' }, 'merge', {
      metadata: { annotations: { [ADOPT_ANNOTATION]: 'true' } },
    });
    await isReady(namespace, 'old', 3);
    const instance = await getInstance(engine.api, namespace, 'old');
    expect(instance?.metadata.annotations?.[OWNED_BY_ANNOTATION]).toBe('Pond.pond.example.com/old');
    expect(instance?.spec?.parameters).toEqual({ SIZE: '3', DEPTH: '4' });
  });

  it('a newer version is used when the resource names it, and not before', async () => {
    const namespace = await place('pond-version');
    await make(PONDS, namespace, 'a', {});
    await isReady(namespace, 'a', 2);
    const steps = await installPond(namespace, { version: '0.2.0' });
    expect(steps.map(({ did, kind, name }) => `${kind} ${name} ${did}`)).toContain(
      'CustomResourceDefinition ponds.pond.example.com updated',
    );
    await engine.api.patch({ ...PONDS, namespace, name: 'a' }, 'merge', {
      metadata: { annotations: { [VERSION_ANNOTATION]: 'pond-0.2.0' } },
    });
    await eventually('the Instance has the newer version', async () => {
      const instance = await getInstance(engine.api, namespace, 'a');
      return instance?.spec?.operatorVersion?.name === 'pond-0.2.0';
    });
    await installPond(namespace);
    const crd = await engine.api.get({ ...CRDS, name: 'ponds.pond.example.com' });
    expect(crd?.metadata.annotations?.['bravo.kudo.dev/api-version']).toBe('0.2.0');
  });

  it('a lock of the Instance holds the deletion, and the orphan policy keeps the Instance', async () => {
    const namespace = await place('pond-delete');
    for (const name of ['locked', 'orphan']) {
      await make(PONDS, namespace, name, {});
      await isReady(namespace, name, 2);
    }
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const lock = lockText({ reason: 'audit', until, by: 'jo', since: until, proof: '' });
    await engine.api.patch({ ...INSTANCES, namespace, name: 'locked' }, 'merge', {
      metadata: { annotations: { 'bravo.kudo.dev/lock': lock } },
    });
    await engine.api.delete({ ...PONDS, namespace, name: 'locked' });
    expect((await says(PONDS, namespace, 'locked', 'InstanceLocked')).message).toContain('audit');
    expect((await getInstance(engine.api, namespace, 'locked'))?.metadata.deletionTimestamp).toBeUndefined();
    await engine.api.delete({ ...PONDS, namespace, name: 'orphan' }, { propagation: 'Orphan' });
    await gone(namespace, 'orphan');
    const kept = await getInstance(engine.api, namespace, 'orphan');
    expect(kept?.metadata.deletionTimestamp).toBeUndefined();
    expect(kept?.metadata.annotations?.[OWNED_BY_ANNOTATION]).toBeUndefined();
  });
});

describe('a kind whose resources are runs of a plan', () => {
  const runsOf = async (namespace: string) => (await engine.api.list({ ...PLAN_RUNS, namespace })).items as PlanRun[];
  const completes = (target: typeof FEEDS | typeof DRAINS, namespace: string, name: string) =>
    eventually(`${name} is complete`, async () => {
      const found = await read(target, namespace, name);
      return stringAt(found, 'status', 'phase') === 'Completed' ? found : undefined;
    });

  it('a resource starts one run, waits for its Instance, and survives a controller that is restarted', async () => {
    const namespace = await place('pond-feed');
    await make(FEEDS, namespace, 'lunch', { pond: 'a', food: 'worms' });
    await says(FEEDS, namespace, 'lunch', 'InstanceMissing');
    await make(PONDS, namespace, 'a', {});
    const lunch = await completes(FEEDS, namespace, 'lunch');
    expect(stringAt(lunch, 'status', 'run')).toMatch(/^a-feed-/);
    const food = await engine.api.get({ group: '', version: 'v1', resource: 'configmaps', namespace, name: 'a-food' });
    expect(food?.data).toEqual({ food: 'worms' });
    await engine.restartController();
    await make(FEEDS, namespace, 'dinner', { pond: 'a' });
    await completes(FEEDS, namespace, 'dinner');
    const feeds = (await runsOf(namespace)).filter(({ spec }) => spec?.plan === 'feed');
    expect(feeds.map(({ spec }) => [spec?.cause, spec?.reason]).sort()).toEqual([
      ['Resource', 'Feed dinner'],
      ['Resource', 'Feed lunch'],
    ]);
  });

  it('a destructive plan needs a confirmation: the name of the Instance, or an annotation', async () => {
    const namespace = await place('pond-drain');
    await make(PONDS, namespace, 'a', {});
    await isReady(namespace, 'a', 2);
    await make(DRAINS, namespace, 'other', { pond: 'a' });
    const { message } = await says(DRAINS, namespace, 'other', 'ConfirmationRequired');
    expect(message).toContain('kubectl annotate -n pond-drain drain other bravo.kudo.dev/confirm=drain/a');
    await make(DRAINS, namespace, 'a', { pond: 'a' });
    await completes(DRAINS, namespace, 'a');
    await engine.api.patch({ ...DRAINS, namespace, name: 'other' }, 'merge', {
      metadata: { annotations: { 'bravo.kudo.dev/confirm': 'drain/a' } },
    });
    await completes(DRAINS, namespace, 'other');
  });
});

describe('the CRDs of a package', () => {
  it('a foreign CRD is replaced only when that is asked for', async () => {
    const namespace = 'pond-foreign';
    await createNamespace(engine.api, namespace);
    const crd = await engine.api.get({ ...CRDS, name: 'feeds.pond.example.com' });
    await engine.api.patch({ ...CRDS, name: 'feeds.pond.example.com' }, 'merge', {
      metadata: { labels: { 'bravo.kudo.dev/operator': null } },
    });
    await expect(installPond(namespace)).rejects.toThrow('CRD feeds.pond.example.com exists and was not made by Bravo');
    await installPond(namespace, { adopt: true });
    const after = await engine.api.get({ ...CRDS, name: 'feeds.pond.example.com' });
    expect(after?.metadata.labels).toEqual(crd?.metadata.labels);
  });

  it('the Instances of a kind whose CRD is deleted stay', async () => {
    const namespace = await place('pond-crd');
    await make(PONDS, namespace, 'a', {});
    await isReady(namespace, 'a', 2);
    await engine.api.delete({ ...CRDS, name: 'ponds.pond.example.com' });
    await eventually(
      'the CRD is gone',
      async () => (await engine.api.get({ ...CRDS, name: 'ponds.pond.example.com' })) === undefined,
    );
    const kept = await getInstance(engine.api, namespace, 'a');
    expect(kept).toBeDefined();
    expect(kept?.metadata.deletionTimestamp).toBeUndefined();
  });
});
