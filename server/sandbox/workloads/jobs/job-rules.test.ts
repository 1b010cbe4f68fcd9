import { describe, expect, it } from 'vitest';
import { arrayAt, type JsonValue, stringAt } from '@/lib/json/json';
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

describe('the policy of a Job for pods that fail', () => {
  const rule = (action: string, operator: string, values: number[]) => ({ action, onExitCodes: { operator, values } });
  const conditionsOf = (cluster: TestCluster) =>
    arrayAt(cluster.list(resources.jobs)[0], 'status', 'conditions').map(
      (each) => `${stringAt(each, 'type')} ${stringAt(each, 'reason')}`,
    );

  it('ends the Job at once with an exit code that it names', async () => {
    const cluster = start({ podFailurePolicy: { rules: [rule('FailJob', 'In', [42])] } }, 'exit 42');
    await cluster.advance(3_000);
    expect(cluster.list(resources.pods)).toHaveLength(1);
    expect(conditionsOf(cluster)).toEqual(['FailureTarget PodFailurePolicy', 'Failed PodFailurePolicy']);
    const [condition] = arrayAt(cluster.list(resources.jobs)[0], 'status', 'conditions');
    expect(stringAt(condition, 'message')).toMatch(
      /^Container app for pod demo\/work-\w+ failed with exit code 42 matching FailJob rule at index 0$/,
    );
  });

  it('lets the Job go on with another exit code, and does not count one that it ignores', async () => {
    const rules = [rule('Ignore', 'In', [3]), rule('FailJob', 'NotIn', [3])];
    const cluster = start({ backoffLimit: 0, podFailurePolicy: { rules } }, 'exit 3');
    await cluster.advance(15_000);
    expect(cluster.list(resources.pods)).toHaveLength(2);
    expect(conditionsOf(cluster)).toEqual([]);
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
