import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberAt, stringAt } from '@/lib/json/json';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { CLAIMS, PODS } from '@/test/node/resources';

const STATEFUL_SET = { group: 'apps', version: 'v1', resource: 'statefulsets', namespace: 'default', name: 'etcd' };
const LOAD_JOB = { group: 'batch', version: 'v1', resource: 'jobs', namespace: 'default', name: 'etcd-load' };
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
  const plan = (name: string) =>
    cluster.bravo('plan', 'trigger', '--name', name, '--instance', 'etcd', '--wait', ...confirmed(name));
  const update = (parameter: string) =>
    cluster.bravo('update', '--instance', 'etcd', '--wait', '-p', parameter, ...confirmed(parameter));
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
    await expect(plan('restore')).rejects.toThrow('etcd-load');
    expect(await cluster.jobMessage('etcd-load')).toContain(
      'There are no backups in the backup volume; nothing was changed.',
    );
    await expectMembers(3);
  });

  it('is in a backup that says its name and size', async () => {
    await plan('backup');
    const { outputs } = JSON.parse(await cluster.jobMessage('etcd-backup')) as { outputs: readonly unknown[] };
    expect(outputs).toEqual([
      {
        type: 'backup',
        name: expect.stringMatching(/^etcd-\d{8}T\d{6}Z$/),
        size: expect.any(Number),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
    ]);
  });

  it('survives restores from a truncated, a foreign and an unknown file, which are refused', async () => {
    await writeBadBackups(cluster);
    const before = await cluster.api.get(STATEFUL_SET);
    for (const [backup, why] of [
      ['etcd-20200101T000000Z', 'not a complete backup: these files are missing or changed: ./snapshot.db'],
      ['etcd-20200102T000000Z', '"etcd-20200102T000000Z" is not a complete snapshot of etcd (snapshot missing hash'],
      ['etcd-20200103T000000Z', 'not a complete backup: it is a backup of postgres, not of etcd'],
      ['etcd-20200104T000000Z', '"etcd-20200104T000000Z" is not a complete snapshot of etcd'],
      [
        'etcd-20200105T000000Z',
        'The backup "etcd-20200105T000000Z" does not exist, or is not complete. The backups are: etcd-2020',
      ],
      ['lost+found', '"lost+found" is not the name of a backup'],
    ] as const) {
      await expect(update(`restore_from=${backup}`)).rejects.toThrow('etcd-load');
      expect(await cluster.jobMessage('etcd-load')).toContain(why);
      expect(await read()).toBe(rows);
    }
    const after = await cluster.api.get(STATEFUL_SET);
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    await expectMembers(3);
  });

  it('comes back on every member with a restore in which the controller is killed, and the damaged data stays beside it', async () => {
    await cluster.exec('etcd-0', 'etcdctl', '--endpoints', SERVICE, 'del', 'row/', '--prefix');
    const restoring = update('restore_from=latest');
    await cluster.until(async () => expect(await cluster.api.get(LOAD_JOB)).toBeDefined());
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
    expect(await cluster.jobMessage('etcd-backup')).toContain('"type":"backup"');
    await expectMembers(3);
  });
});

/** Puts folders that are no backups beside the real one: cut, cut with a manifest that fits, and two of others. */
async function writeBadBackups(cluster: RealCluster): Promise<void> {
  const script = `set -e; cd /backups; real="$(ls -d etcd-2*)"
copy() { cp -r "$real" "etcd-2020010$1T000000Z"; cd "etcd-2020010$1T000000Z"; }
seal() { { echo '# bravo backup 1'; echo "# operator: $1"; sha256sum ./snapshot.db ./status.json; echo '# end'; } > manifest.txt; cd ..; }
size=$(stat -c %s "$real/snapshot.db")
copy 1; head -c $((size / 2)) "../$real/snapshot.db" > snapshot.db; cd ..
copy 2; head -c $((size - 100)) "../$real/snapshot.db" > snapshot.db; seal etcd
copy 3; seal postgres
copy 4; yes 'INSERT INTO rows VALUES (1);' | head -c 100000 > snapshot.db; seal etcd
copy 5; rm manifest.txt
chmod -R a+rX /backups/etcd-2020*; touch /tmp/done; trap 'exit 0' TERM; sleep 1000 & wait`;
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
  await cluster.until(() => cluster.exec('vandal', 'test', '-e', '/tmp/done'));
}

/** A restore replaces data: it starts only when it was confirmed. */
function confirmed(planOrParameter: string): readonly string[] {
  return planOrParameter.startsWith('restore') ? ['--confirm', 'restore/etcd'] : [];
}
