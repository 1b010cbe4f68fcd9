import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayAt, objectAt, stringAt } from '@/lib/json/json';
import { hasCondition } from '@/lib/kube/conditions';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { requestedStorage } from '@/lib/kudo/volume-growth/claim-templates';
import { MAX_PAUSE_MS } from '@/test/node/pause-bound';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { CLAIMS, PODS } from '@/test/node/resources';
import { IMAGE, Valkey } from './valkey-fixture';
import { ValkeyWriter } from './valkey-writer';

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
  const volumeGrows = async (name: string) => {
    const isPending = hasCondition(await claim(name), 'FileSystemResizePending');
    expect(isPending || (await capacity(name)) === '2Gi').toBe(true);
  };
  /** The StatefulSet has the new size, and its pods. */
  const replaced = async (size: string, pods: number) => {
    const sets = { group: 'apps', version: 'v1', resource: 'statefulsets', namespace: 'default' };
    const set = await cluster.api.get({ ...sets, name: 'vk' });
    const [template] = arrayAt(set?.spec, 'volumeClaimTemplates');
    expect(stringAt(template, 'spec', 'resources', 'requests', 'storage')).toBe(size);
    expect(objectAt(set?.status)).toMatchObject({ readyReplicas: pods, updatedReplicas: pods });
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
    const writer = await ValkeyWriter.start(cluster, valkey);
    const startedMs = Date.now();
    const writing = await writer.during('grow', async () => {
      await cluster.bravo('update', '--instance', 'vk', '-p', 'STORAGE=2Gi', '-p', 'BACKUP_STORAGE=3Gi');
      for (const pod of servers) await cluster.until(() => volumeGrows(`data-${pod}`));
      await cluster.until(() => replaced('2Gi', 3));
    });
    console.info(`volumes grew in ${Date.now() - startedMs} ms; a client that writes: ${JSON.stringify(writing)}`);
    expect(writing.lost).toBe(0);
    expect(writing.longestMs).toBeLessThan(MAX_PAUSE_MS);
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

  it('grow once, and no pod restarts, when the controller is killed in between', async () => {
    const pods = [...servers, 'vk-3'];
    const before = await Promise.all(pods.map(uid));
    await cluster.bravo('update', '--instance', 'vk', '-p', 'STORAGE=3Gi');
    await cluster.until(async () => expect(requestedStorage(await claim('data-vk-0'))).toBe('3Gi'));
    await cluster.replaceController();
    await cluster.until(() => replaced('3Gi', 4));
    for (const pod of pods) expect(requestedStorage(await claim(`data-${pod}`))).toBe('3Gi');
    expect(await Promise.all(pods.map(uid))).toEqual(before);
    expect(await valkey.checksum()).toBe(checksum);
  });
});
