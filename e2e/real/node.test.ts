import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayAt, getAt, type JsonObject, numberAt, stringAt } from '@/lib/json/json';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { CLAIMS, CONFIG_MAPS, EVENTS, PODS, SECRETS } from '@/test/node/resources';
import { processes } from './runc-exec';

const IMAGE = 'busybox:1.37.0';
const WAIT = 'trap "exit 0" TERM; sleep 100000 & wait';

/** What the node agent does with pods, apart from the operators. */
describe('the node', () => {
  let cluster: RealCluster;
  const inDefault = (resource: typeof PODS, name?: string) => ({ ...resource, namespace: 'default', name });

  /** Creates a pod of one container; `script` runs in a shell. */
  const create = (name: string, script: string, container: JsonObject = {}, spec: JsonObject = {}) =>
    cluster.api.create(inDefault(PODS), {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels: { app: name } },
      spec: {
        terminationGracePeriodSeconds: 5,
        containers: [{ name: 'main', image: IMAGE, command: ['sh', '-c', script], ...container }],
        ...spec,
      },
    });
  const containerStatus = async (name: string) => {
    const pod = await cluster.api.get(inDefault(PODS, name));
    return { pod, status: arrayAt(pod, 'status', 'containerStatuses')[0] };
  };
  const ended = (name: string) =>
    cluster.until(async () => {
      const { pod } = await containerStatus(name);
      expect(['Succeeded', 'Failed']).toContain(stringAt(pod, 'status', 'phase'));
      return pod;
    });

  beforeAll(async () => {
    cluster = await startRealCluster();
  });
  afterAll(() => cluster?.stop());

  it('gives a container its user, groups and capabilities, and takes root from nobody', async () => {
    const securityContext = { runAsUser: 1000, runAsGroup: 2000, fsGroup: 3000, supplementalGroups: [4000] };
    const own = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true };
    const script =
      'id -u; id -G; grep -E "CapBnd|NoNewPrivs" /proc/self/status; touch /x; stat -c "%g %A" /data; touch /data/y';
    await create(
      'user',
      script,
      { securityContext: own, volumeMounts: [{ name: 'data', mountPath: '/data' }] },
      {
        ...{ securityContext, restartPolicy: 'Never', volumes: [{ name: 'data', emptyDir: {} }] },
      },
    );
    expect(stringAt(await ended('user'), 'status', 'phase')).toBe('Succeeded');
    const log = await cluster.log('user');
    expect(log).toContain('1000\n2000 3000 4000\n');
    expect(log).toMatch(/CapBnd:\s+0+\n/);
    expect(log).toMatch(/NoNewPrivs:\s+1\n/);
    expect(log).toContain('touch: /x: Read-only file system');
    expect(log).toContain('3000 drwxrwsrwx');
  });

  it('brings changes of a ConfigMap and a Secret into a running container', async () => {
    const metadata = { name: 'settings' };
    await cluster.api.create(inDefault(CONFIG_MAPS), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { color: 'red' },
    });
    await cluster.api.create(inDefault(SECRETS), {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      stringData: { word: 'one' },
    });
    const volumes = [
      { name: 'config', configMap: { name: 'settings' } },
      {
        name: 'all',
        projected: {
          sources: [
            { secret: { name: 'settings' } },
            { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
          ],
        },
      },
    ];
    const volumeMounts = [
      { name: 'config', mountPath: '/config' },
      { name: 'all', mountPath: '/all' },
    ];
    const env = [
      { name: 'COLOR', valueFrom: { configMapKeyRef: { name: 'settings', key: 'color' } } },
      { name: 'SAID', value: '$(COLOR)!' },
    ];
    await create('reader', WAIT, { volumeMounts, env }, { volumes });
    await cluster.podReady('reader');
    const read = () => cluster.exec('reader', 'sh', '-c', 'cat /config/color /all/word /all/labels; echo " $SAID"');
    expect(await read()).toBe('redoneapp="reader" red!\n');
    await cluster.api.patch(inDefault(CONFIG_MAPS, 'settings'), 'merge', { data: { color: 'blue' } });
    await cluster.api.patch(inDefault(SECRETS, 'settings'), 'merge', { stringData: { word: 'two' } });
    await cluster.until(async () => expect(await read()).toBe('bluetwoapp="reader" red!\n'), 10_000);
  });

  it('reports exit codes, messages and OOMKilled, and restarts with a back-off', async () => {
    await create('crash', 'echo bye; echo why > /dev/termination-log; exit 7');
    await create(
      'silent',
      'echo only in the log; exit 3',
      { terminationMessagePolicy: 'FallbackToLogsOnError' },
      { restartPolicy: 'Never' },
    );
    await create('greedy', 'tail /dev/zero', { resources: { limits: { memory: '20Mi' } } }, { restartPolicy: 'Never' });
    await create('absent', WAIT, { command: ['/no/such/program'] }, { restartPolicy: 'Never' });
    await ended('silent');
    expect(getAt((await containerStatus('silent')).status, 'state')).toMatchObject({
      terminated: { exitCode: 3, reason: 'Error', message: 'only in the log\n' },
    });
    await ended('greedy');
    expect(getAt((await containerStatus('greedy')).status, 'state')).toMatchObject({
      terminated: { exitCode: 137, reason: 'OOMKilled' },
    });
    await ended('absent');
    expect(getAt((await containerStatus('absent')).status, 'state')).toMatchObject({
      terminated: { exitCode: 128, reason: 'StartError' },
    });
    const status = await cluster.until(async () => {
      const found = (await containerStatus('crash')).status;
      expect(stringAt(found, 'state', 'waiting', 'reason')).toBe('CrashLoopBackOff');
      return found;
    });
    expect(getAt(status, 'lastState')).toMatchObject({ terminated: { exitCode: 7, message: 'why\n' } });
    expect(numberAt(status, 'restartCount')).toBeGreaterThan(0);
    expect(await cluster.log('crash')).toBe('bye\n');
  });

  it('runs init containers in their order, and ends with the first that fails', async () => {
    const init = (name: string, script: string) => ({ name, image: IMAGE, command: ['sh', '-c', script] });
    const initContainers = [init('first', 'true'), init('second', 'exit 4'), init('third', 'true')];
    await create('steps', 'true', {}, { restartPolicy: 'Never', initContainers });
    const pod = await ended('steps');
    expect(stringAt(pod, 'status', 'phase')).toBe('Failed');
    const [first, second, third] = arrayAt(pod, 'status', 'initContainerStatuses');
    expect(numberAt(first, 'state', 'terminated', 'exitCode')).toBe(0);
    expect(numberAt(second, 'state', 'terminated', 'exitCode')).toBe(4);
    expect(stringAt(third, 'state', 'waiting', 'reason')).toBe('PodInitializing');
  });

  it('is ready when the readiness probe says so, and restarts what the liveness probe fails', async () => {
    const probe = (file: string) => ({
      exec: { command: ['test', '-e', file] },
      periodSeconds: 1,
      failureThreshold: 1,
    });
    const probes = {
      readinessProbe: probe('/tmp/ready'),
      livenessProbe: { ...probe('/tmp/alive'), failureThreshold: 2 },
    };
    await create('probed', `touch /tmp/alive; ${WAIT}`, probes);
    await cluster.until(async () => expect(getAt((await containerStatus('probed')).status, 'started')).toBe(true));
    expect(getAt((await containerStatus('probed')).status, 'ready')).toBe(false);
    await cluster.exec('probed', 'touch', '/tmp/ready');
    await cluster.podReady('probed');
    await cluster.exec('probed', 'rm', '/tmp/alive');
    await cluster.until(async () => expect(numberAt((await containerStatus('probed')).status, 'restartCount')).toBe(1));
  });

  it('runs preStop and gives a container its grace period', async () => {
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'kept' } }];
    const volumeMounts = [{ name: 'data', mountPath: '/data' }];
    const resources = { requests: { storage: '16Mi' } };
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'kept' } };
    await cluster.api.create(inDefault(CLAIMS), { ...claim, spec: { accessModes: ['ReadWriteOnce'], resources } });
    const lifecycle = { preStop: { exec: { command: ['sh', '-c', 'echo preStop >> /data/order'] } } };
    const script =
      'trap "echo TERM >> /data/order; exit 0" TERM; echo started >> /data/order; while :; do sleep 1; done';
    await create('polite', script, { lifecycle, volumeMounts }, { volumes });
    await cluster.podReady('polite');
    await cluster.api.delete(inDefault(PODS, 'polite'));
    await cluster.until(async () => expect(await cluster.api.get(inDefault(PODS, 'polite'))).toBeUndefined());
    await create('after', WAIT, { volumeMounts }, { volumes });
    await cluster.podReady('after');
    expect(await cluster.exec('after', 'cat', '/data/order')).toBe('started\npreStop\nTERM\n');
    expect(await cluster.exec('after', 'ls', '/data')).toBe('lost+found\norder\n');
  });

  it('grows a volume, at the latest when its next pod starts', async () => {
    const size = async () => {
      const line = (await cluster.exec('after', 'df', '-m', '/data')).trim().split('\n').at(-1);
      return Number(line?.split(/\s+/)[1]);
    };
    expect(await size()).toBeLessThan(17);
    const resources = { requests: { storage: '64Mi' } };
    await cluster.api.patch(inDefault(CLAIMS, 'kept'), 'merge', { spec: { resources } });
    await cluster.until(async () => {
      const claim = await cluster.api.get(inDefault(CLAIMS, 'kept'));
      const isPending = arrayAt(claim, 'status', 'conditions').length > 0;
      expect(isPending || stringAt(claim, 'status', 'capacity', 'storage') === '64Mi').toBe(true);
    });
    await cluster.api.delete(inDefault(PODS, 'after'));
    await cluster.until(async () => expect(await cluster.api.get(inDefault(PODS, 'after'))).toBeUndefined());
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'kept' } }];
    await create('after', WAIT, { volumeMounts: [{ name: 'data', mountPath: '/data' }] }, { volumes });
    await cluster.podReady('after');
    expect(await size()).toBeGreaterThan(40);
    expect(await cluster.exec('after', 'cat', '/data/order')).toContain('preStop');
    const claim = await cluster.api.get(inDefault(CLAIMS, 'kept'));
    expect(stringAt(claim, 'status', 'capacity', 'storage')).toBe('64Mi');
  });

  it('has no image that is not in its table', async () => {
    await create('foreign', WAIT, { image: 'example.com/unknown:1' });
    const { status } = await cluster.until(async () => {
      const found = await containerStatus('foreign');
      expect(stringAt(found.status, 'state', 'waiting', 'reason')).toMatch(/^(ErrImagePull|ImagePullBackOff)$/);
      return found;
    });
    expect(stringAt(status, 'state', 'waiting', 'message')).toContain('test/node/images.ts');
    const events = await cluster.api.list(inDefault(EVENTS), { fieldSelector: 'involvedObject.name=foreign' });
    expect(events.items.map((event) => stringAt(event, 'reason'))).toContain('Failed');
  });

  it('runs images without a shell, and servers whose program the image names', async () => {
    const image = 'gcr.io/etcd-development/etcd:v3.5.21';
    await create('distroless', '', { image, command: ['/usr/local/bin/etcd', '--data-dir=/tmp/data'] });
    const readinessProbe = { httpGet: { path: '/', port: 80 }, periodSeconds: 1 };
    await create('nginx', '', { image: 'nginx:1.26', command: [], readinessProbe });
    const ping = { exec: { command: ['pg_isready', '-U', 'postgres', '-h', '127.0.0.1'] }, periodSeconds: 1 };
    const env = [{ name: 'POSTGRES_PASSWORD', value: 'secret' }];
    await create('postgres', '', { image: 'postgres:15', command: [], env, readinessProbe: ping });
    for (const name of ['distroless', 'nginx', 'postgres']) await cluster.podReady(name);
    expect(await cluster.exec('distroless', 'etcdutl', 'version')).toContain('etcdutl version: 3.5');
    await expect(cluster.exec('distroless', 'sh', '-c', 'true')).rejects.toThrow('sh');
    expect(await cluster.exec('postgres', 'psql', '-U', 'postgres', '-Atc', 'SHOW server_version')).toMatch(/^15/);
  });

  it('ends all containers when its agent is killed, and begins anew with the next one', async () => {
    const mark = `${process.pid}1234`;
    const running = () => processes().filter(({ commandLine }) => commandLine.includes(`sleep\0${mark}`)).length;
    await create('marked', `sleep ${mark}`);
    await cluster.podReady('marked');
    expect(running()).toBe(1);
    await cluster.replaceNode();
    await cluster.until(async () => expect(running()).toBe(1));
    await cluster.api.delete(inDefault(PODS, 'marked'), { gracePeriodSeconds: 1 });
    await cluster.until(async () => expect(running()).toBe(0));
  });
});
