import { describe, expect, it } from 'vitest';
import { numberAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { type Random, randomInteger, seededRandom } from '@/lib/random/random';
import { TestCluster, template } from '../testing/test-cluster';
import { resources } from './core/resources';

const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

function pick<T>(random: Random, items: readonly T[]): T | undefined {
  return items.length === 0 ? undefined : items[randomInteger(random, items.length)];
}

/** One disturbance: a new size, a new image, a lost object, a restart of the controllers, or time alone. */
async function disturb(cluster: TestCluster, random: Random): Promise<void> {
  const kind = pick(random, ['deployments', 'statefulsets'] as const) ?? 'deployments';
  const resource = resources[kind];
  switch (randomInteger(random, 8)) {
    case 0:
    case 1:
      cluster.patch(resource, kind, { spec: { replicas: randomInteger(random, 5) } });
      break;
    case 2:
    case 3:
      cluster.patch(resource, kind, {
        spec: { template: template(kind, { image: `app:${randomInteger(random, 3)}` }) },
      });
      break;
    case 4:
    case 5: {
      const pod = pick(random, cluster.list(resources.pods));
      if (pod?.metadata.name !== undefined) cluster.delete(resources.pods, pod.metadata.name);
      break;
    }
    case 6: {
      const set = pick(random, cluster.list(resources.replicasets));
      if (set?.metadata.name !== undefined) cluster.delete(resources.replicasets, set.metadata.name);
      break;
    }
    default:
      cluster.restart();
  }
  await cluster.advance(randomInteger(random, 3000));
}

function isUp(pod: KubeObject): boolean {
  return (
    JSON.stringify(objectAt(pod, 'status').conditions).includes('"Ready"') &&
    stringAt(pod, 'status', 'phase') === 'Running'
  );
}

describe('whatever happens to workloads', () => {
  it.each(Array.from({ length: 5 }, (_, index) => `seed-${index}`))(
    'they end as they were asked to be (%s)',
    async (seed) => {
      const random = seededRandom(seed);
      const cluster = new TestCluster({ podDelayMs: 1000, seed });
      const spec = (app: string) => ({ replicas: 2, selector: { matchLabels: { app } }, template: template(app) });
      cluster.create(resources.deployments, {
        metadata: { name: 'deployments', namespace: 'demo' },
        spec: spec('deployments'),
      });
      const set = { ...spec('statefulsets'), serviceName: 's', volumeClaimTemplates: [claim] };
      cluster.create(resources.statefulsets, { metadata: { name: 'statefulsets', namespace: 'demo' }, spec: set });
      for (let step = 0; step < 20; step++) await disturb(cluster, random);
      await cluster.advance(120_000);

      for (const kind of ['deployments', 'statefulsets'] as const) {
        const owner = cluster.get(resources[kind], kind);
        const wanted = numberAt(owner, 'spec', 'replicas') ?? 0;
        const image = stringAt(owner, 'spec', 'template', 'spec', 'containers', 0, 'image');
        const pods = cluster.list(resources.pods).filter((pod) => pod.metadata.labels?.app === kind);
        expect(pods.map((pod) => stringAt(pod, 'spec', 'containers', 0, 'image'))).toEqual(
          new Array(wanted).fill(image),
        );
        expect(pods.every(isUp)).toBe(true);
        expect(numberAt(owner, 'status', 'readyReplicas') ?? 0).toBe(wanted);
        expect(numberAt(owner, 'status', 'observedGeneration')).toBe(owner?.metadata.generation);
      }
      const owners = new Set(cluster.list(resources.replicasets).map((each) => each.metadata.uid));
      owners.add(cluster.get(resources.statefulsets, 'statefulsets')?.metadata.uid);
      expect(cluster.list(resources.pods).every((pod) => owners.has(pod.metadata.ownerReferences?.[0]?.uid))).toBe(
        true,
      );
      expect(cluster.workloads.idle).toBe(true);
    },
    60_000,
  );
});
