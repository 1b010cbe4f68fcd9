import { describe, expect, it } from 'vitest';
import { arrayAt, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import { TestCluster } from '../../testing/test-cluster';
import { resources } from '../core/resources';
import { unpackTar } from '../shell/programs/archive';

function pod(name: string, spec: { [key: string]: JsonValue }, annotations: { [key: string]: string } = {}) {
  return { metadata: { name, namespace: 'demo', annotations }, spec };
}

function waitingReason(cluster: TestCluster, name: string): string | undefined {
  return stringAt(cluster.get(resources.pods, name), 'status', 'containerStatuses', 0, 'state', 'waiting', 'reason');
}

describe('a simulated pod', () => {
  it('goes from Pending over ContainerCreating to Running and Ready in about the pod delay', async () => {
    const cluster = new TestCluster({ podDelayMs: 3000 });
    cluster.create(resources.pods, pod('web', { containers: [{ name: 'app', image: 'nginx:1' }] }));
    await cluster.advance(100);
    expect(stringAt(cluster.get(resources.pods, 'web'), 'spec', 'nodeName')).toBe('sandbox');
    expect(waitingReason(cluster, 'web')).toBe('ContainerCreating');
    await cluster.advance(1500);
    expect(cluster.get(resources.pods, 'web')?.status).toMatchObject({
      phase: 'Running',
      podIP: '10.244.0.2',
      containerStatuses: [{ ready: false, started: true }],
    });
    await cluster.advance(1500);
    const conditions = arrayAt(cluster.get(resources.pods, 'web'), 'status', 'conditions').map(
      (each) => `${stringAt(each, 'type')} ${stringAt(each, 'status')}`,
    );
    expect(conditions).toEqual([
      'PodReadyToStartContainers True',
      'Initialized True',
      'Ready True',
      'ContainersReady True',
      'PodScheduled True',
    ]);
    expect(cluster.reasons('web')).toEqual(['Scheduled', 'Pulling', 'Pulled', 'Created', 'Started']);
    expect(cluster.clock.nextDueMs()).toBeGreaterThan(cluster.clock.now() + 100_000);
  });

  it('runs init containers in order over a shared emptyDir, with its environment and ConfigMap', async () => {
    const cluster = new TestCluster();
    cluster.create(resources.configmaps, {
      metadata: { name: 'conf', namespace: 'demo' },
      data: { key: 'from map', file: 'content\n' },
    });
    cluster.create(resources.secrets, {
      metadata: { name: 'sec', namespace: 'demo' },
      data: { password: btoa('hidden') },
    });
    const volumeMounts = [
      { name: 'shared', mountPath: '/shared' },
      { name: 'conf', mountPath: '/conf' },
    ];
    const env = [
      { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'conf', key: 'key' } } },
      { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'sec', key: 'password' } } },
      { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'BOTH', value: '$(POD)/$(KEY)' },
    ];
    cluster.create(
      resources.pods,
      pod('web', {
        initContainers: [
          {
            name: 'one',
            image: 'busybox',
            command: ['sh', '-c', 'echo "$BOTH $PASSWORD" > /shared/a; cat /conf/file >> /shared/a'],
            env,
            volumeMounts,
          },
          { name: 'two', image: 'busybox', command: ['sh', '-c', 'cp /shared/a /shared/b'], volumeMounts },
        ],
        containers: [{ name: 'app', image: 'nginx:1', volumeMounts }],
        volumes: [
          { name: 'shared', emptyDir: {} },
          { name: 'conf', configMap: { name: 'conf' } },
        ],
      }),
    );
    await cluster.settle();
    expect((await cluster.exec('web', ['cat', '/shared/b'])).stdout.toString()).toBe('web/from map hidden\ncontent\n');
    expect(await cluster.exec('web', ['stat', '-c', '%s', '/shared/b'], { tty: true })).toMatchObject({
      exitCode: 0,
      stdout: Buffer.from('28\r\n'),
    });
    const archive = await cluster.exec('web', ['tar', 'cf', '-', '/shared/b']);
    expect([...unpackTar(archive.stdout)].map((member) => member.name)).toEqual(['shared/b']);
    expect(await cluster.exec('web', ['nonsense'])).toMatchObject({ exitCode: 127 });
    expect(await cluster.exec('web', ['sh'], { stdin: 'echo a; pwd\nexit 3\n' })).toMatchObject({
      exitCode: 3,
      stdout: Buffer.from('a\n/\n'),
    });
  });

  it('crashes in a loop with back-off when its command fails', async () => {
    const cluster = new TestCluster({ podDelayMs: 1000 });
    cluster.create(
      resources.pods,
      pod('bad', { containers: [{ name: 'app', image: 'busybox', command: ['sh', '-c', 'echo trying; exit 2'] }] }),
    );
    await cluster.advance(5000);
    expect(waitingReason(cluster, 'bad')).toBe('CrashLoopBackOff');
    expect(cluster.get(resources.pods, 'bad')?.status).toMatchObject({
      phase: 'Running',
      containerStatuses: [{ restartCount: 2, lastState: { terminated: { exitCode: 2, reason: 'Error' } } }],
    });
    expect(cluster.reasons('bad')).toContain('BackOff');
    await cluster.advance(60_000);
    expect(numberAt(cluster.get(resources.pods, 'bad'), 'status', 'containerStatuses', 0, 'restartCount')).toBe(4);
    expect(await cluster.logs('bad')).toBe('trying\n');
  });

  it.each([
    ['its image name says so', 'registry/nonexistent:1', {}],
    ['an annotation says so', 'nginx:1', { 'sandbox.bravo.kudo.dev/fail': 'image-pull' }],
  ])('ends in ImagePullBackOff when %s', async (_, image, annotations) => {
    const cluster = new TestCluster({ podDelayMs: 1000 });
    cluster.create(resources.pods, pod('bad', { containers: [{ name: 'app', image }] }, annotations));
    await cluster.advance(2000);
    expect(waitingReason(cluster, 'bad')).toBe('ImagePullBackOff');
    expect(cluster.get(resources.pods, 'bad')?.status).toMatchObject({ phase: 'Pending' });
    expect(cluster.reasons('bad')).toEqual(['Scheduled', 'Pulling', 'Failed', 'Failed', 'BackOff', 'Failed']);
  });

  it('stays Pending where the node cannot take it, and says why', async () => {
    const cluster = new TestCluster();
    cluster.create(
      resources.pods,
      pod('far', { nodeSelector: { zone: 'mars' }, containers: [{ name: 'app', image: 'nginx' }] }),
    );
    cluster.create(
      resources.pods,
      pod('asked', { containers: [{ name: 'app', image: 'nginx' }] }, { 'sandbox.bravo.kudo.dev/fail': 'pending' }),
    );
    await cluster.settle();
    expect(cluster.phases()).toEqual(['asked Pending', 'far Pending']);
    expect(cluster.reasons('far')).toEqual(['FailedScheduling']);
  });

  it('waits for a ConfigMap that it mounts and starts when it comes', async () => {
    const cluster = new TestCluster();
    cluster.create(
      resources.pods,
      pod('web', {
        containers: [{ name: 'app', image: 'nginx' }],
        volumes: [{ name: 'c', configMap: { name: 'late' } }],
      }),
    );
    await cluster.settle();
    expect(cluster.phases()).toEqual(['web Pending']);
    expect(cluster.reasons('web')).toContain('FailedMount');
    expect(cluster.list(resources.events).map(({ message }) => message)).toContain(
      'MountVolume.SetUp failed for volume "c" : configmap "late" not found',
    );
    cluster.create(resources.configmaps, { metadata: { name: 'late', namespace: 'demo' } });
    await cluster.settle();
    expect(cluster.phases()).toEqual(['web Running']);
  });

  it('goes soon after it is deleted, and its address is free again', async () => {
    const cluster = new TestCluster({ podDelayMs: 3000 });
    cluster.create(resources.pods, pod('web', { containers: [{ name: 'app', image: 'nginx' }] }));
    await cluster.advance(4000);
    cluster.delete(resources.pods, 'web');
    await cluster.settle();
    expect(cluster.get(resources.pods, 'web')?.metadata.deletionTimestamp).toBeDefined();
    await cluster.advance(1000);
    expect(cluster.phases()).toEqual([]);
    expect(cluster.reasons('web')).toContain('Killing');
  });

  it('runs on after the sandbox was started again', async () => {
    const cluster = new TestCluster({ podDelayMs: 3000 });
    cluster.create(resources.pods, pod('web', { containers: [{ name: 'app', image: 'nginx' }] }));
    await cluster.advance(4000);
    const before = cluster.get(resources.pods, 'web')?.status;
    cluster.restart();
    await cluster.advance(1000);
    expect(cluster.get(resources.pods, 'web')?.status).toEqual(before);
    expect(await cluster.exec('web', ['true'])).toMatchObject({ exitCode: 0 });
  });
});

describe('a command in a pod', () => {
  it('ends when its caller disconnects, and is killed when no caller could end it', async () => {
    const cluster = new TestCluster();
    cluster.create(resources.pods, pod('web', { containers: [{ name: 'app', image: 'nginx' }] }));
    await cluster.settle();
    expect(await cluster.exec('web', ['sleep', 'infinity'])).toMatchObject({ exitCode: 137 });
    const gone = new AbortController();
    const request = {
      namespace: 'demo',
      pod: 'web',
      tty: false,
      onStdout: () => {},
      onStderr: () => {},
      signal: gone.signal,
    };
    const endless = (async function* (): AsyncGenerator<Uint8Array> {
      await new Promise(() => {});
    })();
    const running = [
      cluster.workloads.podConsole.exec({ ...request, command: ['sleep', 'infinity'] }),
      cluster.workloads.podConsole.exec({ ...request, command: ['sleep', '100'] }),
      cluster.workloads.podConsole.exec({ ...request, command: ['cat'], stdin: endless }),
    ];
    await cluster.settle();
    gone.abort();
    expect((await Promise.all(running)).map((result) => result.exitCode)).toEqual([137, 137, 137]);
  });
});

describe('the log of a container', () => {
  it('is cut by lines, bytes and time, and stamped', async () => {
    const cluster = new TestCluster();
    const command = ['sh', '-c', 'echo one; sleep 10; echo two; sleep 10; echo three'];
    cluster.create(
      resources.pods,
      pod('p', { restartPolicy: 'Never', containers: [{ name: 'app', image: 'busybox', command }] }),
    );
    await cluster.advance(30_000);
    const read = async (more: object): Promise<string> => {
      let text = '';
      const request = { namespace: 'demo', pod: 'p', ...more };
      for await (const chunk of cluster.workloads.podConsole.log(request)) text += new TextDecoder().decode(chunk);
      return text;
    };
    expect(await read({})).toBe('one\ntwo\nthree\n');
    expect(await read({ tailLines: 1 })).toBe('three\n');
    expect(await read({ limitBytes: 5 })).toBe('one\nt');
    expect(await read({ sinceTimeMs: cluster.clock.now() - 15_000 })).toBe('three\n');
    expect(await read({ tailLines: 1, timestamps: true })).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z three\n$/);
    expect(await read({ follow: true })).toBe('one\ntwo\nthree\n');
  });

  it('is followed until the container ends', async () => {
    const cluster = new TestCluster();
    const command = ['sh', '-c', 'echo one; sleep 10; echo two'];
    cluster.create(
      resources.pods,
      pod('p', { restartPolicy: 'Never', containers: [{ name: 'app', image: 'busybox', command }] }),
    );
    await cluster.settle();
    const seen: string[] = [];
    const following = (async () => {
      for await (const chunk of cluster.workloads.podConsole.log({ namespace: 'demo', pod: 'p', follow: true })) {
        seen.push(new TextDecoder().decode(chunk));
      }
    })();
    await cluster.settle();
    expect(seen).toEqual(['one\n']);
    await cluster.advance(11_000);
    await following;
    expect(seen).toEqual(['one\n', 'two\n']);
  });

  it('cannot be read before the container starts, or without saying which of several', async () => {
    const cluster = new TestCluster({ podDelayMs: 3000 });
    cluster.create(
      resources.pods,
      pod('p', {
        containers: [
          { name: 'a', image: 'x' },
          { name: 'b', image: 'x' },
        ],
      }),
    );
    await cluster.advance(100);
    const read = (container?: string) => () =>
      cluster.workloads.podConsole.log({ namespace: 'demo', pod: 'p', container });
    expect(read()).toThrow('a container name must be specified for pod p, choose one of: [a b]');
    expect(read('a')).toThrow('container "a" in pod "p" is waiting to start: ContainerCreating');
    expect(read('c')).toThrow('container c is not valid for pod p');
  });
});
