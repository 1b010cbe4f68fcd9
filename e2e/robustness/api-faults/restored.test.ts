import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom, systemRandom } from '@/lib/random/random';
import { startCache } from '@/server/kube/cache';
import { plainCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { silentLog } from '@/server/log/log';
import { type Sandbox, startSandbox } from '@/server/sandbox/sandbox';
import { temporaryFolder } from '@/test/programs/process';
import { PASS } from '../proxy/fault';
import { type FaultProxy, startFaultProxy } from '../proxy/fault-proxy';
import { driveThroughProxy } from './faulty-client';
import { watchedConfigMap } from './watched';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps', namespace: 'default' } as const;

/** A cluster whose store was restored to an older state, as from a backup of etcd. */
describe('a server that was restored to an older state (A18)', () => {
  const folder = temporaryFolder('restored');
  const [data, backup] = [join(folder, 'data'), join(folder, 'backup')];
  const clock = new VirtualClock();
  let sandbox: Sandbox;
  let people: ClosableApi;
  let proxy: FaultProxy;
  const start = async () => {
    sandbox = await startSandbox({
      port: 0,
      mode: 'no-controllers',
      podDelayMs: 0,
      dataDir: data,
      clock: systemClock,
      random: systemRandom,
    });
    const cluster = plainCluster({ server: sandbox.url, ca: sandbox.caPem, token: sandbox.adminToken });
    people = createApi(cluster, { clock: systemClock });
  };
  const stop = async () => {
    await people.close();
    await sandbox.stop();
  };
  beforeAll(async () => {
    await start();
    proxy = await startFaultProxy({ url: sandbox.url, caPem: sandbox.caPem });
  });
  afterAll(async () => {
    await stop();
    await proxy.stop();
  });

  for (const [what, writesAfter] of [
    ['nothing', 0],
    ['a few writes', 2],
    ['more writes than were lost', 40],
  ] as const) {
    it(`after ${what} the copy equals what the API lists, and deleted objects do not appear again`, async () => {
      const cluster = plainCluster({ server: proxy.url, ca: proxy.caPem, token: sandbox.adminToken });
      const api = createApi(cluster, { clock, random: seededRandom('restored') });
      const cache = startCache(api, CONFIG_MAPS, { clock, random: seededRandom('cache'), log: silentLog });
      const converges = () =>
        driveThroughProxy({ clock, proxy }, 'the copy is what the API lists', async () => {
          const { items } = await people.list(CONFIG_MAPS);
          return versions(items) === versions(cache.list());
        });
      const name = (index: number) => ({ ...CONFIG_MAPS, name: `w${writesAfter}-${index}` });
      await people.create(name(0), watchedConfigMap(name(0).name, 'before the backup'));
      await people.create(name(1), watchedConfigMap(name(1).name, 'before the backup'));
      await stop();
      rmSync(backup, { recursive: true, force: true });
      cpSync(data, backup, { recursive: true });
      await start();
      proxy.upstream = { url: sandbox.url, caPem: sandbox.caPem };
      for (let index = 2; index < 12; index++)
        await people.create(name(index), watchedConfigMap(name(index).name, 'lost'));
      await people.patch(name(0), 'merge', { data: { value: 'lost' } });
      await people.delete(name(1));
      await converges();

      // The server is down for a while.
      const asked = proxy.count;
      proxy.decide = () => ({ do: 'reset' });
      proxy.sever();
      await driveThroughProxy(
        { clock, proxy },
        'the controller has listed the kind without success',
        () => proxy.count > asked + 2,
      );
      await stop();
      rmSync(data, { recursive: true });
      cpSync(backup, data, { recursive: true });
      await start();
      proxy.upstream = { url: sandbox.url, caPem: sandbox.caPem };
      for (let index = 100; index < 100 + writesAfter; index++) {
        await people.create(name(index), watchedConfigMap(name(index).name, 'after'));
      }
      await people.patch(name(1), 'merge', { data: { value: 'after' } });
      proxy.decide = () => PASS;
      await converges();
      expect(cache.get('default', name(0).name)?.data).toEqual({ value: 'before the backup' });
      expect(cache.get('default', name(5).name)).toBeUndefined();
      // And it still receives events.
      await people.patch(name(0), 'merge', { data: { value: 'new' } });
      await converges();
      await cache.stop();
      await api.close();
    });
  }
});

function versions(objects: readonly { metadata: { name?: string; resourceVersion?: string } }[]): string {
  return objects
    .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
    .sort()
    .join(' ');
}
