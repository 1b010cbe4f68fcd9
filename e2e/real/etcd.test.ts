import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberAt, stringAt } from '@/lib/json/json';
import { killInEachStep } from '@/test/node/kill-in-each-step';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { PODS } from '@/test/node/resources';
import { writeBadBackups } from './etcd-bad-backups';
import { Etcd } from './etcd-fixture';
import { EtcdWriter } from './etcd-writer';

const STATEFUL_SET = { group: 'apps', version: 'v1', resource: 'statefulsets', namespace: 'default', name: 'etcd' };
const MEMBER_4 = { ...PODS, namespace: 'default', name: 'etcd-3' };

/** The data of the bundled operator through everything that its plans do with it, while a client writes. */
describe('the data of etcd', () => {
  let cluster: RealCluster;
  let etcd: Etcd;
  let writer: EtcdWriter;
  let rows: string;

  const killing = (plan: string, ...words: readonly string[]) =>
    killInEachStep(cluster, { instance: 'etcd', plan }, ...words);
  /** Every member votes, has started, and has all rows. */
  const expectMembers = async (size: number) => {
    const lines = (await etcd.etcdctl('member list')).trim().split('\n');
    expect(lines.map((line) => line.split(', ')[2]).sort()).toEqual([...Array(size).keys()].map((n) => `etcd-${n}`));
    expect(lines.filter((line) => !line.includes(', started, ') || !line.endsWith('false'))).toEqual([]);
    for (let n = 0; n < size; n++) expect(await etcd.rows(`http://etcd-${n}.etcd-members:2379`)).toBe(rows);
  };

  beforeAll(async () => {
    cluster = await startRealCluster();
    etcd = new Etcd(cluster);
    await Etcd.install(cluster, '1.0.0');
    await etcd.writeRows(100);
    rows = await etcd.rows();
    writer = await EtcdWriter.start(cluster);
  });
  afterAll(async () => {
    process.stdout.write(`figures of etcd: ${JSON.stringify(writer?.figures)}\n`);
    await cluster?.stop();
  });

  it('is on three members that vote, which the health checks say', async () => {
    expect(rows).toMatch(/^20000\n/);
    await expectMembers(3);
    await cluster.until(async () =>
      expect(await cluster.health('etcd')).toEqual([
        'Passing: 3 of 3 members vote',
        expect.stringMatching(/^Passing: .*\d+ of 2048 MiB in use \(\d %\)/),
      ]),
    );
  });

  it('survives a restore without any backup, which is refused', async () => {
    await writer.during('refused restore', () => expect(etcd.plan('restore')).rejects.toThrow('etcd-load'));
    expect(await cluster.jobMessage('etcd-load')).toContain(
      'There are no backups in the backup volume; nothing was changed.',
    );
    await expectMembers(3);
  });

  it('is there again when a pod was killed', async () => {
    const { longestMs } = await writer.during('member killed', () => cluster.killPod('etcd-1'));
    expect(longestMs).toBeLessThan(10_000);
    expect(await cluster.log('etcd-1')).not.toContain('making a new cluster');
    await expectMembers(3);
  });

  it('is backed up though the controller is killed in each step, in a backup that says its name and size', async () => {
    await writer.during('backup', async () =>
      expect(await killing('backup', 'plan', 'trigger', '--name', 'backup')).toContain('backup.save'),
    );
    expect(JSON.parse(await cluster.jobMessage('etcd-backup'))).toEqual({
      outputs: [
        {
          type: 'backup',
          name: expect.stringMatching(/^etcd-\d{8}T\d{6}Z$/),
          size: expect.any(Number),
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        },
      ],
    });
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
      await expect(etcd.update(`restore_from=${backup}`)).rejects.toThrow('etcd-load');
      expect(await cluster.jobMessage('etcd-load')).toContain(why);
      expect(await etcd.rows()).toBe(rows);
    }
    const after = await cluster.api.get(STATEFUL_SET);
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    await expectMembers(3);
  });

  it('survives an upgrade that makes a backup first, with the controller killed in each step; no write needs two seconds', async () => {
    const { failed } = await writer.during('upgrade', async () => {
      const killed = await killing('upgrade', 'upgrade', 'operators/etcd/1.1.0');
      expect(killed).toEqual(expect.arrayContaining(['backup.save', 'cluster.nodes']));
    });
    expect(failed).toBe(0);
    expect(await cluster.jobMessage('etcd-backup')).toContain('"type":"backup"');
    await expectMembers(3);
  });

  it('comes back on every member with a restore in which the controller is killed in each step; what was replaced stays', async () => {
    await etcd.deleteRows();
    await writer.during('restore', async () => {
      const killed = await killing('restore', 'update', '-p', 'restore_from=latest', '--confirm', 'restore/etcd');
      expect(killed).toEqual(expect.arrayContaining(['load.load', 'start.first', 'start.others']));
    });
    await expectMembers(3);
    expect(await etcd.shell('/tools/ls -d /data/before-*/member-data/member/wal')).toMatch(/^\/data\/before-/);
  });

  it('is on five members after a resize in which one is killed, on three, and on five again', async () => {
    const growing = etcd.update('size=5');
    const victim = await cluster.until(async () => {
      const pod = await cluster.api.get(MEMBER_4);
      expect(numberAt(pod?.status, 'containerStatuses', 0, 'restartCount')).toBe(0);
      expect(stringAt(pod?.status, 'phase')).toBe('Running');
      return pod;
    });
    await cluster.api.delete(MEMBER_4, { gracePeriodSeconds: 0 });
    await growing;
    expect((await cluster.podReady('etcd-3')).metadata.uid).not.toBe(victim?.metadata.uid);
    await expectMembers(5);
    await etcd.update('size=3');
    await expectMembers(3);
    await etcd.update('size=5');
    await expectMembers(5);
  });

  it('is copied to a member whose volume was lost', async () => {
    await cluster.loseVolume('etcd-1');
    await expectMembers(5);
  });
});
