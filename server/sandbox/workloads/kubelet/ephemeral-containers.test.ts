import { describe, expect, it } from 'vitest';
import { getAt, objectAt } from '@/lib/json/json';
import { TestCluster } from '../../testing/test-cluster';
import { resources } from '../core/resources';

describe('ephemeral containers', () => {
  it('are started in a running pod, can be used, and do not run again', async () => {
    const cluster = new TestCluster();
    const containers = [{ name: 'app', image: 'app:1' }];
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'demo' }, spec: { containers } };
    cluster.create(resources.pods, pod);
    await cluster.advance(30_000);
    const running = cluster.get(resources.pods, 'web');
    if (running === undefined) throw new Error('the pod does not exist');
    const ephemeralContainers = [
      { name: 'debug-1', image: 'busybox', stdin: true, tty: true, targetContainerName: 'app' },
      { name: 'once', image: 'busybox', command: ['sh', '-c', 'echo done; exit 4'] },
    ];
    cluster.api.update(
      { ...resources.pods, namespace: 'demo', name: 'web' },
      { ...running, spec: { ...objectAt(running, 'spec'), ephemeralContainers } },
      { subresource: 'ephemeralcontainers' },
    );
    await cluster.advance(30_000);
    const status = cluster.get(resources.pods, 'web')?.status;
    expect(getAt(status, 'phase')).toBe('Running');
    expect(getAt(status, 'ephemeralContainerStatuses')).toMatchObject([
      { name: 'debug-1', restartCount: 0, state: { running: {} } },
      { name: 'once', restartCount: 0, state: { terminated: { exitCode: 4 } } },
    ]);
    const { stdout } = await cluster.exec('web', ['echo', 'inside'], { container: 'debug-1' });
    expect(stdout.toString()).toBe('inside\n');
    expect(await cluster.logs('web', 'once')).toBe('done\n');
  });
});
