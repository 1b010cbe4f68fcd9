import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayAt, stringAt } from '@/lib/json/json';
import { killInEachStep } from '@/test/node/kill-in-each-step';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { CLAIMS, PODS, SECRETS } from '@/test/node/resources';

const CHECKSUM = "SELECT count(*), md5(string_agg(id || ':' || word, ',' ORDER BY id)) FROM words";
const NOW = `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Restores to a time, with TLS and the exporter of metrics: real servers, and what they left on their volumes. */
describe('postgres with an archive', () => {
  let cluster: RealCluster;
  let before = '';
  let time = '';

  /** Runs a command in the server's container of a pod, which has another one for the metrics. */
  const inPod = async (pod: number, ...command: readonly string[]) => {
    const target = { ...PODS, namespace: 'default', name: `pg-${pod}` };
    const output = await cluster.api.exec(target, { container: 'postgres', command, maxBytes: 1024 * 1024 });
    return Buffer.from(output).toString('utf8');
  };
  const sqlOn = (pod: number, text: string) =>
    inPod(pod, 'psql', '-U', 'postgres', '-d', 'app', '-v', 'ON_ERROR_STOP=1', '-qAtc', text);
  const sql = (text: string) => sqlOn(0, text);
  const update = (...parameters: readonly string[]) =>
    cluster.bravo('update', '--instance', 'pg', ...parameters.flatMap((each) => ['-p', each]), '--wait');
  const backUp = () => cluster.bravo('plan', 'trigger', '--instance', 'pg', '--name', 'backup', '--wait');
  const archive = (script: string) => cluster.exec('pg-archive-0', 'sh', '-c', script);
  const bases = async () => (await archive('cd /backups; ls -d pg-base-*')).trim().split('\n');
  const messageOf = async (job: string) => {
    const { items } = await cluster.api.list({ ...PODS, namespace: 'default' });
    const pod = items.find((each) => stringAt(each, 'metadata', 'labels', 'job-name') === job);
    return stringAt(arrayAt(pod, 'status', 'containerStatuses')[0], 'state', 'terminated', 'message');
  };
  const refused = async (wanted: string) => {
    await expect(update(`RESTORE_TO_TIME=${wanted}`)).rejects.toThrow('exit code 42');
    return await messageOf('pg-time-check');
  };
  const haveRows = (...pods: readonly number[]) =>
    cluster.until(async () => {
      for (const pod of pods) expect(await sqlOn(pod, CHECKSUM)).toBe(before);
    });

  beforeAll(async () => {
    cluster = await startRealCluster();
    const parameters = ['REPLICAS=1', 'WAL_ARCHIVE=true', 'TLS=generated', 'METRICS=true', 'PASSWORD=first-password'];
    await cluster.bravo(
      'install',
      'operators/postgres/1.1.0',
      '--instance',
      'pg',
      ...parameters.flatMap((each) => ['-p', each]),
      '--wait',
    );
    await cluster.client('client', 'postgres:17');
    await sql('CREATE TABLE words AS SELECT id, md5(id::text) AS word FROM generate_series(1, 9000) AS id');
    await backUp();
    await sql('INSERT INTO words SELECT id, md5(id::text) FROM generate_series(9001, 10000) AS id');
    before = await sql(CHECKSUM);
    time = (await sql(NOW)).trim();
  });
  afterAll(() => cluster?.stop());

  it('takes clients only over TLS, with a certificate of its own authority', async () => {
    const secret = await cluster.api.get({ ...SECRETS, namespace: 'default', name: 'pg-tls' });
    const authority = Buffer.from(stringAt(secret, 'data', 'ca.crt') ?? '', 'base64').toString('utf8');
    await cluster.exec('client', 'sh', '-c', `cat >/tmp/ca.crt <<'CA'\n${authority}\nCA`);
    const connect = (more: string) =>
      cluster.exec('client', 'psql', `postgresql://postgres:first-password@pg/app?${more}`, '-Atc', 'SELECT 1');
    expect(await connect('sslmode=verify-full&sslrootcert=/tmp/ca.crt')).toBe('1\n');
    await expect(connect('sslmode=disable')).rejects.toThrow('no encryption');
    expect(await sql('SELECT ssl FROM pg_stat_replication JOIN pg_stat_ssl USING (pid)')).toBe('t\nt\n');
  });

  it('shows its metrics', async () => {
    const get = 'exec 3<>/dev/tcp/pg-1.pg-pods/9187; printf "GET /metrics HTTP/1.0\\r\\n\\r\\n" >&3; cat <&3';
    expect(await cluster.exec('client', 'bash', '-c', get)).toContain('pg_up 1');
  });

  it('takes the new password and refuses the old one, on each member, when the password has changed', async () => {
    await update('PASSWORD=second-password');
    const login = (host: string, password: string) =>
      cluster.exec('client', 'psql', `postgresql://postgres:${password}@${host}/app`, '-Atc', 'SELECT 1');
    for (const host of ['pg-0.pg-pods', 'pg-1.pg-pods']) {
      expect(await cluster.until(() => login(host, 'second-password'))).toBe('1\n');
      await expect(login(host, 'first-password')).rejects.toThrow('password authentication failed');
    }
    const secret = await cluster.api.get({ ...SECRETS, namespace: 'default', name: 'pg-connection' });
    const uri = Buffer.from(stringAt(secret, 'data', 'uri') ?? '', 'base64').toString('utf8');
    expect(await cluster.exec('client', 'psql', uri, '-Atc', 'SELECT 1')).toBe('1\n');
  });

  it('is not touched by a restore to a time that the backups do not hold, or from a damaged one', async () => {
    const [base = ''] = await bases();
    expect(await refused('2020-01-01T00:00:00Z')).toMatch(
      /no base backup that was complete at that time; .*: pg-base-/,
    );
    expect(await refused('2999-01-01T00:00:00Z')).toContain('it is in the future');
    expect(await refused('yesterdayish')).toContain('it is not a time');
    const file = `$(ls -S /backups/${base}/base/*/* | head -n 1)`;
    await archive(`cp ${file} /tmp/kept && echo damage >>${file}`);
    expect(await refused(time)).toContain(`base backup ${base} is damaged`);
    await archive(`cp /tmp/kept $(ls -S /backups/${base}/base/*/* | head -n 1)`);
    expect(await sql(CHECKSUM)).toBe(before);
  });

  it('has the data of that time again, on all members, when the controller is killed meanwhile', async () => {
    await sql('DELETE FROM words WHERE id > 10; DROP TABLE IF EXISTS nothing');
    const steps = await killInEachStep(
      cluster,
      { instance: 'pg', plan: 'restore-to-time' },
      ...['update', '-p', `RESTORE_TO_TIME=${new Date(Date.parse(time) + 1).toISOString()}`],
      ...['--confirm', 'restore-to-time/pg'],
    );
    expect(steps).toEqual(expect.arrayContaining(['check.time', 'recover.recover', 'replace.start', 'members.settle']));
    await haveRows(0, 1);
    expect(await inPod(0, 'ls', '/var/lib/postgresql/data')).toContain('before-restore');
  });

  it('comes back with all data when the volumes of all members are lost', async () => {
    await sql("INSERT INTO words VALUES (10001, 'last')");
    before = await sql(CHECKSUM);
    await cluster.until(async () =>
      expect(
        await sql(
          "SELECT flush_lsn >= pg_current_wal_lsn() FROM pg_stat_replication WHERE application_name = 'pg_receivewal'",
        ),
      ).toBe('t\n'),
    );
    const seen = await Promise.all(['pg-0', 'pg-1'].map((name) => cluster.podReady(name)));
    for (const name of ['pg-0', 'pg-1']) {
      await cluster.api.delete({ ...CLAIMS, namespace: 'default', name: `data-${name}` });
      await cluster.api.delete({ ...PODS, namespace: 'default', name });
    }
    await cluster.until(async () => {
      const pod = await cluster.api.get({ ...PODS, namespace: 'default', name: 'pg-0' });
      expect(pod?.metadata.uid).not.toBe(seen[0]?.metadata.uid);
      expect(await inPod(0, 'cat', '/tmp/waiting')).toContain('The data volume of primary pg-0 is empty');
    });
    await update('RESTORE_TO_TIME=latest').catch(() => undefined);
    await cluster.bravo('plan', 'trigger', '--instance', 'pg', '--name', 'restore-to-time', '--wait');
    await haveRows(0, 1);
  });
});
