import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLAIMS, PODS } from '@/test/node/resources';
import { RealMariadb } from './mariadb-fixture';

const PASSWORD = 'of-the-clients';

/** Primary and replicas of the bundled operator, as real servers. */
describe('mariadb', () => {
  let db: RealMariadb;
  let rows = '';

  const expectRows = async (...servers: readonly number[]) => {
    for (const server of servers) await db.cluster.until(async () => expect(await db.checksum(server)).toBe(rows));
  };
  const isReadOnly = (server: number) => db.sql('SELECT @@read_only', server);
  const loseVolume = async (server: number) => {
    const before = await db.cluster.podReady(`db-${server}`);
    await db.cluster.api.delete({ ...CLAIMS, namespace: 'default', name: `data-db-${server}` });
    await db.cluster.api.delete({ ...PODS, namespace: 'default', name: `db-${server}` }, { gracePeriodSeconds: 0 });
    return before.metadata.uid;
  };

  beforeAll(async () => {
    db = await RealMariadb.start('1.1.0', `PASSWORD=${PASSWORD}`);
    rows = await db.writeRows();
  });
  afterAll(() => db?.cluster.stop());

  it('switches over while a client writes: it waits less than five seconds, and no confirmed write is lost', async () => {
    await db.startWriting(PASSWORD);
    await db.update('PRIMARY=1');
    const { pauseMs, confirmed, lost } = await db.stopWriting(1);
    expect({ lost, isShort: pauseMs < 5_000, isWriting: confirmed > 10 }, `${pauseMs} ms, ${confirmed} writes`).toEqual(
      {
        lost: 0,
        isShort: true,
        isWriting: true,
      },
    );
    expect(await isReadOnly(0)).toBe('1\n');
    await expectRows(0, 1);
  });

  it('switches back when the controller and the pod of the switchover are killed', async () => {
    await db.startWriting(PASSWORD);
    const switched = db.update('PRIMARY=0').catch(String);
    await db.cluster.until(async () => {
      const pod = (await db.podsOf('switchover')).at(-1)?.metadata.name ?? 'none';
      await db.cluster.api.delete({ ...PODS, namespace: 'default', name: pod }, { gracePeriodSeconds: 0 });
    });
    await db.cluster.replaceController();
    await switched;
    await db.cluster.until(async () => expect(await db.planStatus('switchover')).toBe('COMPLETE'));
    expect(await db.stopWriting(0)).toMatchObject({ lost: 0 });
    expect(await isReadOnly(0)).toBe('0\n');
    expect(await isReadOnly(1)).toBe('1\n');
  });

  it('loses nothing when the pod of the primary is killed', async () => {
    await db.startWriting(PASSWORD);
    const before = await db.cluster.podReady('db-0');
    await db.cluster.api.delete({ ...PODS, namespace: 'default', name: 'db-0' }, { gracePeriodSeconds: 0 });
    await db.cluster.podReady('db-0', before.metadata.uid);
    await db.cluster.until(() => db.login(PASSWORD, 'db', 'INSERT INTO writes VALUES (-1)'));
    expect(await db.stopWriting(0)).toMatchObject({ lost: 0 });
    await expectRows(0, 1);
  });

  it('copies the primary to a replica whose volume was lost', async () => {
    const before = await loseVolume(1);
    await db.cluster.podReady('db-1', before);
    await expectRows(1);
  });

  it('refuses a failover while the primary works, and a primary that does not exist', async () => {
    await expect(db.plan('failover')).rejects.toThrow('db-failover');
    expect(await db.cluster.jobMessage('mariadb-failover')).toContain('Server db-0 is the primary and works.');
    await expect(db.update('PRIMARY=2')).rejects.toThrow('PRIMARY is 2, and there are only 2 servers');
    expect(await isReadOnly(0)).toBe('0\n');
  });

  it('never starts a primary whose volume was lost as an empty one; a failover makes the replica the primary', async () => {
    await loseVolume(0);
    await expect(db.update('PRIMARY=1')).rejects.toThrow('db-switchover');
    expect(await db.cluster.jobMessage('mariadb-switchover')).toContain('Start plan failover');
    await db.cluster.until(async () => expect(await db.exec(0, 'cat', '/run/mysqld/state')).toContain('was lost.'));
    await expectRows(1);
    expect(await isReadOnly(1)).toBe('1\n');
    await db.plan('failover');
    await db.login(PASSWORD, 'db', 'INSERT INTO writes VALUES (-2)');
    await db.cluster.until(async () => expect(await isReadOnly(0)).toBe('1\n'));
    await expectRows(0, 1);
  });

  it('has three servers after a resize, and two after another one', async () => {
    await db.update('REPLICAS=3');
    await expectRows(2);
    await db.update('REPLICAS=2');
    await db.cluster.until(async () =>
      expect(await db.cluster.api.get({ ...PODS, namespace: 'default', name: 'db-2' })).toBeUndefined(),
    );
    await db.login(PASSWORD, 'db', 'INSERT INTO writes VALUES (-3)');
  });
});
