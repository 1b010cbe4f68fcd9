import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberAt, stringAt } from '@/lib/json/json';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { CLAIMS, PODS } from '@/test/node/resources';

const STATEFUL_SET = { group: 'apps', version: 'v1', resource: 'statefulsets', namespace: 'default', name: 'etcd' };
const RESTORE_JOB = { group: 'batch', version: 'v1', resource: 'jobs', namespace: 'default', name: 'etcd-restore' };
const SERVICE = 'http://etcd:2379';

/** 10,000 keys in transactions of 100. */
const WRITE_ROWS = `set -e; n=0; while [ $n -lt 100 ]; do
  { echo; i=0; while [ $i -lt 100 ]; do echo "put row/$n/$i value-$((n * i))"; i=$((i + 1)); done; echo; echo; } |
    etcdctl --endpoints ${SERVICE} txn > /dev/null
  n=$((n + 1)); done`;

/** The data of the bundled operator through everything that its plans do with it. */
describe('the data of etcd', () => {
  let cluster: RealCluster;
  let rows: string;

  const shell = (pod: string, script: string) => cluster.exec(pod, '/tools/busybox', 'sh', '-c', script);
  /** Number and checksum of the rows that a member (or the Service) has. */
  const read = (endpoint = SERVICE) =>
    shell(
      'etcd-0',
      `etcdctl --endpoints ${endpoint} get row/ --prefix > /tmp/rows && cd /tmp && /tools/wc -l < rows && /tools/sha256sum rows`,
    );
  const members = async () =>
    (await cluster.exec('etcd-0', 'etcdctl', '--endpoints', SERVICE, 'member', 'list')).trim().split('\n');
  const plan = (name: string) => cluster.bravo('plan', 'trigger', '--name', name, '--instance', 'etcd', '--wait');
  const update = (parameter: string) => cluster.bravo('update', '--instance', 'etcd', '--wait', '-p', parameter);
  /** What the last pod of a Job left as its termination message. */
  const messageOf = async (job: string) => {
    const { items } = await cluster.api.list(
      { ...PODS, namespace: 'default' },
      { labelSelector: `app.kubernetes.io/name=${job}` },
    );
    const path = ['containerStatuses', 0, 'state', 'terminated', 'message'] as const;
    return items.map((pod) => stringAt(pod.status, ...path) ?? '').join('\n');
  };
  /** Every member votes, has started, and has all rows. */
  const expectMembers = async (size: number) => {
    const lines = await members();
    expect(lines.map((line) => line.split(', ')[2]).sort()).toEqual([...Array(size).keys()].map((n) => `etcd-${n}`));
    expect(lines.filter((line) => !line.includes(', started, ') || !line.endsWith('false'))).toEqual([]);
    for (let n = 0; n < size; n++) expect(await read(`http://etcd-${n}.etcd-members:2379`)).toBe(rows);
  };

  beforeAll(async () => {
    cluster = await startRealCluster();
    await cluster.bravo('install', 'operators/etcd/1.0.0', '--instance', 'etcd', '--wait');
    await shell('etcd-0', WRITE_ROWS);
    rows = await read();
  });
  afterAll(() => cluster?.stop());

  it('survives a restore without any backup, which is refused', async () => {
    expect(rows).toMatch(/^20000\n/);
    await expect(plan('restore')).rejects.toThrow('verify');
    expect(await messageOf('etcd-verify')).toContain('the backup "latest.db" does not exist. There are no backups');
    await expectMembers(3);
  });

  it('is in a backup that says its name and size', async () => {
    await plan('backup');
    const { outputs } = JSON.parse(await messageOf('etcd-backup')) as { outputs: readonly unknown[] };
    expect(outputs).toEqual([
      {
        type: 'backup',
        name: expect.stringMatching(/^etcd-\d{8}T\d{6}Z\.db$/),
        size: expect.any(Number),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
    ]);
  });

  it('survives restores from a truncated, a foreign and an unknown file, which are refused', async () => {
    await writeBadBackups(cluster);
    const before = await cluster.api.get(STATEFUL_SET);
    for (const [file, why] of [
      ['half.db', '"half.db" is not a complete snapshot of etcd'],
      ['cut.db', '"cut.db" is not a complete snapshot of etcd (snapshot missing hash'],
      ['foreign.db', '"foreign.db" is not a complete snapshot of etcd'],
      ['lost+found', 'the backup "lost+found" does not exist'],
    ] as const) {
      await expect(update(`restore_from=${file}`)).rejects.toThrow('verify');
      expect(await messageOf('etcd-verify')).toContain(why);
      expect(await read()).toBe(rows);
    }
    const after = await cluster.api.get(STATEFUL_SET);
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    await expectMembers(3);
  });

  it('comes back on every member with a restore in which the controller is killed, and the damaged data stays beside it', async () => {
    await cluster.exec('etcd-0', 'etcdctl', '--endpoints', SERVICE, 'del', 'row/', '--prefix');
    const restoring = update('restore_from=latest.db');
    await cluster.until(async () => expect(await cluster.api.get(RESTORE_JOB)).toBeDefined());
    await cluster.replaceController();
    await restoring;
    await expectMembers(3);
    expect(await shell('etcd-0', '/tools/ls -d /data/before-*/member-data/member/wal')).toMatch(/^\/data\/before-/);
  });

  it('is on five members after a resize in which one is killed, on three, and on five again', async () => {
    const growing = update('size=5');
    const victim = await cluster.until(async () => {
      const pod = await cluster.api.get({ ...PODS, namespace: 'default', name: 'etcd-3' });
      expect(numberAt(pod?.status, 'containerStatuses', 0, 'restartCount')).toBe(0);
      expect(stringAt(pod?.status, 'phase')).toBe('Running');
      return pod;
    });
    await cluster.api.delete({ ...PODS, namespace: 'default', name: 'etcd-3' }, { gracePeriodSeconds: 0 });
    await growing;
    expect((await cluster.podReady('etcd-3')).metadata.uid).not.toBe(victim?.metadata.uid);
    await expectMembers(5);
    await update('size=3');
    await expectMembers(3);
    await update('size=5');
    await expectMembers(5);
    await update('size=3');
  });

  it('is copied to a member whose volume was lost', async () => {
    const before = await cluster.podReady('etcd-1');
    await cluster.api.delete({ ...CLAIMS, namespace: 'default', name: 'data-etcd-1' });
    await cluster.api.delete({ ...PODS, namespace: 'default', name: 'etcd-1' });
    await cluster.podReady('etcd-1', before.metadata.uid);
    await expectMembers(3);
  });

  it('survives an upgrade, which makes a backup first', async () => {
    await cluster.bravo('upgrade', 'operators/etcd/1.1.0', '--instance', 'etcd', '--wait');
    expect(await messageOf('etcd-backup')).toContain('"type":"backup"');
    await expectMembers(3);
  });
});

/** Puts files that are no backups beside the real one. */
async function writeBadBackups(cluster: RealCluster): Promise<void> {
  const script = `cd /backups && size=$(stat -c %s latest.db) &&
    head -c $((size / 2)) latest.db > half.db && head -c $((size - 100)) latest.db > cut.db &&
    yes 'INSERT INTO rows VALUES (1);' | head -c 100000 > foreign.db && chmod 644 *.db && trap 'exit 0' TERM && sleep 1000 & wait`;
  const container = {
    name: 'client',
    image: 'busybox:1.37.0-musl',
    command: ['sh', '-c', script],
    volumeMounts: [{ name: 'backups', mountPath: '/backups' }],
  };
  await cluster.api.create(
    { ...PODS, namespace: 'default' },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'vandal' },
      spec: {
        restartPolicy: 'Never',
        terminationGracePeriodSeconds: 1,
        containers: [container],
        volumes: [{ name: 'backups', persistentVolumeClaim: { claimName: 'etcd-backups' } }],
      },
    },
  );
  await cluster.podReady('vandal');
  await cluster.until(() => cluster.exec('vandal', 'test', '-s', '/backups/foreign.db'));
}
