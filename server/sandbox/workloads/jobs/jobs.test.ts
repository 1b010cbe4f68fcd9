import { describe, expect, it } from 'vitest';
import { formatTime } from '@/lib/clock/clock';
import { arrayAt, numberAt } from '@/lib/json/json';
import { TestCluster } from '../../testing/test-cluster';
import { resources } from '../core/resources';

describe('a CronJob', () => {
  const cronJob = (extra: object, command: string[]) => ({
    metadata: { name: 'tick', namespace: 'demo' },
    spec: {
      schedule: '*/5 * * * *',
      jobTemplate: {
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'app', image: 'busybox', command }] } },
        },
      },
      ...extra,
    },
  });

  it('starts a Job at each of its times and keeps the last three', async () => {
    const cluster = new TestCluster();
    cluster.create(resources.cronjobs, cronJob({}, ['true']));
    await cluster.advance(26 * 60_000);
    const jobs = cluster.list(resources.jobs);
    expect(jobs).toHaveLength(3);
    const due = Math.floor(cluster.clock.now() / 300_000) * 300_000;
    expect(cluster.get(resources.cronjobs, 'tick')?.status).toMatchObject({
      lastScheduleTime: formatTime(due),
      lastSuccessfulTime: formatTime(due),
    });
    expect(jobs.map((job) => job.metadata.name)).toContain(`tick-${due / 60_000}`);
  });

  it('does not start beside a running Job when that is forbidden', async () => {
    const cluster = new TestCluster();
    cluster.create(resources.cronjobs, cronJob({ concurrencyPolicy: 'Forbid' }, ['sleep', '1000']));
    await cluster.advance(16 * 60_000);
    expect(cluster.list(resources.jobs)).toHaveLength(1);
    expect(arrayAt(cluster.get(resources.cronjobs, 'tick'), 'status', 'active')).toHaveLength(1);
  });
});

describe('a Job', () => {
  it('with indexes gives each pod its number', async () => {
    const cluster = new TestCluster();
    const container = {
      name: 'app',
      image: 'busybox',
      command: ['sh', '-c', 'echo $JOB_COMPLETION_INDEX of $HOSTNAME'],
    };
    const spec = {
      completions: 3,
      parallelism: 2,
      completionMode: 'Indexed',
      template: { spec: { restartPolicy: 'Never', containers: [container] } },
    };
    cluster.create(resources.jobs, { metadata: { name: 'work', namespace: 'demo' }, spec });
    await cluster.settle();
    expect(cluster.get(resources.jobs, 'work')?.status).toMatchObject({ succeeded: 3, completedIndexes: '0-2' });
    const logs = await Promise.all(cluster.list(resources.pods).map((pod) => cluster.logs(pod.metadata.name ?? '')));
    expect(logs.sort()).toEqual(['0 of work-0\n', '1 of work-1\n', '2 of work-2\n']);
  });

  it('waits while suspended, and fails at its deadline', async () => {
    const cluster = new TestCluster();
    const container = { name: 'app', image: 'busybox', command: ['sleep', '1000'] };
    const spec = {
      suspend: true,
      activeDeadlineSeconds: 30,
      template: { spec: { restartPolicy: 'Never', containers: [container] } },
    };
    cluster.create(resources.jobs, { metadata: { name: 'work', namespace: 'demo' }, spec });
    await cluster.advance(60_000);
    expect(cluster.list(resources.pods)).toEqual([]);
    cluster.patch(resources.jobs, 'work', { spec: { suspend: false } });
    await cluster.advance(29_000);
    expect(cluster.get(resources.jobs, 'work')?.status).toMatchObject({ active: 1 });
    await cluster.advance(2000);
    expect(JSON.stringify(cluster.get(resources.jobs, 'work')?.status)).toContain('DeadlineExceeded');
    expect(numberAt(cluster.get(resources.jobs, 'work'), 'status', 'active')).toBeUndefined();
  });
});
