import { describe, expect, it } from 'vitest';
import { TestCluster, template } from '../../testing/test-cluster';
import { resources } from '../core/resources';

const NAMESPACE = 'demo';

/** A cluster without a scheduler, with a claim that was deleted while a pod with this node names it. */
async function deletedClaim(nodeName: string | undefined): Promise<TestCluster> {
  const cluster = new TestCluster({ mode: 'no-pods' });
  const requests = { storage: '1Gi' };
  cluster.create(resources.persistentvolumeclaims, {
    metadata: { name: 'data', namespace: NAMESPACE },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests } },
  });
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  const node = nodeName === undefined ? {} : { nodeName };
  cluster.create(resources.pods, {
    metadata: { name: 'db-0', namespace: NAMESPACE },
    spec: { ...template('db').spec, ...node, volumes },
  });
  await cluster.settle();
  cluster.delete(resources.persistentvolumeclaims, 'data');
  await cluster.settle();
  return cluster;
}

describe('a claim that is deleted', () => {
  it('stays while a pod on a node uses it', async () => {
    const cluster = await deletedClaim('node');
    expect(cluster.get(resources.persistentvolumeclaims, 'data')?.metadata.deletionTimestamp).toBeDefined();
  });

  it('does not wait for a pod without a node, which is not scheduled with a claim that is being deleted', async () => {
    const cluster = await deletedClaim(undefined);
    expect(cluster.get(resources.persistentvolumeclaims, 'data')).toBeUndefined();
  });
});
