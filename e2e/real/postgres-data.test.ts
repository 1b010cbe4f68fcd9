import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayAt, stringAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { PODS } from '@/test/node/resources';

const NAME = /^pg-\d{8}T\d{6}Z$/;
const CHECKSUM = "SELECT count(*), md5(string_agg(id || ':' || word, ',' ORDER BY id)) FROM words";

/** What happens to the data of the bundled operator: on a real server, with volumes that have a `lost+found`. */
describe('the data of postgres', () => {
  let cluster: RealCluster;
  let before = '';

  const sql = (text: string, database = 'app') =>
    cluster.exec('pg-0', 'psql', '-U', 'postgres', '-d', database, '-v', 'ON_ERROR_STOP=1', '-qAtc', text);
  const checksum = () => sql(CHECKSUM);
  const sh = (script: string) => cluster.exec('files', 'sh', '-c', script);
  const backups = async () => (await sh('ls -A /backups')).trim().split('\n');
  const backUp = async () => {
    const earlier = await backups();
    await cluster.bravo('plan', 'trigger', '--instance', 'pg', '--name', 'backup', '--wait');
    return (await backups()).find((name) => NAME.test(name) && !earlier.includes(name)) ?? '';
  };
  const restore = (name: string) => cluster.bravo('update', '--instance', 'pg', '-p', `RESTORE_FROM=${name}`, '--wait');
  const damage = () => sql('DELETE FROM words WHERE id > 10');
  /** The pods of a Job, the newest last. */
  const podsOf = async (job: string) => {
    const { items } = await cluster.api.list({ ...PODS, namespace: 'default' });
    const own = items.filter((pod) => stringAt(pod, 'metadata', 'labels', 'job-name') === job);
    return own.sort((a, b) => (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? ''));
  };
  const endOf = async (job: string) => {
    const pod = (await podsOf(job)).at(-1);
    return arrayAt(pod, 'status', 'containerStatuses').map((each) =>
      stringAt(each, 'state', 'terminated', 'message'),
    )[0];
  };
  /** Starts a restore that is refused; the message of its pod. */
  const refused = async (name: string) => {
    await cluster.bravo('update', '--instance', 'pg', '-p', `RESTORE_FROM=${name}`);
    return await cluster.until(async () => {
      const message = await endOf('pg-restore');
      expect(message).toContain(`Backup ${name} was not restored: `);
      return message;
    });
  };

  beforeAll(async () => {
    cluster = await startRealCluster();
    const parameters = ['-p', 'LOG_STATEMENTS=ddl', '-p', 'BACKUP_RETENTION=2', '-p', 'PASSWORD=first-password'];
    await cluster.bravo('install', 'operators/postgres/1.0.0', '--instance', 'pg', ...parameters, '--wait');
    const securityContext = { runAsUser: 999, runAsGroup: 999, fsGroup: 999 };
    const spec = {
      terminationGracePeriodSeconds: 0,
      securityContext,
      containers: [
        {
          name: 'files',
          image: 'postgres:16.8',
          command: ['sh', '-c', 'sleep 100000'],
          env: [{ name: 'PGHOST', value: 'pg' }],
          volumeMounts: [{ name: 'backups', mountPath: '/backups' }],
        },
      ],
      volumes: [{ name: 'backups', persistentVolumeClaim: { claimName: 'pg-backups' } }],
    };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'files' }, spec };
    await cluster.api.create({ ...PODS, namespace: 'default' }, pod);
    await cluster.podReady('files');
    await sql('CREATE TABLE words AS SELECT id, md5(id::text) AS word FROM generate_series(1, 10000) AS id');
    await sql("CREATE ROLE clerk LOGIN PASSWORD 'of-the-clerk'; ALTER TABLE words OWNER TO clerk");
    before = await checksum();
  });
  afterAll(() => cluster?.stop());

  it('are backed up, and the Job says what it wrote', async () => {
    const name = await backUp();
    expect(name).toMatch(NAME);
    expect(await backups()).toEqual(['lost+found', name]);
    const [output] = (JSON.parse((await endOf('pg-backup')) ?? '') as { outputs: { [key: string]: unknown }[] })
      .outputs;
    expect(output).toMatchObject({ type: 'backup', name });
    expect(output?.size).toBeGreaterThan(10_000);
    expect(output?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it('are restored while clients are connected and write, from a backup that is older than the password', async () => {
    const [name = ''] = (await backups()).filter((each) => NAME.test(each));
    await cluster.bravo('update', '--instance', 'pg', '-p', 'PASSWORD=second-password', '--wait');
    await cluster.podReady('pg-0');
    await damage();
    await sql('DROP OWNED BY clerk; DROP ROLE clerk');
    await sql('CREATE TABLE words (id int, word text)');
    const idle = sh('PGPASSWORD=second-password psql -U postgres -d app -c "SELECT pg_sleep(60)" 2>&1; true').catch(
      String,
    );
    await cluster.until(async () => {
      expect(
        await sql(
          "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND client_addr IS NOT NULL",
        ),
      ).toBe('1\n');
    });
    await restore(name);
    expect(await checksum()).toBe(before);
    expect(await idle).toContain('terminating connection');
    expect(await sql('SELECT count(*) FROM words', 'app__before_restore')).toBe('0\n');
    expect(await sql("SELECT tableowner FROM pg_tables WHERE tablename = 'words'")).toBe('clerk\n');
    expect(await sh('PGPASSWORD=of-the-clerk psql -U clerk -d app -qAtc "SELECT 1"')).toBe('1\n');
  });

  it('keep the password of the Secret, and the log has neither of them', async () => {
    const login = (password: string) => sh(`PGPASSWORD=${password} psql -U postgres -d app -qAtc "SELECT 1"`);
    expect(await login('second-password')).toBe('1\n');
    await expect(login('first-password')).rejects.toThrow('password authentication failed');
    const log = await cluster.log('pg-0');
    expect(log).toContain('LOG:  statement: CREATE TABLE words');
    expect(log).not.toMatch(/second-password|ALTER ROLE postgres|SCRAM/);
  });

  it('lose the copy from before the restore with the next backup, and keep two backups and lost+found', async () => {
    await backUp();
    const third = await backUp();
    const names = await backups();
    expect(names).toHaveLength(3);
    expect(names).toEqual(expect.arrayContaining(['lost+found', third]));
    expect(await sql("SELECT count(*) FROM pg_database WHERE datname LIKE '%\\_\\_%'")).toBe('0\n');
  });

  it('are not touched by a restore from a missing, truncated or foreign backup', async () => {
    const [name = ''] = (await backups()).filter((each) => NAME.test(each));
    const truncated = 'pg-20200101T000000Z';
    const foreign = 'pg-20200102T000000Z';
    await sh(`cp -r /backups/${name} /backups/${truncated} && truncate -s -100 /backups/${truncated}/2.dump`);
    await sh(`cp -r /backups/${name} /backups/${foreign} && cd /backups/${foreign} && sed -i 's/^instance pg/instance shop/; $d' manifest &&
      sum=$(sha256sum <manifest) && echo "end \${sum%% *}" >>manifest`);
    expect(await refused('nope.sql.gz')).toMatch(/it does not exist; .*backups of pg: pg-.*/);
    expect(await refused(truncated)).toContain('its file 2.dump is truncated or was changed; ');
    expect(await refused(foreign)).toContain('it is a backup of instance shop; ');
    expect(await refused('lost+found')).toContain('it is not a complete backup of instance pg; ');
    expect(await checksum()).toBe(before);
    expect(await sql("SELECT count(*) FROM pg_database WHERE datname LIKE '%\\_\\_%'")).toBe('0\n');
    await cluster.until(async () => {
      const instance = await cluster.api.get({ ...INSTANCES, namespace: 'default', name: 'pg' });
      expect(stringAt(instance, 'status', 'planStatus', 'restore', 'status')).toBe('FATAL_ERROR');
    }, 200_000);
    await sh(`rm -r /backups/${truncated} /backups/${foreign}`);
  });

  it('are restored when the pod of the restore and the controller are killed meanwhile', async () => {
    await damage();
    const restored = restore('latest');
    const seen = (await podsOf('pg-restore')).map((pod) => pod.metadata.uid);
    await cluster.until(async () => {
      const pod = (await podsOf('pg-restore')).at(-1);
      expect(seen).not.toContain(pod?.metadata.uid);
      await cluster.exec(pod?.metadata.name ?? '', 'sh', '-c', 'test -s /scratch/exchange.sql');
      await cluster.api.delete({ ...PODS, namespace: 'default', name: pod?.metadata.name ?? '' });
    });
    await cluster.replaceController();
    await restored;
    expect(await checksum()).toBe(before);
    expect(await sql('SELECT count(*) FROM words', 'app__before_restore')).toBe('10\n');
    expect(
      await sql("SELECT string_agg(datname, ' ' ORDER BY datname) FROM pg_database WHERE datname LIKE '%\\_\\_%'"),
    ).toBe('app__before_restore postgres__before_restore\n');
  });

  it('come back when the database was dropped, also from a dump of an earlier version of the operator', async () => {
    const old = 'pg-20190101T000000Z.sql.gz';
    await sh(`PGPASSWORD=second-password pg_dumpall -U postgres --clean --if-exists | gzip >/backups/${old}`);
    await sql('DROP DATABASE app WITH (FORCE)', 'template1');
    await restore(old);
    expect(await checksum()).toBe(before);
  });

  it('stay when the operator is upgraded, which backs them up first', async () => {
    const earlier = await backups();
    await cluster.bravo('upgrade', 'operators/postgres/1.1.0', '--instance', 'pg', '--wait');
    await cluster.podReady('pg-0');
    expect(await cluster.until(checksum)).toBe(before);
    expect((await backups()).length).toBe(earlier.length + 1);
  });
});
