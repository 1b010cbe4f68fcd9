import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import type { ExecutionStatus, Instance } from '@/lib/kudo/types';
import { systemRandom } from '@/lib/random/random';
import { previewPlan } from '@/server/instances/preview-plan';
import { triggerPlan } from '@/server/instances/trigger-plan';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { install } from '@/server/packages/install';
import { loadPackage } from '@/server/packages/loaded-package';
import { prepareInstall } from '@/server/packages/prepare-install';
import {
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
const MAX_BYTES = 4_096;

/** Bytes of the annotations that Bravo writes, by their names. */
function sizesOf({ metadata }: Instance): { [name: string]: number } {
  const own = Object.entries(metadata.annotations ?? {}).filter(([name]) => name.startsWith('bravo.kudo.dev/'));
  return Object.fromEntries(own.map(([name, text]) => [name, Buffer.byteLength(name + text)]));
}

/** What is edited, and how far a backup goes after it: where the Job of a backup waits for a real server, the run does not end here. */
const BUNDLED = [
  ['hello/1.0.0', 'MEMORY', undefined],
  ['postgres/1.1.0', 'MEMORY', 'COMPLETE'],
  ['etcd/1.2.0', 'memory', 'COMPLETE'],
  ['valkey/1.1.0', 'MEMORY', 'IN_PROGRESS'],
  ['mariadb/1.1.0', 'MEMORY', 'IN_PROGRESS'],
  ['rabbitmq/1.1.0', 'MEMORY', 'COMPLETE'],
] as const;
const PUBLISHED = [
  ['first-operator', 'replicas', '3'],
  ['cowsay', 'replicas', '3'],
  ['redis', 'masters', '4'],
  ['mysql', undefined, ''],
  ['zookeeper', 'MEMORY', '1280Mi'],
] as const;

describe('the annotations that Bravo writes on an Instance are at most 4 KiB', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine({ podDelayMs: 20 });
  });
  afterAll(() => engine?.stop());

  const deploy = async (path: string, namespace: string, name = 'app'): Promise<void> => {
    await createNamespace(engine.api, namespace).catch(() => undefined);
    const loaded = await loadPackage(path);
    const context = { catalogue: new PackageCatalogue({ bundledDir: bundled }), scope: loaded.scope };
    await install(engine.api, { prepared: await prepareInstall({ loaded, context, namespace, instance: name }) });
    await planEnds(engine.api, namespace, name, { plan: 'deploy' });
  };

  const edit = async (namespace: string, parameter: string, value: string): Promise<void> => {
    await patchInstance(engine.api, namespace, 'app', { parameters: { [parameter]: value } });
    await eventually('the edit has been acted upon', async () => {
      const instance = await getInstance(engine.api, namespace, 'app');
      const isIdle = (instance?.spec?.planExecution?.planName ?? '') === '';
      return isIdle && instance !== undefined && actedUpon(instance)?.parameters[parameter] === value;
    });
  };

  const backUp = async (namespace: string, until: ExecutionStatus): Promise<void> => {
    const key = { namespace, name: 'app' };
    const { token: preview } = await previewPlan(engine.api, key, { plan: 'backup' }, systemClock);
    await triggerPlan(engine.api, key, { plan: 'backup', wishes: { preview } }, systemRandom);
    await eventually(`the backup is ${until}`, async () => {
      const instance = await getInstance(engine.api, namespace, 'app');
      const isIdle = (instance?.spec?.planExecution?.planName ?? '') === '';
      return instance?.status?.planStatus?.backup?.status === until && isIdle === (until === 'COMPLETE');
    });
  };

  const expectSmall = async (namespace: string, name = 'app'): Promise<void> => {
    const instance = await getInstance(engine.api, namespace, name);
    const sizes = instance === undefined ? {} : sizesOf(instance);
    const bytes = Object.values(sizes).reduce((sum, each) => sum + each, 0);
    const isIdle = (instance?.spec?.planExecution?.planName ?? '') === '';
    if (isIdle && instance !== undefined) expect(actedUpon(instance)?.origin).not.toHaveProperty('preview');
    expect(bytes, JSON.stringify(sizes)).toBeLessThanOrEqual(MAX_BYTES);
    expect(sizes['bravo.kudo.dev/runs']).toBeLessThanOrEqual(300 + 'bravo.kudo.dev/runs'.length);
  };

  for (const [folder, parameter, backup] of BUNDLED) {
    const name = dirname(folder);
    const after = backup === undefined ? '' : ` and a previewed backup that is ${backup}`;
    it(`after a deployment, an edit${after} of the bundled ${name}`, async () => {
      const namespace = `small-${name}`;
      await deploy(join(bundled, folder), namespace);
      await edit(namespace, parameter, '777Mi');
      if (backup !== undefined) await backUp(namespace, backup);
      await expectSmall(namespace);
    });
  }

  for (const [name, parameter, value] of PUBLISHED) {
    const path = sharedPath(`operators/${name}/operator`);
    it.skipIf(path === undefined)(`of the published ${name} (needs ../shared)`, async () => {
      const namespace = `small-${name}`;
      await deploy(path ?? '', namespace);
      if (parameter !== undefined) await edit(namespace, parameter, value);
      await expectSmall(namespace);
    });
  }

  const kafka = sharedPath('operators/kafka/operator');
  it.skipIf(kafka === undefined)('of the published kafka beside its zookeeper (needs ../shared)', async () => {
    await deploy(sharedPath('operators/zookeeper/operator') ?? '', 'small-kafka', 'zookeeper-instance');
    await deploy(kafka ?? '', 'small-kafka', 'kafka');
    await expectSmall('small-kafka', 'kafka');
  });
});
