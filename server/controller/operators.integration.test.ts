import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import { conditionByType, hasCondition } from '@/lib/kube/conditions';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { install } from '@/server/packages/install';
import { loadPackage } from '@/server/packages/loaded-package';
import { prepareInstall } from '@/server/packages/prepare-install';
import {
  confirmPlan,
  createNamespace,
  type Engine,
  eventually,
  getInstance,
  patchInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { sharedPath } from '@/test/golden/shared-path';

const bundled = fileURLToPath(new URL('../../operators', import.meta.url));

describe('real operators', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine({ podDelayMs: 50 });
  });
  afterAll(() => engine?.stop());

  const installFrom = async (
    path: string,
    namespace: string,
    parameters: { [name: string]: string } = {},
    instance = 'app',
  ) => {
    await createNamespace(engine.api, namespace).catch(() => undefined);
    const loaded = await loadPackage(path);
    const context = { catalogue: new PackageCatalogue({ bundledDir: bundled }), scope: loaded.scope };
    const prepared = await prepareInstall({ loaded, context, namespace, instance, parameters });
    await install(engine.api, { prepared });
  };

  for (const [name, version] of [
    ['hello', '1.0.0'],
    ['postgres', '1.0.0'],
    ['etcd', '1.0.0'],
    ['valkey', '1.0.0'],
    ['mariadb', '1.0.0'],
    ['rabbitmq', '1.0.0'],
  ] as const) {
    it(`deploys the bundled ${name}`, async () => {
      await installFrom(join(bundled, name, version), `bundled-${name}`);
      await planEnds(engine.api, `bundled-${name}`, 'app', { plan: 'deploy' });
    });
  }

  for (const [name, size, backups] of [
    ['postgres', 'STORAGE', 'BACKUP_STORAGE'],
    ['etcd', 'storage', 'backup_storage'],
    ['valkey', 'STORAGE', 'BACKUP_STORAGE'],
    ['mariadb', 'STORAGE', 'BACKUP_STORAGE'],
    ['rabbitmq', 'STORAGE', 'BACKUP_STORAGE'],
  ] as const) {
    it(`grows the volumes of the bundled ${name}, restarts no pod, and refuses to shrink them`, async () => {
      const namespace = `bundled-${name}`;
      const { api } = engine;
      const pods = async () =>
        (await api.list({ group: '', version: 'v1', resource: 'pods', namespace })).items
          .filter(({ metadata }) => /^app-\d+$/.test(metadata.name ?? ''))
          .map(({ metadata }) => metadata.uid);
      const before = await pods();
      await patchInstance(api, namespace, 'app', { parameters: { [size]: '4Gi', [backups]: '5Gi' } });
      await planEnds(api, namespace, 'app', { plan: 'grow' });
      expect(before.length).toBeGreaterThan(0);
      expect(await pods()).toEqual(before);
      const { items } = await api.list({ group: '', version: 'v1', resource: 'persistentvolumeclaims', namespace });
      const sizes = items.map((claim) => `${claim.metadata.name} ${stringAt(claim.status, 'capacity', 'storage')}`);
      expect(sizes.sort()).toEqual(['app-backups 5Gi', ...before.map((_, index) => `data-app-${index} 4Gi`)]);
      await patchInstance(api, namespace, 'app', { parameters: { [size]: '3Gi', [backups]: '5Gi' } });
      const why = await eventually('the edit is refused', async () =>
        conditionByType(await getInstance(api, namespace, 'app'), 'Ready')?.message.includes(`${size} cannot shrink`),
      );
      expect(why).toBe(true);
      await patchInstance(api, namespace, 'app', { parameters: { [size]: '4Gi', [backups]: '5Gi' } });
      await eventually('it is ready again', async () =>
        hasCondition(await getInstance(api, namespace, 'app'), 'Ready'),
      );
    });
  }

  it('updates, backs up, restores, and cleans up postgres', async () => {
    const namespace = 'bundled-postgres';
    const { api } = engine;
    await patchInstance(api, namespace, 'app', { planExecution: { planName: 'backup' } });
    await planEnds(api, namespace, 'app', { plan: 'backup' });
    await confirmPlan(api, namespace, 'app', 'restore');
    await patchInstance(api, namespace, 'app', { planExecution: { planName: 'restore' } });
    await planEnds(api, namespace, 'app', { plan: 'restore' });
    await api.delete({ ...INSTANCES, namespace, name: 'app' });
    await eventually('it is gone', async () => (await getInstance(api, namespace, 'app')) === undefined);
  });

  for (const name of ['first-operator', 'cowsay', 'redis', 'mysql', 'zookeeper']) {
    const path = sharedPath(`operators/${name}/operator`);
    it.skipIf(path === undefined)(`deploys the published ${name} (needs ../shared)`, async () => {
      await installFrom(path ?? '', `published-${name}`);
      const instance = await planEnds(engine.api, `published-${name}`, 'app', { plan: 'deploy' });
      expect(instance.status?.conditions?.[0]?.type).toBe('Ready');
    });
  }

  const kafka = sharedPath('operators/kafka/operator');
  it.skipIf(kafka === undefined)('deploys the published kafka beside its zookeeper (needs ../shared)', async () => {
    const namespace = 'published-kafka';
    await installFrom(sharedPath('operators/zookeeper/operator') ?? '', namespace, {}, 'zookeeper-instance');
    await planEnds(engine.api, namespace, 'zookeeper-instance', { plan: 'deploy' });
    await installFrom(kafka ?? '', namespace, {}, 'kafka');
    await planEnds(engine.api, namespace, 'kafka', { plan: 'deploy' });
  });
});
