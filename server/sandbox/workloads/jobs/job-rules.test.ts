import { describe, expect, it } from 'vitest';
import { arrayAt, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import { resources } from '../core/resources';
import { TestCluster } from '../test-cluster';
import { parseIndexes } from './job-pods';

type Spec = { [key: string]: JsonValue };

function start(spec: Spec, command: string, cluster = new TestCluster()): TestCluster {
  const containers = [{ name: 'app', image: 'busybox', command: ['sh', '-c', command] }];
  const template = { spec: { restartPolicy: 'Never', containers } };
  cluster.create(resources.jobs, { metadata: { name: 'work', namespace: 'demo' }, spec: { template, ...spec } });
  return cluster;
}

const status = (cluster: TestCluster) => cluster.get(resources.jobs, 'work')?.status;
const conditions = (cluster: TestCluster) =>
  arrayAt(status(cluster), 'conditions').map((each) => `${stringAt(each, 'type')} ${stringAt(each, 'reason')}`);
const annotations = (cluster: TestCluster) =>
  cluster
    .list(resources.pods)
    .map(({ metadata }) => metadata.annotations?.['batch.kubernetes.io/job-index-failure-count']);
const indexed = (completions: number, more: Spec = {}): Spec => ({
  completionMode: 'Indexed',
  completions,
  parallelism: completions,
  ...more,
});
const oddFail = 'exit $((JOB_COMPLETION_INDEX % 2))';
const rule = (action: string) => ({
  podFailurePolicy: { rules: [{ action, onExitCodes: { operator: 'In', values: [1] } }] },
});

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

  it('are not counted where the policy says Ignore, but waited for', async () => {
    const cluster = start({ backoffLimit: 0, ...rule('Ignore') }, 'exit 1');
    await cluster.advance(35_000);
    expect(cluster.list(resources.pods)).toHaveLength(3);
    expect(status(cluster)).not.toHaveProperty('failed');
    expect(status(cluster)).not.toHaveProperty('conditions');
    const released = cluster.list(resources.pods).map(({ metadata }) => metadata.finalizers);
    expect(released).toEqual([undefined, undefined, undefined]);
  });
});

describe('a Job that wants very many pods', () => {
  it('looks only for as many indexes as it may begin', async () => {
    const cluster = start({ completionMode: 'Indexed', completions: 2_000_000_000, parallelism: 2 }, 'sleep 60');
    await cluster.advance(1_000);
    expect(cluster.list(resources.pods)).toHaveLength(2);
  });

  it('reads no more of a range in its status than a Job can have', () => {
    expect(parseIndexes('5-2000000000,7', 10)).toEqual(new Set([5, 6, 7, 8, 9]));
    expect(parseIndexes('0-1999999999', 2_000_000_000).size).toBe(100_000);
  });

  it('makes five hundred in a look, and the rest in those after it', async () => {
    const cluster = start({ completions: 1_100, parallelism: 1_100 }, 'sleep 60');
    await cluster.advance(1_000);
    expect(cluster.list(resources.pods)).toHaveLength(1_100);
  });
});

describe('an Indexed Job with a limit for each index', () => {
  it('lets the other indexes go on, and fails when all have ended', async () => {
    const cluster = start(indexed(4, { backoffLimitPerIndex: 1 }), oddFail);
    await cluster.advance(5_000);
    expect(status(cluster)).toMatchObject({ succeeded: 2, completedIndexes: '0,2', failedIndexes: '' });
    expect(annotations(cluster)).toEqual(['0', '0', '0', '0']);
    await cluster.advance(10_000);
    expect(annotations(cluster).sort()).toEqual(['0', '0', '0', '0', '1', '1']);
    expect(status(cluster)).toMatchObject({ succeeded: 2, failed: 4, failedIndexes: '1,3', completedIndexes: '0,2' });
    expect(conditions(cluster)).toEqual(['FailureTarget FailedIndexes', 'Failed FailedIndexes']);
  });

  it('ends at once when more indexes have failed than may', async () => {
    const more = { backoffLimitPerIndex: 0, maxFailedIndexes: 1 };
    const cluster = start(indexed(4, more), 'test $JOB_COMPLETION_INDEX = 0 && sleep 1000; exit 1');
    await cluster.advance(5_000);
    expect(conditions(cluster)).toEqual(['FailureTarget MaxFailedIndexesExceeded', 'Failed MaxFailedIndexesExceeded']);
    expect(numberAt(status(cluster), 'active')).toBeUndefined();
  });

  it('gives an index up that its policy names', async () => {
    const more = { backoffLimitPerIndex: 5, ...rule('FailIndex') };
    const cluster = start(indexed(2, more), oddFail);
    await cluster.advance(5_000);
    expect(status(cluster)).toMatchObject({ succeeded: 1, failed: 1, failedIndexes: '1' });
    expect(conditions(cluster)).toEqual(['FailureTarget FailedIndexes', 'Failed FailedIndexes']);
  });

  it('does not count for the index what its policy ignores', async () => {
    const cluster = start(indexed(1, { backoffLimitPerIndex: 0, ...rule('Ignore') }), 'exit 1');
    await cluster.advance(35_000);
    expect(annotations(cluster)).toEqual(['0', '0', '0']);
    expect(status(cluster)).toMatchObject({ failedIndexes: '' });
    expect(conditions(cluster)).toEqual([]);
  });
});

describe('a Job with a success policy', () => {
  it.each<[string, Spec, string | undefined]>([
    ['all of its indexes', { succeededIndexes: '0-1' }, '0'],
    ['enough of its indexes', { succeededIndexes: '0,3', succeededCount: 1 }, '0'],
    ['enough of any', { succeededCount: 2 }, '0'],
    ['too few', { succeededCount: 3 }, undefined],
    ['others', { succeededIndexes: '2' }, undefined],
  ])('and %s done', async (_what, wanted, met) => {
    const cluster = start(
      indexed(4, { successPolicy: { rules: [wanted] } }),
      'test $JOB_COMPLETION_INDEX -lt 2 || sleep 1000',
    );
    await cluster.advance(5_000);
    expect(conditions(cluster)).toEqual(
      met === undefined ? [] : ['SuccessCriteriaMet SuccessPolicy', 'Complete SuccessPolicy'],
    );
    if (met === undefined) return;
    expect(status(cluster)).toMatchObject({ succeeded: 2, completionTime: expect.any(String) });
    expect(arrayAt(status(cluster), 'conditions')[0]).toMatchObject({ message: `Matched rules at index ${met}` });
    expect(numberAt(status(cluster), 'active')).toBeUndefined();
  });
});

it('an Indexed Job that is made smaller lets go of what is beyond its end', async () => {
  const cluster = start(indexed(4), 'sleep 1000');
  await cluster.advance(1_000);
  cluster.patch(resources.jobs, 'work', { spec: { completions: 2, parallelism: 2 } });
  await cluster.advance(60_000);
  const indexes = cluster
    .list(resources.pods)
    .map(({ metadata }) => metadata.labels?.['batch.kubernetes.io/job-completion-index']);
  expect(indexes.sort()).toEqual(['0', '1']);
});
