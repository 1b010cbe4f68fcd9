import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import { killInEachStep } from '@/test/node/kill-in-each-step';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { PODS } from '@/test/node/resources';

const NAME = /^postgres-\d{8}T\d{6}Z$/;
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
  /** Starts a restore that is refused; what its Job said. */
  const refused = async (name: string) => {
    await expect(restore(name)).rejects.toThrow('restore.restore.restore');
    return await cluster.jobMessage('postgres-restore');
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

  it('are backed up once when the controller is killed in each step, and the Job says what it wrote', async () => {
    const steps = await killInEachStep(
      cluster,
      { instance: 'pg', plan: 'backup' },
      ...['plan', 'trigger', '--name', 'backup'],
    );
    expect(steps).toEqual(expect.arrayContaining(['backup.backup', 'replaced.forget']));
    const [name = '', ...others] = (await backups()).filter((each) => NAME.test(each));
    expect(others).toEqual([]);
    const { outputs } = JSON.parse(await cluster.jobMessage('postgres-backup')) as { outputs: readonly unknown[] };
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(outputs).toEqual([{ type: 'backup', name, size: expect.any(Number), createdAt }]);
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

  it('lose the copy from before the restore with the next backup, and keep two backups and what is not ours', async () => {
    await backUp();
    const third = await backUp();
    const names = await backups();
    expect(names).toHaveLength(4);
    expect(names).toEqual(expect.arrayContaining(['lost+found', '.staging', third]));
    expect(await sql("SELECT count(*) FROM pg_database WHERE datname LIKE '%\\_\\_%'")).toBe('0\n');
  });

  it('are not touched by a restore from a missing, truncated or foreign backup, which is refused at once', async () => {
    const [name = ''] = (await backups()).filter((each) => NAME.test(each));
    await sh(badBackups(name));
    const startMs = Date.now();
    expect(await refused('nope.sql.gz')).toContain('"nope.sql.gz" is not the name of a backup. The backups are: ');
    process.stdout.write(`a refused restore of postgres ends after ${Date.now() - startMs} ms\n`);
    expect((await podsOf('pg-restore')).length).toBe(1);
    expect(await refused('postgres-20200101T000000Z')).toContain('these files are missing or changed: ./2.dump');
    expect(await refused('postgres-20200102T000000Z')).toContain('it is a backup of etcd, not of postgres');
    expect(await refused('postgres-20200103T000000Z')).toContain('was not restored: it is a backup of instance shop; ');
    expect(await refused('lost+found')).toContain('"lost+found" is not the name of a backup');
    await sh('rm -r /backups/postgres-2020*');
    const fill =
      'cd /var/lib/postgresql/data; fallocate -l $(($(df -Pk . | awk "NR == 2 { print \\$4 }") - 40960))KiB filler';
    await cluster.exec('pg-0', 'sh', '-c', fill);
    expect(await refused(name)).toMatch(
      /the data volume of the primary has \d+ MiB free, and loading it .* needs \d+ MiB/,
    );
    await cluster.exec('pg-0', 'rm', '/var/lib/postgresql/data/filler');
    expect(await checksum()).toBe(before);
    expect(await sql("SELECT count(*) FROM pg_database WHERE datname LIKE '%\\_\\_%'")).toBe('0\n');
  });

  it('are restored when the pod of the restore is killed, and the controller in each step', async () => {
    await damage();
    const seen = (await podsOf('pg-restore')).map((pod) => pod.metadata.uid);
    const restored = killInEachStep(
      cluster,
      { instance: 'pg', plan: 'restore' },
      ...['update', '-p', 'RESTORE_FROM=latest', '--confirm', 'restore/pg'],
    );
    const killed = cluster.until(async () => {
      const pod = (await podsOf('pg-restore')).at(-1);
      expect(seen).not.toContain(pod?.metadata.uid);
      await cluster.exec(pod?.metadata.name ?? '', 'sh', '-c', 'test -s /scratch/exchange.sql');
      await cluster.api.delete({ ...PODS, namespace: 'default', name: pod?.metadata.name ?? '' });
    });
    const [steps] = await Promise.all([restored, killed]);
    expect(steps).toContain('restore.restore');
    expect(await checksum()).toBe(before);
    expect(await sql('SELECT count(*) FROM words', 'app__before_restore')).toBe('10\n');
    expect(
      await sql("SELECT string_agg(datname, ' ' ORDER BY datname) FROM pg_database WHERE datname LIKE '%\\_\\_%'"),
    ).toBe('app__before_restore postgres__before_restore\n');
  });

  it('come back when the database was dropped, also from backups of earlier versions of the operator', async () => {
    const [name] = (await backups()).filter((each) => NAME.test(each));
    await sh(`cp -r /backups/${name} /backups/pg-20190101T000000Z && rm /backups/pg-20190101T000000Z/manifest.txt
      PGPASSWORD=second-password pg_dumpall -U postgres --clean --if-exists | gzip >/backups/pg-20180101T000000Z.sql.gz`);
    await cluster.bravo('update', '--instance', 'pg', '-p', 'BACKUP_RETENTION=9', '--wait');
    expect((await backups()).filter((each) => /2018|2019/.test(each))).toEqual([
      'postgres-20180101T000000Z',
      'postgres-20190101T000000Z',
    ]);
    await sql('DROP DATABASE app WITH (FORCE)', 'template1');
    await restore('postgres-20180101T000000Z');
    expect(await checksum()).toBe(before);
    await damage();
    await restore('postgres-20190101T000000Z');
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

/** A script that copies a backup: one whose dump is truncated, one of another operator, and one of another instance. */
function badBackups(name: string): string {
  return `cd /backups && for n in 1 2 3; do cp -r ${name} postgres-2020010"$n"T000000Z; done
    truncate -s -100 postgres-20200101T000000Z/2.dump
    sed -i 's/^# operator: postgres/# operator: etcd/' postgres-20200102T000000Z/manifest.txt
    cd postgres-20200103T000000Z && sed -i 's/^instance pg/instance shop/; $d' manifest
    sum=$(sha256sum <manifest) && echo "end \${sum%% *}" >>manifest
    sum=$(sha256sum <manifest) && sed -i "s#^.* ./manifest\\$#\${sum%% *}  ./manifest#" manifest.txt`;
}
