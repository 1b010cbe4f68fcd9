import { expect, it } from 'vitest';
import { TestCluster, template } from '../../testing/test-cluster';
import { resources } from '../core/resources';

const CLAIM = {
  metadata: { name: 'data', namespace: 'demo' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

/** A pod that uses the claim `data`. */
function podWith(spec: { readonly nodeName?: string }) {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  return { metadata: { name: 'pod', namespace: 'demo' }, spec: { ...template('web').spec, ...spec, volumes } };
}

it('a deleted claim stays while a pod on a node uses it', async () => {
  const cluster = new TestCluster({ mode: 'no-pods' });
  cluster.create(resources.persistentvolumeclaims, CLAIM);
  cluster.create(resources.pods, podWith({ nodeName: 'node' }));
  cluster.delete(resources.persistentvolumeclaims, 'data');
  await cluster.settle();
  expect(cluster.get(resources.persistentvolumeclaims, 'data')?.metadata.deletionTimestamp).toBeDefined();
  cluster.delete(resources.pods, 'pod', { gracePeriodSeconds: 0 });
  await cluster.settle();
  expect(cluster.get(resources.persistentvolumeclaims, 'data')).toBeUndefined();
});

it('a deleted claim does not wait for a pod without a node, which waits for the claim', async () => {
  const cluster = new TestCluster({ mode: 'no-pods' });
  cluster.create(resources.persistentvolumeclaims, CLAIM);
  cluster.create(resources.pods, podWith({}));
  cluster.delete(resources.persistentvolumeclaims, 'data');
  await cluster.settle();
  expect(cluster.get(resources.persistentvolumeclaims, 'data')).toBeUndefined();
});

it('a pod of a StatefulSet gets a new claim after its claim and it were deleted', async () => {
  const cluster = new TestCluster();
  cluster.create(resources.statefulsets, {
    metadata: { name: 'db', namespace: 'demo' },
    spec: {
      ...{ replicas: 1, serviceName: 'db', selector: { matchLabels: { app: 'web' } }, template: template('web') },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: CLAIM.spec }],
    },
  });
  await cluster.advance(10_000);
  const uid = () => cluster.get(resources.persistentvolumeclaims, 'data-db-0')?.metadata.uid;
  const before = uid();
  cluster.delete(resources.persistentvolumeclaims, 'data-db-0');
  cluster.delete(resources.pods, 'db-0', { gracePeriodSeconds: 0 });
  await cluster.advance(10_000);
  expect(uid()).toBeDefined();
  expect(uid()).not.toBe(before);
  expect(cluster.get(resources.pods, 'db-0')?.status).toMatchObject({ phase: 'Running' });
});
