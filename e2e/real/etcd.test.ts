import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { Instance } from '@/lib/kudo/types';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { PODS } from '@/test/node/resources';

/** The bundled operator with real members on real volumes. */
describe('etcd', () => {
  let cluster: RealCluster;

  beforeAll(async () => {
    cluster = await startRealCluster();
    await cluster.bravo('install', 'operators/etcd/1.1.0', '--instance', 'etcd', '--wait');
  });
  afterAll(() => cluster?.stop());

  it('deploys three members that vote', async () => {
    const members = await cluster.exec('etcd-0', 'etcdctl', '--endpoints', 'http://etcd:2379', 'member', 'list');
    const lines = members.trim().split('\n');
    expect(lines.map((line) => line.split(', ')[2]).sort()).toEqual(['etcd-0', 'etcd-1', 'etcd-2']);
    expect(lines.every((line) => line.includes(', started, ') && line.endsWith('false'))).toBe(true);
  });

  it('says how many members vote', async () => {
    await cluster.until(async () => {
      const found = (await cluster.api.get({ ...INSTANCES, namespace: 'default', name: 'etcd' })) as Instance;
      expect(found.status?.healthChecks).toMatchObject([{ status: 'Passing', message: '3 of 3 members vote' }]);
    });
  });

  it('answers on every member what was written through the Service', async () => {
    await cluster.exec('etcd-0', 'etcdctl', '--endpoints', 'http://etcd:2379', 'put', 'color', 'green');
    for (const pod of ['etcd-0', 'etcd-1', 'etcd-2']) {
      expect(await cluster.exec(pod, 'etcdctl', 'get', 'color', '--print-value-only')).toBe('green\n');
    }
  });

  it('a member that is deleted comes back with its data', async () => {
    const before = await cluster.podReady('etcd-1');
    await cluster.api.delete({ ...PODS, namespace: 'default', name: 'etcd-1' });
    await cluster.podReady('etcd-1', before.metadata.uid);
    expect(await cluster.log('etcd-1')).not.toContain('making a new cluster');
    expect(await cluster.exec('etcd-1', 'etcdctl', 'get', 'color', '--print-value-only')).toBe('green\n');
  });
});
