import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { planForChange } from '@/lib/kudo/admission/triggers';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import { confirmationText } from '@/lib/kudo/plan-metadata/confirmation';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { sharedPath } from '@/test/golden/shared-path';
import { awaitPlan, executionUids } from './await-plan';
import { PackageCatalogue } from './catalogue';
import { install, installVersions } from './install';
import { type LoadedPackage, loadPackage } from './loaded-package';
import { prepareInstall } from './prepare-install';

const catalogue = new PackageCatalogue({ bundledDir: fileURLToPath(new URL('../../operators', import.meta.url)) });

let engine: Engine;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine?.stop());

const prepare = (loaded: LoadedPackage, namespace: string, instance: string) =>
  prepareInstall({ loaded, context: { catalogue, scope: loaded.scope }, namespace, instance });

const complete = (namespace: string, instance: string, before?: ReadonlySet<string>) =>
  awaitPlan(engine.api, { namespace, instance, clock: systemClock, timeoutMs: 60_000, before });

async function deploy(loaded: LoadedPackage, namespace: string, instance: string): Promise<OperatorVersion> {
  const prepared = await prepare(loaded, namespace, instance);
  const { operatorVersion } = await install(engine.api, { prepared, createNamespace: true });
  await complete(namespace, instance);
  return operatorVersion;
}

async function read(namespace: string, name: string): Promise<Instance> {
  return (await engine.api.get({ ...INSTANCES, namespace, name })) as Instance;
}

/** Starts a plan by name, or changes parameters, and waits until the plan is complete. */
async function run(
  namespace: string,
  name: string,
  change: { plan: string } | { parameters: { [name: string]: string } },
): Promise<Instance> {
  const before = executionUids(await read(namespace, name));
  const patch =
    'plan' in change
      ? {
          metadata: { annotations: { [CONFIRM_ANNOTATION]: confirmationText(change.plan, name) } },
          spec: { planExecution: { planName: change.plan, uid: `person-${before.size}-${change.plan}` } },
        }
      : { spec: { parameters: change.parameters } };
  await engine.api.patch({ ...INSTANCES, namespace, name }, 'merge', patch);
  return complete(namespace, name, before);
}

const statusOf = (instance: Instance, plan: string) => instance.status?.planStatus?.[plan]?.status;

describe('bundled packages in the sandbox', () => {
  it('hello: a page, a new greeting, and a toggle', async () => {
    const loaded = await catalogue.find({ name: 'hello' });
    await deploy(loaded, 'walk-hello', 'hello');
    expect(statusOf(await run('walk-hello', 'hello', { parameters: { GREETING: "It's <new>" } }), 'greet')).toBe(
      'COMPLETE',
    );
    const { items } = await engine.api.list({
      group: '',
      version: 'v1',
      resource: 'configmaps',
      namespace: 'walk-hello',
    });
    const pages = items.flatMap((each) => Object.values((each.binaryData ?? {}) as { [key: string]: string }));
    expect(pages.map((page) => Buffer.from(page, 'base64').toString()).join()).toContain(
      '<h1>It&#39;s &lt;new&gt;</h1>',
    );
    const budget = {
      group: 'policy',
      version: 'v1',
      resource: 'poddisruptionbudgets',
      namespace: 'walk-hello',
      name: 'hello',
    };
    expect(await engine.api.get(budget)).toBeDefined();
    await run('walk-hello', 'hello', { parameters: { DISRUPTION_BUDGET: 'false' } });
    expect(await engine.api.get(budget)).toBeUndefined();
  });

  it('postgres: backup twice, restore, upgrade, and a clean uninstall', async () => {
    const namespace = 'walk-postgres';
    await deploy(await catalogue.find({ name: 'postgres', operatorVersion: '1.0.0' }), namespace, 'postgres');
    for (const plan of ['backup', 'backup', 'restore']) {
      expect(statusOf(await run(namespace, 'postgres', { plan }), plan)).toBe('COMPLETE');
    }
    const newer = await prepare(await catalogue.find({ name: 'postgres' }), namespace, 'postgres');
    await installVersions(engine.api, newer);
    const before = executionUids(await read(namespace, 'postgres'));
    const patch = { spec: { operatorVersion: { name: newer.operatorVersion.metadata.name ?? '' } } };
    await engine.api.patch({ ...INSTANCES, namespace, name: 'postgres' }, 'merge', patch);
    expect(statusOf(await complete(namespace, 'postgres', before), 'upgrade')).toBe('COMPLETE');
    await remove(namespace, 'postgres');
    const { items } = await engine.api.list({
      group: '',
      version: 'v1',
      resource: 'persistentvolumeclaims',
      namespace,
    });
    expect(items.map(({ metadata }) => [metadata.name, metadata.ownerReferences])).toEqual([
      ['postgres-backups', undefined],
    ]);
  });

  it('etcd: three members, five, a lost pod, backup, restore, upgrade, a clean uninstall', async () => {
    const namespace = 'walk-etcd';
    await deploy(await catalogue.find({ name: 'etcd', operatorVersion: '1.0.0' }), namespace, 'etcd');
    expect(statusOf(await run(namespace, 'etcd', { parameters: { size: '5' } }), 'resize')).toBe('COMPLETE');
    const pods = { group: '', version: 'v1', resource: 'pods', namespace };
    const members = async () => (await engine.api.list(pods, { labelSelector: 'app.kubernetes.io/name=etcd' })).items;
    const [first] = await members();
    await engine.api.delete({ ...pods, name: first?.metadata.name }, { gracePeriodSeconds: 0 });
    for (const plan of ['backup', 'restore']) {
      expect(statusOf(await run(namespace, 'etcd', { plan }), plan)).toBe('COMPLETE');
    }
    expect(await members()).toHaveLength(5);
    const newer = await prepare(await catalogue.find({ name: 'etcd' }), namespace, 'etcd');
    await installVersions(engine.api, newer);
    const before = executionUids(await read(namespace, 'etcd'));
    const patch = { spec: { operatorVersion: { name: newer.operatorVersion.metadata.name ?? '' } } };
    await engine.api.patch({ ...INSTANCES, namespace, name: 'etcd' }, 'merge', patch);
    expect(statusOf(await complete(namespace, 'etcd', before), 'upgrade')).toBe('COMPLETE');
    expect(JSON.stringify(await members())).toContain('etcd:v3.5.21');
    await remove(namespace, 'etcd');
    const { items } = await engine.api.list({ ...pods, resource: 'persistentvolumeclaims' });
    expect(items.map(({ metadata }) => [metadata.name, metadata.ownerReferences])).toEqual([
      ['etcd-backups', undefined],
    ]);
  });

  it('a second install finds all objects and changes none', async () => {
    const loaded = await catalogue.find({ name: 'hello' });
    await createNamespace(engine.api, 'twice');
    const steps: string[] = [];
    for (const instance of ['a', 'b']) {
      const prepared = await prepare(loaded, 'twice', instance);
      await install(engine.api, { prepared, onStep: ({ did, kind }) => steps.push(`${kind} ${did}`) });
    }
    expect(steps).toEqual([
      'Operator created',
      'OperatorVersion created',
      'Instance created',
      'Operator found',
      'OperatorVersion found',
      'Instance created',
    ]);
    const again = prepare(loaded, 'twice', 'a').then((prepared) => install(engine.api, { prepared }));
    await expect(again).rejects.toThrow("cannot install instance 'a' because an instance of that name already exists");
  });

  it('the plan that the console announces before the click is the one that the controller starts', async () => {
    const loaded = await catalogue.find({ name: 'hello' });
    const operatorVersion = await deploy(loaded, 'preview', 'hello');
    for (const parameters of [{ REPLICAS: '3' }, { COLOR: 'green' }]) {
      const instance = await read('preview', 'hello');
      const { plan } = planForChange(instance, operatorVersion, { parameters });
      const after = await run('preview', 'hello', { parameters });
      const started = Object.entries(after.status?.planStatus ?? {}).find(
        ([, status]) => !executionUids(instance).has(status.uid ?? '') && status.uid !== undefined,
      );
      expect(started?.[0]).toBe(plan);
    }
  });
});

async function remove(namespace: string, name: string): Promise<void> {
  await engine.api.delete({ ...INSTANCES, namespace, name }, { propagation: 'Background' });
  for (let attempt = 0; (await read(namespace, name)) !== undefined; attempt++) {
    if (attempt > 600) throw new Error(`${namespace}/${name} is not deleted in time`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const PUBLISHED = ['cowsay', 'first-operator', 'mysql', 'redis', 'zookeeper'];

describe.skipIf(sharedPath('operators/mysql') === undefined)(
  'published packages of KUDO in the sandbox (needs ../shared)',
  () => {
    it.each(PUBLISHED)('%s completes its deploy plan', async (name) => {
      await deploy(
        await loadPackage(sharedPath(`operators/${name}/operator`) ?? ''),
        `kudo-${name}`,
        `${name}-instance`,
      );
    });

    it('kafka deploys beside its zookeeper', async () => {
      await deploy(await loadPackage(sharedPath('operators/kafka/operator') ?? ''), 'kudo-zookeeper', 'kafka');
    });
  },
);
