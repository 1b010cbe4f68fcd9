import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { CLAIMS, PODS, SECRETS } from '@/test/node/resources';
import { RealMariadb } from './mariadb-fixture';

const NAME = /^mariadb-\d{8}T\d{6}Z$/;

/** What happens to the data of the bundled operator: on real servers, with volumes that have a `lost+found`. */
describe('the data of mariadb', () => {
  let db: RealMariadb;
  let rows = '';

  /** Starts a restore that is refused; the messages of its Job. */
  const refused = async (name: string) => {
    await expect(db.restoreFrom(name)).rejects.toThrow('db-restore');
    return db.cluster.jobMessage('mariadb-restore');
  };
  const expectRows = async () => {
    for (const server of [0, 1]) await db.cluster.until(async () => expect(await db.checksum(server)).toBe(rows));
  };

  beforeAll(async () => {
    db = await RealMariadb.start('1.0.0', 'PASSWORD=first-password', 'BACKUP_RETENTION=2');
    rows = await db.writeRows();
  });
  afterAll(() => db?.cluster.stop());

  it('is on the replica, which takes no writes, and an application can reach it with the connection Secret', async () => {
    expect(rows).toMatch(/^10000\t/);
    await expectRows();
    const target = { ...SECRETS, namespace: 'default', name: 'db-connection' };
    const uri = stringAt(await db.cluster.api.get(target), 'data', 'uri') ?? '';
    expect(Buffer.from(uri, 'base64').toString('utf8')).toBe('mysql://app:first-password@db.default.svc:3306/app');
    await db.login('first-password', 'db', 'INSERT INTO writes VALUES (0)');
    const onReplica = db.login('first-password', 'db-1.db-pods', 'INSERT INTO writes VALUES (1)');
    await expect(onReplica).rejects.toThrow('read-only');
    expect(await db.login('first-password', 'db-ro', 'SELECT COUNT(*) FROM words')).toBe('10000\n');
  });

  it('survives a restore without any backup, which is refused', async () => {
    expect(await refused('latest')).toContain('There are no backups in the backup volume; nothing was changed.');
    await expectRows();
  });

  it('is in a backup that says its name and size, although the controller is killed in each step', async () => {
    expect(await db.killedInEachStep('backup', 'plan', 'trigger', '--name', 'backup')).toContain('backup.backup');
    const name = (await db.backups()).find((each) => NAME.test(each));
    expect(await db.backups()).toContain('lost+found');
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(JSON.parse(await db.cluster.jobMessage('mariadb-backup'))).toEqual({
      outputs: [{ type: 'backup', name, size: expect.any(Number), createdAt }],
    });
  });

  it('is read from its backup by a server of its own', async () => {
    await db.plan('verify');
    expect(await db.cluster.log((await db.podsOf('verify'))[0]?.metadata.name ?? '')).toMatch(/read all \d+ tables/);
  });

  it('survives restores from a missing, a truncated and a foreign backup, which are refused', async () => {
    const [name = ''] = (await db.backups()).filter((each) => NAME.test(each));
    const [truncated, foreign] = ['mariadb-20200101T000000Z', 'mariadb-20200102T000000Z'];
    await db.sh(`cp -r /backups/${name} /backups/${truncated} && truncate -s -100 /backups/${truncated}/data.tar.zst`);
    await db.sh(`cp -r /backups/${name} /backups/${foreign} && cd /backups/${foreign} &&
      sed -i 's/^# operator: mariadb/# operator: postgres/' manifest.txt`);
    expect(await refused('nope')).toContain('"nope" is not the name of a backup. The backups are: mariadb-');
    expect(await refused('mariadb-20200103T000000Z')).toContain(
      'does not exist, or is not complete. The backups are: ',
    );
    expect(await refused(truncated)).toContain('these files are missing or changed: ./data.tar.zst');
    expect(await refused(foreign)).toContain('it is a backup of postgres, not of mariadb');
    expect(await refused('lost+found')).toContain('"lost+found" is not the name of a backup.');
    await expectRows();
    await db.sh(`rm -r /backups/${truncated} /backups/${foreign}`);
  });

  it('takes a new password without a restart, and refuses the old one, also for replication', async () => {
    const stored = "SELECT authentication_string FROM mysql.user WHERE user = 'replicator'";
    const before = await db.sql(stored);
    await db.update('PASSWORD=second-password');
    for (const server of [0, 1]) {
      expect(await db.login('second-password', `db-${server}.db-pods`)).toBe('1\n');
      await expect(db.login('first-password', `db-${server}.db-pods`)).rejects.toThrow('Access denied');
      const pod = await db.cluster.podReady(`db-${server}`);
      expect(pod.status).toMatchObject({ containerStatuses: [{ restartCount: 0 }, { restartCount: 0 }] });
      expect(await db.log(server)).not.toMatch(/first-password|second-password/);
    }
    expect(await db.sql(stored)).not.toBe(before);
    await db.sql("INSERT INTO words VALUES (0, 'zero')");
    await db.cluster.until(async () => expect(await db.sql('SELECT word FROM words WHERE id = 0', 1)).toBe('zero\n'));
    await db.sql('DELETE FROM words WHERE id = 0');
    await expectRows();
  });

  it('comes back on all servers when the pod of the restore and the controller are killed meanwhile', async () => {
    await db.sql('DELETE FROM words WHERE id > 10');
    const restored = db.restoreFrom('latest').catch(String);
    const kill = async () => {
      const pod = (await db.podsOf('restore')).at(-1)?.metadata.name ?? '';
      expect(await db.exec(0, 'bash', '-c', 'ls -d /data/restoring-*')).toContain('/data/restoring-');
      await db.cluster.api.delete({ ...PODS, namespace: 'default', name: pod });
    };
    await db.cluster.until(kill);
    await db.cluster.replaceController();
    await restored;
    await db.cluster.until(async () => expect(await db.planStatus('restore')).toBe('COMPLETE'));
    await expectRows();
    expect(await db.login('second-password')).toBe('1\n');
    expect(await db.exec(0, 'bash', '-c', 'ls -d /data/before-*/app')).toMatch(/^\/data\/before-/);
  });

  it('survives an upgrade to another major version, in which the controller is killed in each step, and which makes a backup first', async () => {
    const act = async () => {
      const killed = await db.killedInEachStep('upgrade', 'upgrade', 'operators/mariadb/1.1.0');
      expect(killed).toEqual(expect.arrayContaining(['backup.backup', 'servers.nodes']));
    };
    const written = await db.whileWriting('upgrade, controller killed in each step', 'second-password', act);
    expect(written.lost).toBe(0);
    for (const server of [0, 1]) expect(await db.sql('SELECT @@version', server)).toMatch(/^11\.8/);
    await expectRows();
  });

  it('is restored from the backup when all volumes of the servers are lost, while the controller is killed in each step', async () => {
    await db.loseVolume(0);
    await db.loseVolume(1);
    await db.cluster.until(async () => expect(await db.exec(0, 'cat', '/run/mysqld/state')).toContain('was lost.'));
    const killed = await db.killedInEachStep('restore', 'plan', 'trigger', '--name', 'restore');
    expect(killed).toContain('restore.restore');
    await expectRows();
    expect(await db.login('second-password')).toBe('1\n');
    expect((await db.backups()).filter((each) => NAME.test(each))).toHaveLength(2);
  });

  it('goes with the instance, and its backups stay', async () => {
    await db.cluster.api.delete({ ...INSTANCES, namespace: 'default', name: 'db' });
    await db.cluster.until(async () => {
      const { items } = await db.cluster.api.list({ ...CLAIMS, namespace: 'default' });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(['db-backups']);
    });
  });
});
