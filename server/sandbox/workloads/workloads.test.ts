import { describe, expect, it } from 'vitest';
import { numberAt, objectAt, stringAt } from '@/lib/json/json';
import { TestCluster, template } from '../testing/test-cluster';
import { resources } from './core/resources';

const selector = { matchLabels: { app: 'web' } };

function deployment(replicas: number, extra: object = {}) {
  return {
    metadata: { name: 'web', namespace: 'demo' },
    spec: { replicas, selector, template: template('web'), ...extra },
  };
}

describe('a Deployment', () => {
  it('becomes available without time when pods take no time', async () => {
    const cluster = new TestCluster();
    cluster.create(resources.deployments, deployment(3));
    await cluster.settle();
    const status = objectAt(cluster.get(resources.deployments, 'web'), 'status');
    expect(status).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      updatedReplicas: 3,
      observedGeneration: 1,
    });
    expect(cluster.phases()).toHaveLength(3);
    expect(cluster.clock.nextDueMs()).toBeGreaterThan(cluster.clock.now() + 60_000);
  });

  it('rolls to a new template within surge and availability, and keeps the old ReplicaSet', async () => {
    const cluster = new TestCluster({ podDelayMs: 3000 });
    cluster.create(resources.deployments, deployment(4));
    await cluster.advance(4000);
    cluster.patch(resources.deployments, 'web', {
      spec: { template: { spec: { containers: [{ name: 'app', image: 'app:2' }] } } },
    });
    for (let step = 0; step < 40; step++) {
      await cluster.advance(500);
      const pods = cluster.list(resources.pods).filter((pod) => pod.metadata.deletionTimestamp === undefined);
      const ready = numberAt(cluster.get(resources.deployments, 'web'), 'status', 'availableReplicas') ?? 0;
      expect(pods.length).toBeLessThanOrEqual(5);
      expect(ready).toBeGreaterThanOrEqual(3);
    }
    const sets = cluster
      .list(resources.replicasets)
      .map((set) => [
        set.metadata.annotations?.['deployment.kubernetes.io/revision'],
        numberAt(set, 'spec', 'replicas'),
      ]);
    expect(sets.sort()).toEqual([
      ['1', 0],
      ['2', 4],
    ]);
    const pods = cluster.list(resources.pods).map((pod) => stringAt(pod, 'spec', 'containers', 0, 'image'));
    expect(pods).toEqual(['app:2', 'app:2', 'app:2', 'app:2']);
  });

  it.each([2, 8])(
    'comes to %d replicas when its size changes in the middle of a rollout, also while it is paused',
    async (size) => {
      const cluster = new TestCluster({ podDelayMs: 3000 });
      cluster.create(resources.deployments, deployment(4));
      await cluster.advance(4000);
      const image2 = { spec: { containers: [{ name: 'app', image: 'app:2' }] } };
      cluster.patch(resources.deployments, 'web', { spec: { template: image2 } });
      await cluster.advance(500);
      cluster.patch(resources.deployments, 'web', { spec: { paused: true, replicas: size } });
      await cluster.advance(10_000);
      expect(cluster.list(resources.pods)).toHaveLength(size);
      cluster.patch(resources.deployments, 'web', { spec: { paused: false } });
      await cluster.advance(30_000);
      const pods = cluster.list(resources.pods).map((pod) => stringAt(pod, 'spec', 'containers', 0, 'image'));
      expect(pods).toEqual(new Array(size).fill('app:2'));
    },
  );

  it('exceeds its progress deadline when its image cannot be pulled', async () => {
    const cluster = new TestCluster({ podDelayMs: 3000 });
    cluster.create(
      resources.deployments,
      deployment(1, { progressDeadlineSeconds: 60, template: template('web', { image: 'nonexistent:1' }) }),
    );
    await cluster.advance(120_000);
    const [pod] = cluster.list(resources.pods);
    expect(stringAt(pod, 'status', 'containerStatuses', 0, 'state', 'waiting', 'reason')).toMatch(
      /^(ErrImagePull|ImagePullBackOff)$/,
    );
    const conditions = objectAt(cluster.get(resources.deployments, 'web'), 'status').conditions;
    expect(JSON.stringify(conditions)).toContain('ProgressDeadlineExceeded');
  });
});

describe('a StatefulSet', () => {
  const set = (replicas: number) => ({
    metadata: { name: 'db', namespace: 'demo' },
    spec: {
      serviceName: 'db',
      replicas,
      selector: { matchLabels: { app: 'db' } },
      template: template('db', { volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  });

  it('starts its pods one after the other, each with a bound claim', async () => {
    const cluster = new TestCluster({ podDelayMs: 3000 });
    cluster.create(resources.statefulsets, set(3));
    const seen: string[] = [];
    for (let second = 0; second < 12; second++) {
      await cluster.advance(1000);
      const names = cluster.list(resources.pods).map((pod) => pod.metadata.name ?? '');
      for (const name of names) if (!seen.includes(name)) seen.push(name);
      const unready = cluster
        .list(resources.pods)
        .filter((pod) => !JSON.stringify(pod.status).includes('"type":"Ready","observedGeneration":1,"status":"True"'));
      expect(unready.length).toBeLessThanOrEqual(3);
    }
    expect(seen).toEqual(['db-0', 'db-1', 'db-2']);
    expect(cluster.get(resources.statefulsets, 'db')?.status).toMatchObject({
      readyReplicas: 3,
      currentReplicas: 3,
      availableReplicas: 3,
    });
    expect(cluster.list(resources.persistentvolumeclaims).map((claim) => stringAt(claim, 'status', 'phase'))).toEqual([
      'Bound',
      'Bound',
      'Bound',
    ]);
  });

  it('replaces pods from the end, and the files of their claims stay', async () => {
    const cluster = new TestCluster();
    cluster.create(resources.statefulsets, set(2));
    await cluster.settle();
    await cluster.exec('db-1', ['sh', '-c', 'echo kept > /data/file']);
    cluster.patch(resources.statefulsets, 'db', {
      spec: {
        template: {
          spec: { containers: [{ name: 'app', image: 'app:2', volumeMounts: [{ name: 'data', mountPath: '/data' }] }] },
        },
      },
    });
    await cluster.settle();
    expect(cluster.list(resources.pods).map((pod) => stringAt(pod, 'spec', 'containers', 0, 'image'))).toEqual([
      'app:2',
      'app:2',
    ]);
    expect((await cluster.exec('db-1', ['cat', '/data/file'])).stdout.toString()).toBe('kept\n');
    expect(cluster.list(resources.controllerrevisions)).toHaveLength(2);
  });
});

describe('a Job', () => {
  const job = (command: string[], extra: object = {}) => ({
    metadata: { name: 'work', namespace: 'demo' },
    spec: {
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'app', image: 'busybox', command }] } },
      ...extra,
    },
  });

  it('completes in about the pod delay and keeps what its pod printed', async () => {
    const cluster = new TestCluster({ podDelayMs: 3000 });
    cluster.create(resources.jobs, job(['sh', '-c', 'echo hello from $HOSTNAME']));
    await cluster.advance(2500);
    expect(cluster.get(resources.jobs, 'work')?.status).toMatchObject({ active: 1 });
    await cluster.advance(1000);
    expect(cluster.get(resources.jobs, 'work')?.status).toMatchObject({
      succeeded: 1,
      ready: 0,
      conditions: [{ type: 'SuccessCriteriaMet' }, { type: 'Complete', reason: 'CompletionsReached' }],
    });
    const [pod] = cluster.list(resources.pods);
    expect(pod?.metadata.finalizers).toBeUndefined();
    expect(await cluster.logs(pod?.metadata.name ?? '')).toBe(`hello from ${pod?.metadata.name}\n`);
  });

  it('fails when its command fails more often than its back-off limit', async () => {
    const cluster = new TestCluster();
    cluster.create(resources.jobs, job(['sh', '-c', 'exit 3'], { backoffLimit: 2 }));
    await cluster.advance(60_000);
    expect(cluster.get(resources.jobs, 'work')?.status).toMatchObject({
      failed: 3,
      conditions: [{ type: 'FailureTarget' }, { type: 'Failed', reason: 'BackoffLimitExceeded' }],
    });
    const codes = cluster
      .list(resources.pods)
      .map((pod) => numberAt(pod, 'status', 'containerStatuses', 0, 'state', 'terminated', 'exitCode'));
    expect(codes).toEqual([3, 3, 3]);
  });

  it('lasts as long as its command sleeps', async () => {
    const cluster = new TestCluster();
    cluster.create(resources.jobs, job(['sleep', '20']));
    await cluster.advance(19_000);
    expect(cluster.get(resources.jobs, 'work')?.status).toMatchObject({ active: 1 });
    await cluster.advance(2000);
    expect(cluster.get(resources.jobs, 'work')?.status).toMatchObject({ succeeded: 1 });
  });

  it('is deleted with its pods after its time to live', async () => {
    const cluster = new TestCluster();
    cluster.create(resources.jobs, job(['true'], { ttlSecondsAfterFinished: 30 }));
    await cluster.advance(31_000);
    expect(cluster.list(resources.jobs)).toEqual([]);
    expect(cluster.list(resources.pods)).toEqual([]);
  });
});
