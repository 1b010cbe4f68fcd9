import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killInEachStep } from '@/test/node/kill-in-each-step';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { PODS } from '@/test/node/resources';

const ENDPOINTS = [0, 1, 2].map((n) => `http://etcd-${n}.etcd-members:2379`).join(',');

/** What the writer could not write: its longest pause between two confirmed writes, and attempts that failed. */
interface Writing {
  readonly writes: number;
  readonly failed: number;
  readonly longestMs: number;
}

/** A client writes throughout; the controller is killed with SIGKILL in each step that can be seen. */
describe('etcd while a client writes', () => {
  let cluster: RealCluster;
  let rows: string;
  const figures: { [name: string]: Writing } = {};

  const client = (script: string) => cluster.exec('writer', '/tools/busybox', 'sh', '-c', script);
  const read = () => client(`etcdctl --endpoints ${ENDPOINTS} get row/ --prefix | /tools/sha256sum`);
  const killing = (plan: string, ...words: readonly string[]) =>
    killInEachStep(cluster, { instance: 'etcd', plan }, ...words);
  /** What the writer did since the last call. */
  const written = async (name: string) => {
    const lines = (await client('mv /tmp/log /tmp/log.old; cat /tmp/log.old')).trim().split('\n');
    const times = lines.filter((line) => line.startsWith('ok ')).map((line) => Number(line.slice(3)) * 1_000);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    const writing = { writes: times.length, failed: lines.length - times.length, longestMs: Math.max(...pauses) };
    figures[name] = writing;
    return writing;
  };

  beforeAll(async () => {
    cluster = await startRealCluster();
    await cluster.bravo('install', 'operators/etcd/1.0.0', '--instance', 'etcd', '--wait');
    await startWriter(cluster);
    await client(`n=0; while [ $n -lt 100 ]; do
      { echo; i=0; while [ $i -lt 100 ]; do echo "put row/$n/$i value-$((n * i))"; i=$((i + 1)); done; echo; echo; } |
        etcdctl --endpoints ${ENDPOINTS} txn > /dev/null; n=$((n + 1)); done`);
    rows = await read();
    await written('before');
  });
  afterAll(async () => {
    process.stdout.write(`figures of etcd: ${JSON.stringify(figures)}\n`);
    await cluster?.stop();
  });

  it('goes on when a pod is killed', async () => {
    const before = await cluster.podReady('etcd-1');
    await cluster.api.delete({ ...PODS, namespace: 'default', name: 'etcd-1' }, { gracePeriodSeconds: 0 });
    await cluster.podReady('etcd-1', before.metadata.uid);
    expect((await written('pod killed')).longestMs).toBeLessThan(10_000);
    expect(await read()).toBe(rows);
  });

  it('backs up though the controller is killed in each step', async () => {
    expect(await killing('backup', 'plan', 'trigger', '--name', 'backup')).toContain('backup.save');
    await written('backup');
    expect(await cluster.jobMessage('etcd-backup')).toContain('"type":"backup"');
  });

  it('upgrades though the controller is killed in each step, and no write needs more than retries', async () => {
    const killed = await killing('upgrade', 'upgrade', 'operators/etcd/1.1.0');
    expect(killed).toEqual(expect.arrayContaining(['backup.save', 'cluster.nodes']));
    expect((await written('upgrade')).longestMs).toBeLessThan(5_000);
    expect(await read()).toBe(rows);
  });

  it('comes back with a restore though the controller is killed in each step', async () => {
    await client(`etcdctl --endpoints ${ENDPOINTS} del row/ --prefix`);
    const words = ['plan', 'trigger', '--name', 'restore', '--confirm', 'restore/etcd'];
    const killed = await killing('restore', ...words);
    expect(killed).toEqual(expect.arrayContaining(['load.load', 'start.first', 'start.others']));
    await written('restore');
    expect(await read()).toBe(rows);
  });
});

/** A pod that writes one key after the other through all members, and writes when each one was confirmed. */
async function startWriter(cluster: RealCluster): Promise<void> {
  const script = `PATH=/tools:$PATH; n=0; trap 'exit 0' TERM; while :; do
    if etcdctl --endpoints ${ENDPOINTS} --command-timeout=2s put "write/$n" x > /dev/null 2>&1; then state=ok; n=$((n + 1)); else state=failed; fi
    read -r now rest < /proc/uptime; echo "$state $now" >> /tmp/log; done`;
  const tools = [{ name: 'tools', mountPath: '/tools' }];
  await cluster.api.create(
    { ...PODS, namespace: 'default' },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'writer' },
      spec: {
        terminationGracePeriodSeconds: 1,
        initContainers: [
          {
            name: 'tools',
            image: 'busybox:1.37.0-musl',
            command: ['sh', '-c', 'cp /bin/busybox /tools/busybox && /tools/busybox --install -s /tools'],
            volumeMounts: tools,
          },
        ],
        containers: [
          {
            name: 'writer',
            image: 'gcr.io/etcd-development/etcd:v3.5.21',
            command: ['/tools/busybox', 'sh', '-c', script],
            volumeMounts: [...tools, { name: 'tmp', mountPath: '/tmp' }],
          },
        ],
        volumes: [
          { name: 'tools', emptyDir: {} },
          { name: 'tmp', emptyDir: {} },
        ],
      },
    },
  );
  await cluster.podReady('writer');
}
