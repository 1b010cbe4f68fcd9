import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayAt, objectAt, stringAt } from '@/lib/json/json';
import { hasCondition } from '@/lib/kube/conditions';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { CLAIMS, PODS } from '@/test/node/resources';
import { IMAGE, Valkey } from './valkey-fixture';

/**
 * The volumes of a bundled operator grow under real servers. A node without CAP_SYS_RESOURCE grows a file system only when the next pod
 * mounts it, as some drivers do; both ends are accepted here.
 */
describe('volumes that grow', () => {
  let cluster: RealCluster;
  let valkey: Valkey;
  let checksum: string;
  const servers = ['vk-0', 'vk-1', 'vk-2'];

  const claim = (name: string) => cluster.api.get({ ...CLAIMS, namespace: 'default', name });
  const capacity = async (name: string) => stringAt((await claim(name))?.status, 'capacity', 'storage');
  const uid = async (pod: string) =>
    (await cluster.api.get({ ...PODS, namespace: 'default', name: pod }))?.metadata.uid;
  const uids = () => Promise.all(servers.map(uid));
  /** The size of the file system of a server's data, in MiB. */
  const mebibytes = async (pod: string) => {
    const line = (await valkey.sh(pod, 'df -m /data')).split('\n').at(-1);
    return Number(line?.split(/\s+/)[1]);
  };
  const growPlan = async () => {
    const instance = await cluster.api.get({ ...INSTANCES, namespace: 'default', name: 'vk' });
    return objectAt(instance?.status, 'planStatus', 'grow');
  };

  beforeAll(async () => {
    cluster = await startRealCluster();
    valkey = new Valkey(cluster);
    await cluster.bravo('install', 'operators/valkey/1.1.0', '--instance', 'vk', '-p', 'REPLICAS=2', '--wait');
    await cluster.client('client', IMAGE);
    await valkey.writeRows();
    checksum = await valkey.checksum();
  });
  afterAll(() => cluster?.stop());

  it('get the new size while a client writes, and no pod restarts', async () => {
    const before = await uids();
    expect(await mebibytes('vk-0')).toBeLessThan(1024);
    const stopWriter = await valkey.writeThroughout();
    const startedMs = Date.now();
    await cluster.bravo('update', '--instance', 'vk', '-p', 'STORAGE=2Gi', '-p', 'BACKUP_STORAGE=3Gi');
    for (const pod of servers) {
      await cluster.until(async () => {
        const isPending = hasCondition(await claim(`data-${pod}`), 'FileSystemResizePending');
        expect(isPending || (await capacity(`data-${pod}`)) === '2Gi').toBe(true);
      });
    }
    await cluster.until(async () => {
      const set = await cluster.api.get({
        ...{ group: 'apps', version: 'v1', resource: 'statefulsets', namespace: 'default', name: 'vk' },
      });
      const [template] = arrayAt(set?.spec, 'volumeClaimTemplates');
      expect(stringAt(template, 'spec', 'resources', 'requests', 'storage')).toBe('2Gi');
      expect(objectAt(set?.status)).toMatchObject({ readyReplicas: 3, updatedReplicas: 3 });
    });
    const tookMs = Date.now() - startedMs;
    const { longestGapMs, lost } = await stopWriter();
    console.info(`grow: ${tookMs} ms; longest pause of a client that writes: ${longestGapMs} ms, lost writes: ${lost}`);
    expect(lost).toBe(0);
    expect(await uids()).toEqual(before);
    expect(await valkey.checksum()).toBe(checksum);
  });

  it('have larger file systems at the latest when their pods have restarted, and the same data', async () => {
    for (const pod of [...servers].reverse()) {
      const before = await uid(pod);
      await cluster.api.delete({ ...PODS, namespace: 'default', name: pod });
      await cluster.podReady(pod, before);
      expect(await mebibytes(pod)).toBeGreaterThan(1700);
    }
    await cluster.until(async () => expect((await growPlan()).status).toBe('COMPLETE'));
    for (const pod of servers) expect(await capacity(`data-${pod}`)).toBe('2Gi');
    expect(await valkey.checksum()).toBe(checksum);
  });

  it('are as large for a server that comes later, and for backups', async () => {
    await valkey.set('REPLICAS=3');
    expect(await mebibytes('vk-3')).toBeGreaterThan(1700);
    await valkey.plan('backup');
    await cluster.until(async () => expect(await capacity('vk-backups')).toBe('3Gi'));
  });

  it('do not shrink: the edit is refused', async () => {
    await expect(valkey.set('STORAGE=1Gi')).rejects.toThrow('STORAGE cannot shrink');
    const instance = await cluster.api.get({ ...INSTANCES, namespace: 'default', name: 'vk' });
    expect(stringAt(instance?.spec, 'parameters', 'STORAGE')).toBe('2Gi');
  });
});
