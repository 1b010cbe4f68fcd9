import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import { TestCluster } from '../../testing/test-cluster';
import { resources } from '../core/resources';
import { parseIndexes } from './job-pods';

type Spec = { [key: string]: JsonValue };

function start(spec: Spec, command: string, cluster = new TestCluster()): TestCluster {
  const containers = [{ name: 'app', image: 'busybox', command: ['sh', '-c', command] }];
  const template = { spec: { restartPolicy: 'Never', containers } };
  cluster.create(resources.jobs, { metadata: { name: 'work', namespace: 'demo' }, spec: { template, ...spec } });
  return cluster;
}

describe('pods of a Job that fail', () => {
  it.each([0, 1000])('are made again after 10 s, then 20 s, also when pods take %d ms', async (podDelayMs) => {
    const cluster = start({ backoffLimit: 100 }, 'exit 1', new TestCluster({ podDelayMs }));
    await cluster.advance(9_000);
    expect(cluster.list(resources.pods)).toHaveLength(1);
    await cluster.advance(4_000);
    expect(cluster.list(resources.pods)).toHaveLength(2);
    await cluster.advance(15_000);
    expect(cluster.list(resources.pods)).toHaveLength(2);
    await cluster.advance(7_000);
    expect(cluster.list(resources.pods)).toHaveLength(3);
    await cluster.advance(3_600_000);
    expect(cluster.list(resources.pods).length).toBeLessThan(15);
  });
});

describe('a Job that wants very many pods', () => {
  it('computes only as many indexes as it may start', async () => {
    const cluster = start({ completionMode: 'Indexed', completions: 2_000_000_000, parallelism: 2 }, 'sleep 60');
    await cluster.advance(1_000);
    expect(cluster.list(resources.pods)).toHaveLength(2);
  });

  it('reads no more of a range in its status than a Job can have', () => {
    expect(parseIndexes('5-2000000000,7', 10)).toEqual(new Set([5, 6, 7, 8, 9]));
    expect(parseIndexes('0-1999999999', 2_000_000_000).size).toBe(100_000);
  });

  it('creates five hundred in one reconcile, and the rest in the next ones', async () => {
    const cluster = start({ completions: 1_100, parallelism: 1_100 }, 'sleep 60');
    await cluster.advance(1_000);
    expect(cluster.list(resources.pods)).toHaveLength(1_100);
  });
});
