import { describe, expect, it } from 'vitest';
import { arrayAt, numberAt, objectAt, stringAt } from '@/lib/json/json';
import { TestCluster, template } from '../testing/test-cluster';
import { resources } from './core/resources';
import { burst } from './pods/pod-burst';
import { PROVISIONER } from './storage/storage-class';

const web = { matchLabels: { app: 'web' } };

describe('a ReplicaSet', () => {
  it('adopts matching orphans, releases what no longer matches, and replaces it', async () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const pod = { metadata: { name: 'orphan', namespace: 'demo', labels: { app: 'web' } }, spec: template('web').spec };
    cluster.create(resources.pods, pod);
    cluster.create(resources.replicasets, {
      metadata: { name: 'web', namespace: 'demo' },
      spec: { replicas: 1, selector: web, template: template('web') },
    });
    await cluster.settle();
    expect(cluster.get(resources.pods, 'orphan')?.metadata.ownerReferences?.[0]?.name).toBe('web');
    cluster.patch(resources.pods, 'orphan', { metadata: { labels: { app: 'free' } } });
    await cluster.settle();
    expect(cluster.get(resources.pods, 'orphan')?.metadata.ownerReferences).toBeUndefined();
    expect(cluster.list(resources.pods)).toHaveLength(2);
    expect(cluster.get(resources.replicasets, 'web')?.status).toMatchObject({ replicas: 1, fullyLabeledReplicas: 1 });
  });
});

describe('an object that wants more pods than one reconcile creates', () => {
  it.each(['replicasets', 'statefulsets'] as const)('gets them look by look: %s', async (kind) => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const more = kind === 'statefulsets' ? { podManagementPolicy: 'Parallel', serviceName: 'web' } : {};
    cluster.create(resources[kind], {
      metadata: { name: 'web', namespace: 'demo' },
      spec: { replicas: 600, selector: web, template: template('web'), ...more },
    });
    await cluster.settle();
    expect(cluster.list(resources.pods)).toHaveLength(600);
    cluster.patch(resources[kind], 'web', { spec: { replicas: 1 } });
    await cluster.advance(60_000);
    expect(cluster.list(resources.pods)).toHaveLength(1);
  });

  it('gets an error when it wants more pods than the sandbox creates for one object', () => {
    expect([burst(3, 0), burst(2_000_000_000, 0), burst(600, 19_900), burst(-1, 5), burst(0, 20_000)]).toEqual([
      3, 500, 100, 0, 0,
    ]);
    expect(() => burst(1, 20_000)).toThrow('pods is forbidden: the sandbox makes no more than 20000 pods');
  });
});

describe('a Deployment', () => {
  it('goes back to an old template with its old ReplicaSet and a new revision', async () => {
    const cluster = new TestCluster();
    cluster.create(resources.deployments, {
      metadata: { name: 'web', namespace: 'demo' },
      spec: { replicas: 2, selector: web, template: template('web') },
    });
    await cluster.settle();
    const image = (name: string) =>
      cluster.patch(resources.deployments, 'web', { spec: { template: template('web', { image: name }) } });
    image('app:2');
    await cluster.settle();
    image('registry.example/app:1');
    await cluster.settle();
    const sets = cluster.list(resources.replicasets).map((set) => set.metadata.annotations);
    expect(sets).toHaveLength(2);
    expect(sets).toContainEqual(
      expect.objectContaining({
        'deployment.kubernetes.io/revision': '3',
        'deployment.kubernetes.io/revision-history': '1',
      }),
    );
  });

  it('keeps its generation when its revision is written, and copies a new annotation to its ReplicaSet', async () => {
    const cluster = new TestCluster();
    cluster.create(resources.deployments, {
      metadata: { name: 'web', namespace: 'demo' },
      spec: { replicas: 1, selector: web, template: template('web') },
    });
    await cluster.settle();
    const generations = () =>
      cluster
        .list(resources.deployments)
        .map(({ metadata, status }) => [metadata.generation, numberAt(status, 'observedGeneration')]);
    expect(generations()).toEqual([[1, 1]]);
    cluster.patch(resources.deployments, 'web', { metadata: { annotations: { note: 'x' } } });
    await cluster.settle();
    expect(generations()).toEqual([[2, 2]]);
    expect(cluster.list(resources.replicasets)[0]?.metadata.annotations).toMatchObject({ note: 'x' });
  });

  it('with strategy Recreate never has pods of two templates', async () => {
    const cluster = new TestCluster({ podDelayMs: 1000 });
    const spec = { replicas: 2, selector: web, strategy: { type: 'Recreate' }, template: template('web') };
    cluster.create(resources.deployments, { metadata: { name: 'web', namespace: 'demo' }, spec });
    await cluster.advance(2000);
    cluster.patch(resources.deployments, 'web', { spec: { template: template('web', { image: 'app:2' }) } });
    for (let step = 0; step < 20; step++) {
      await cluster.advance(200);
      const images = new Set(
        cluster.list(resources.pods).map((pod) => stringAt(pod, 'spec', 'containers', 0, 'image')),
      );
      expect(images.size).toBeLessThanOrEqual(1);
    }
    expect(cluster.get(resources.deployments, 'web')?.status).toMatchObject({
      availableReplicas: 2,
      updatedReplicas: 2,
    });
  });
});

describe('a StatefulSet', () => {
  it('shrinks from the end and deletes the claims of what it scaled away when its policy says so', async () => {
    const cluster = new TestCluster();
    const spec = {
      serviceName: 'db',
      replicas: 3,
      selector: { matchLabels: { app: 'db' } },
      template: template('db'),
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Delete' },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    };
    cluster.create(resources.statefulsets, { metadata: { name: 'db', namespace: 'demo' }, spec });
    await cluster.settle();
    cluster.patch(resources.statefulsets, 'db', { spec: { replicas: 1 } });
    await cluster.settle();
    expect(cluster.list(resources.pods).map((pod) => pod.metadata.name)).toEqual(['db-0']);
    expect(cluster.list(resources.persistentvolumeclaims).map((claim) => claim.metadata.name)).toEqual(['data-db-0']);
    expect(cluster.list(resources.persistentvolumes, '')).toHaveLength(1);
    cluster.delete(resources.statefulsets, 'db');
    await cluster.settle();
    expect(cluster.list(resources.pods)).toEqual([]);
    expect(cluster.list(resources.persistentvolumeclaims)).toHaveLength(1);
  });

  it('keeps pods below the partition, and with OnDelete all until they are deleted', async () => {
    const cluster = new TestCluster();
    const spec = {
      serviceName: 'db',
      replicas: 2,
      selector: { matchLabels: { app: 'db' } },
      template: template('db'),
      updateStrategy: { rollingUpdate: { partition: 1 } },
    };
    cluster.create(resources.statefulsets, { metadata: { name: 'db', namespace: 'demo' }, spec });
    await cluster.settle();
    cluster.patch(resources.statefulsets, 'db', { spec: { template: template('db', { image: 'app:2' }) } });
    await cluster.settle();
    const images = () => cluster.list(resources.pods).map((pod) => stringAt(pod, 'spec', 'containers', 0, 'image'));
    expect(images()).toEqual(['registry.example/app:1', 'app:2']);
    expect(cluster.get(resources.statefulsets, 'db')?.status).toMatchObject({ updatedReplicas: 1, currentReplicas: 1 });
    cluster.patch(resources.statefulsets, 'db', {
      spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null } },
    });
    await cluster.settle();
    expect(images()).toEqual(['registry.example/app:1', 'app:2']);
    cluster.delete(resources.pods, 'db-0');
    await cluster.settle();
    expect(images()).toEqual(['app:2', 'app:2']);
  });
});

describe('a DaemonSet', () => {
  it('has one pod on the node, and replaces it when its template changes', async () => {
    const cluster = new TestCluster();
    cluster.create(resources.daemonsets, {
      metadata: { name: 'agent', namespace: 'demo' },
      spec: { selector: web, template: template('web') },
    });
    await cluster.settle();
    expect(cluster.get(resources.daemonsets, 'agent')?.status).toMatchObject({
      desiredNumberScheduled: 1,
      numberReady: 1,
      numberAvailable: 1,
    });
    cluster.patch(resources.daemonsets, 'agent', { spec: { template: template('web', { image: 'app:2' }) } });
    await cluster.settle();
    expect(cluster.list(resources.pods).map((pod) => stringAt(pod, 'spec', 'containers', 0, 'image'))).toEqual([
      'app:2',
    ]);
  });
});

describe('a Service', () => {
  it('has Endpoints and an EndpointSlice with its ready pods, which go with it', async () => {
    const cluster = new TestCluster();
    const container = { ports: [{ name: 'http', containerPort: 8080 }] };
    cluster.create(resources.deployments, {
      metadata: { name: 'web', namespace: 'demo' },
      spec: { replicas: 2, selector: web, template: template('web', container) },
    });
    cluster.create(resources.services, {
      metadata: { name: 'web', namespace: 'demo' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] },
    });
    await cluster.settle();
    const ips = cluster
      .list(resources.pods)
      .map((pod) => stringAt(pod, 'status', 'podIP'))
      .sort();
    const endpoints = cluster.get(resources.endpoints, 'web');
    expect(arrayAt(endpoints, 'subsets', 0, 'addresses').map((each) => stringAt(each, 'ip'))).toEqual(ips);
    expect(numberAt(endpoints, 'subsets', 0, 'ports', 0, 'port')).toBe(8080);
    const [slice] = cluster.list(resources.endpointslices);
    expect(
      arrayAt(slice, 'endpoints')
        .flatMap((each) => arrayAt(each, 'addresses'))
        .sort(),
    ).toEqual(ips);
    cluster.delete(resources.services, 'web');
    await cluster.settle();
    expect(cluster.get(resources.endpoints, 'web')).toBeUndefined();
    expect(cluster.list(resources.endpointslices)).toEqual([]);
  });
});

describe('a PodDisruptionBudget', () => {
  it('counts what may go', async () => {
    const cluster = new TestCluster();
    cluster.create(resources.poddisruptionbudgets, {
      metadata: { name: 'web', namespace: 'demo' },
      spec: { maxUnavailable: 1, selector: web },
    });
    cluster.create(resources.deployments, {
      metadata: { name: 'web', namespace: 'demo' },
      spec: { replicas: 3, selector: web, template: template('web') },
    });
    await cluster.settle();
    expect(objectAt(cluster.get(resources.poddisruptionbudgets, 'web'), 'status')).toMatchObject({
      currentHealthy: 3,
      desiredHealthy: 2,
      disruptionsAllowed: 1,
      expectedPods: 3,
    });
  });
});

describe('a claim', () => {
  it('binds to the smallest volume that fits, and the volume is released after it', async () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    for (const [name, storage] of [
      ['small', '1Gi'],
      ['right', '5Gi'],
      ['large', '50Gi'],
    ]) {
      cluster.create(resources.persistentvolumes, {
        metadata: { name: name ?? '' },
        spec: {
          capacity: { storage: storage ?? '' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
          storageClassName: 'own',
        },
      });
    }
    const spec = {
      storageClassName: 'own',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '2Gi' } },
    };
    cluster.create(resources.persistentvolumeclaims, { metadata: { name: 'c', namespace: 'demo' }, spec });
    await cluster.settle();
    expect(cluster.get(resources.persistentvolumeclaims, 'c')).toMatchObject({
      spec: { volumeName: 'right' },
      status: { phase: 'Bound', capacity: { storage: '5Gi' } },
    });
    cluster.delete(resources.persistentvolumeclaims, 'c');
    await cluster.settle();
    const phases = cluster
      .list(resources.persistentvolumes, '')
      .map((volume) => `${volume.metadata.name} ${stringAt(volume, 'status', 'phase')}`);
    expect(phases.sort()).toEqual(['large Available', 'right Released', 'small Available']);
  });

  const grows = (storage: string) => ({ spec: { resources: { requests: { storage } } } });
  const bound = async (cluster: TestCluster, more: object = {}) => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more };
    cluster.create(resources.persistentvolumeclaims, { metadata: { name: 'c', namespace: 'demo' }, spec });
    await cluster.settle();
  };

  it('grows with its volume when the class allows it, and never shrinks', async () => {
    const cluster = new TestCluster();
    await bound(cluster);
    cluster.patch(resources.persistentvolumeclaims, 'c', grows('2Gi'));
    await cluster.settle();
    expect(cluster.get(resources.persistentvolumeclaims, 'c')?.status).toMatchObject({
      phase: 'Bound',
      capacity: { storage: '2Gi' },
    });
    expect(cluster.list(resources.persistentvolumes, '')[0]?.spec).toMatchObject({ capacity: { storage: '2Gi' } });
    expect(() => cluster.patch(resources.persistentvolumeclaims, 'c', grows('1Gi'))).toThrow(
      'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    );
  });

  it('does not grow when its class does not say that it may', async () => {
    const cluster = new TestCluster();
    cluster.create(resources.storageclasses, { metadata: { name: 'fixed' }, provisioner: PROVISIONER });
    await bound(cluster, { storageClassName: 'fixed' });
    expect(() => cluster.patch(resources.persistentvolumeclaims, 'c', grows('2Gi'))).toThrow(
      'persistentvolumeclaims "c" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
    cluster.patch(resources.persistentvolumeclaims, 'c', { metadata: { labels: { a: 'b' } } });
  });
});

describe('a StatefulSet that was deleted without its pods and made again', () => {
  it('adopts them and restarts none, also with other claim templates', async () => {
    const cluster = new TestCluster();
    const set = (storage: string) => ({
      metadata: { name: 'db', namespace: 'demo' },
      spec: {
        ...{ replicas: 2, serviceName: 'db', selector: web, template: template('web') },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
          },
        ],
      },
    });
    cluster.create(resources.statefulsets, set('1Gi'));
    await cluster.advance(10_000);
    const uids = () => cluster.list(resources.pods).map(({ metadata }) => metadata.uid);
    const before = uids();
    cluster.delete(resources.statefulsets, 'db', { propagation: 'Orphan' });
    await cluster.settle();
    cluster.create(resources.statefulsets, set('2Gi'));
    await cluster.advance(10_000);
    expect(uids()).toEqual(before);
    expect(before).toHaveLength(2);
    expect(cluster.get(resources.statefulsets, 'db')?.status).toMatchObject({ readyReplicas: 2, updatedReplicas: 2 });
  });
});

describe('the whole cluster', () => {
  it('ends the same for the same seed', async () => {
    const run = async () => {
      const cluster = new TestCluster({ podDelayMs: 3000, seed: 'same' });
      cluster.create(resources.deployments, {
        metadata: { name: 'web', namespace: 'demo' },
        spec: { replicas: 3, selector: web, template: template('web') },
      });
      await cluster.advance(10_000);
      return JSON.stringify([
        cluster.list(resources.pods),
        cluster.list(resources.events),
        cluster.list(resources.replicasets),
      ]);
    };
    expect(await run()).toBe(await run());
  });
});
