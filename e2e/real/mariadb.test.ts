import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { MAX_PAUSE_MS } from '@/test/node/pause-bound';
import { PODS, SECRETS } from '@/test/node/resources';
import { RealMariadb } from './mariadb-fixture';
import { startS3 } from './s3-server';

const PASSWORD = 'of-the-clients';

/** Primary and replicas of the bundled operator with TLS, as real servers, and a client that writes. */
describe('mariadb', () => {
  let db: RealMariadb;
  let rows = '';
  let healthy: Promise<void>;

  const expectRows = async (...servers: readonly number[]) => {
    for (const server of servers) await db.cluster.until(async () => expect(await db.checksum(server)).toBe(rows));
  };
  const isReadOnly = (server: number) => db.sql('SELECT @@read_only', server);
  beforeAll(async () => {
    db = await RealMariadb.start('1.1.0', `PASSWORD=${PASSWORD}`, 'TLS=generated', 'METRICS=true');
    rows = await db.writeRows();
    const texts = [/^Passing: .*db-0: \d+ of 150 connections in use/, /^Passing: replication lag \d+ s$/];
    const matching = texts.map((each) => expect.stringMatching(each));
    healthy = db.cluster.until(async () => expect(await db.cluster.health('db')).toEqual(matching));
    // Awaited by a test below, while others already need the servers.
    healthy.catch(() => undefined);
  });
  afterAll(() => db?.cluster.stop());

  it('lets clients in over TLS only, and shows metrics', async () => {
    const plain = `MYSQL_PWD=${PASSWORD} mariadb --no-defaults --skip-ssl -h db -u app -e 'SELECT 1' app`;
    await expect(db.sh(plain)).rejects.toThrow('require_secure_transport=ON');
    expect(await db.login(PASSWORD, 'db-1.db-pods')).toBe('1\n');
    const get = 'exec 3<>/dev/tcp/db-1.db-pods/9104; printf "GET /metrics HTTP/1.0\\r\\n\\r\\n" >&3; cat <&3';
    expect(await db.sh(get)).toMatch(/^mysql_up 1$/m);
  });

  it('switches over while a client writes: it waits for seconds at most, and no confirmed write is lost', async () => {
    const written = await db.whileWriting('switchover', PASSWORD, () => db.update('PRIMARY=1'));
    expect(written.lost).toBe(0);
    expect(written.pauseMs).toBeLessThan(MAX_PAUSE_MS);
    expect(await isReadOnly(0)).toBe('1\n');
    await expectRows(0, 1);
  });

  it('switches back when the controller is killed in each step', async () => {
    const act = async () => {
      const killed = await db.killedInEachStep('switchover', 'update', '-p', 'PRIMARY=0');
      expect(killed).toContain('primary.switchover');
    };
    expect(await db.whileWriting('switchover, controller killed in each step', PASSWORD, act)).toMatchObject({
      lost: 0,
    });
    expect([await isReadOnly(0), await isReadOnly(1)]).toEqual(['0\n', '1\n']);
  });

  it('loses nothing when the pod of the primary is killed', async () => {
    expect(
      await db.whileWriting('pod of the primary killed', PASSWORD, () => db.cluster.killPod('db-0')),
    ).toMatchObject({ lost: 0 });
    await expectRows(0, 1);
  });

  it('copies the primary to a replica whose volume was lost', async () => {
    await db.cluster.podReady('db-1', await db.loseVolume(1));
    await expectRows(1);
  });

  it('refuses a failover while the primary works, and a primary that does not exist', async () => {
    const confirmed = { metadata: { annotations: { 'bravo.kudo.dev/confirm': 'failover/db' } } };
    const start = { parameters: { PRIMARY: '1' }, planExecution: { planName: 'failover' } };
    await db.cluster.api.patch({ ...INSTANCES, namespace: 'default', name: 'db' }, 'merge', {
      ...confirmed,
      spec: start,
    });
    await db.cluster.until(async () =>
      expect(await db.cluster.jobMessage('mariadb-failover')).toContain('Server db-0 is the primary and works.'),
    );
    await db.cluster.until(async () => expect(await db.planStatus('failover')).toBe('FATAL_ERROR'));
    await db.update('PRIMARY=0');
    await expect(db.update('PRIMARY=2')).rejects.toThrow('PRIMARY must be below REPLICAS');
    expect(await isReadOnly(0)).toBe('0\n');
  });

  it('is backed up to S3 with encryption, read from there, and restored; another key is refused; its health checks pass before', async () => {
    const [id, key] = await startS3(db.cluster);
    const secret = (name: string, stringData: { readonly [key: string]: string }) =>
      db.cluster.api.create(
        { ...SECRETS, namespace: 'default' },
        { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData },
      );
    await secret('backup-s3', { 'access-key': id, 'secret-key': key });
    await secret('backup-key', { password: 'correct horse battery staple' });
    await secret('other-key', { password: 'another one' });
    const target = ['BACKUP_TARGET=s3', 'S3_ENDPOINT=http://s3:5000', 'S3_BUCKET=backups'];
    await db.update(...target, 'ENCRYPTION_SECRET=backup-key');
    await db.plan('backup');
    const list = `import boto3; s3 = boto3.client('s3', endpoint_url='http://s3:5000')
print(*[o['Key'] for o in s3.list_objects_v2(Bucket='backups')['Contents']])`;
    expect(await db.cluster.exec('s3', 'python3', '-c', list)).toMatch(
      /^default\/db\/mariadb-\w+\/data\.tar\.zst\.bin default\/db\/mariadb-\w+\/info\.bin default\/db\/mariadb-\w+\/manifest\.txt\.bin\n$/,
    );
    await db.plan('verify');
    await healthy;
    await db.sql('DELETE FROM words WHERE id > 10');
    await db.update('ENCRYPTION_SECRET=other-key');
    await expect(db.plan('restore')).rejects.toThrow('db-restore');
    expect(await db.cluster.jobMessage('mariadb-restore')).toContain('Secret other-key is not the key');
    expect(await db.checksum()).toMatch(/^10\t/);
    await db.update('ENCRYPTION_SECRET=backup-key');
    await db.plan('restore');
    await expectRows(0, 1);
  });

  it('never starts a primary whose volume was lost as an empty one; a failover makes the replica the primary', async () => {
    const act = async () => {
      await db.loseVolume(0);
      await expect(db.update('PRIMARY=1')).rejects.toThrow('db-switchover');
      expect(await db.cluster.jobMessage('mariadb-switchover')).toContain('Start plan failover');
      await db.cluster.until(async () => expect(await db.exec(0, 'cat', '/run/mysqld/state')).toContain('was lost.'));
      await expectRows(1);
      expect(await isReadOnly(1)).toBe('1\n');
      await db.plan('failover');
    };
    await db.whileWriting('volume of the primary lost, then failover', PASSWORD, act);
    await db.cluster.until(async () => expect(await isReadOnly(0)).toBe('1\n'));
    await expectRows(0, 1);
  });

  it('has three servers after a resize, one of which takes over although the pod of the switchover is killed', async () => {
    await db.update('REPLICAS=3');
    await expectRows(2);
    const switched = db.update('PRIMARY=2').catch(String);
    await db.cluster.until(async () => {
      const pod = (await db.podsOf('switchover')).at(-1)?.metadata.name ?? 'none';
      await db.cluster.api.delete({ ...PODS, namespace: 'default', name: pod }, { gracePeriodSeconds: 0 });
    });
    await switched;
    await db.cluster.until(async () => expect(await db.planStatus('switchover')).toBe('COMPLETE'));
    expect(await isReadOnly(2)).toBe('0\n');
    await expect(db.update('REPLICAS=2')).rejects.toThrow('The primary would be removed');
    await db.update('PRIMARY=0');
    await db.update('REPLICAS=2');
    await db.cluster.until(async () =>
      expect(await db.cluster.api.get({ ...PODS, namespace: 'default', name: 'db-2' })).toBeUndefined(),
    );
    await expectRows(0, 1);
  });
});
