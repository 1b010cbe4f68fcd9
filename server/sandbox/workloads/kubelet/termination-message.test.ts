import { expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import { TestCluster } from '../../testing/test-cluster';
import { resources } from '../core/resources';

/** The message of a pod whose container has ended. */
async function messageOf(
  script: string,
  fields: { readonly [name: string]: string } = {},
): Promise<string | undefined> {
  const cluster = new TestCluster({ podDelayMs: 1_000 });
  const container = { name: 'app', image: 'busybox', command: ['sh', '-c', script], ...fields };
  cluster.create(resources.pods, {
    metadata: { name: 'job', namespace: 'demo' },
    spec: { restartPolicy: 'Never', containers: [container] },
  });
  await cluster.advance(5_000);
  const state = ['status', 'containerStatuses', 0, 'state', 'terminated'] as const;
  return stringAt(cluster.get(resources.pods, 'job'), ...state, 'message');
}

it('the message of a container is what it writes into its file, up to 4 KiB', async () => {
  expect(await messageOf('echo "wrote monday" > /dev/termination-log; echo done')).toBe('wrote monday\n');
  const fields = { terminationMessagePath: '/tmp/said' };
  expect(await messageOf('echo -n there > /tmp/said; exit 3', fields)).toBe('there');
  expect(await messageOf(`echo -n ${'x'.repeat(5_000)} > /dev/termination-log`)).toHaveLength(4_096);
  expect(await messageOf('echo nothing more')).toBeUndefined();
});

it('the end of the log stands in its place for a container that failed, when its pod asks for that', async () => {
  const fields = { terminationMessagePolicy: 'FallbackToLogsOnError' };
  expect(await messageOf('echo the disk is full; exit 1', fields)).toBe('the disk is full\n');
  expect(await messageOf('echo all is well', fields)).toBeUndefined();
  expect(await messageOf('echo the disk is full; exit 1')).toBeUndefined();
  expect(await messageOf('echo log; echo file > /dev/termination-log; exit 1', fields)).toBe('file\n');
});
