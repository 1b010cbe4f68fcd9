import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killInEachStep } from '@/test/node/kill-in-each-step';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { PODS, SECRETS } from '@/test/node/resources';
import { startS3 } from './s3-server';

const ROWS = 'SELECT count(*), md5(string_agg(id || word, chr(44) ORDER BY id)) FROM words';
const PSQL = 'psql -U postgres -d app -v ON_ERROR_STOP=1 -qAtc';
const SQL = 'mariadb --no-defaults -umysql --batch -N app -e';
const VALKEY = '. /scripts/common.sh; . /scripts/volume.sh; here';
const RABBITMQ = '. /scripts/common.sh; export RABBITMQ_NODENAME="$(node 0)"; rabbitmqctl -q';

/** A bundled operator with one server, and scripts of a shell in its first pod: data, what they are, and how they are lost. */
interface Subject {
  readonly parameters: readonly string[];
  readonly container: string;
  readonly shell: readonly string[];
  readonly write: string;
  readonly read: string;
  readonly lose: string;
}

const SUBJECTS: { readonly [operator: string]: Subject } = {
  postgres: {
    parameters: ['WAL_ARCHIVE=true'],
    container: 'postgres',
    shell: ['bash', '-c'],
    write: `${PSQL} 'CREATE TABLE words AS SELECT id, md5(id::text) AS word FROM generate_series(1, 9000) AS id'`,
    read: `${PSQL} '${ROWS}'`,
    lose: `${PSQL} 'DELETE FROM words WHERE id > 10'`,
  },
  valkey: {
    parameters: ['REPLICAS=0'],
    container: 'agent',
    shell: ['bash', '-c'],
    write: `${VALKEY} EVAL 'for k = 1, 9000 do redis.call("SET", "row:" .. k, k * 7) end return 1' 0`,
    read: `${VALKEY} EVAL_RO 'local t = {} for k = 1, 9000 do t[k] = tostring(redis.call("GET", "row:" .. k)) end return redis.sha1hex(table.concat(t, ","))' 0`,
    lose: `${VALKEY} FLUSHALL`,
  },
  etcd: {
    parameters: ['size=1'],
    container: 'etcd',
    shell: ['/tools/busybox', 'sh', '-c'],
    write:
      'n=0; while [ $n -lt 50 ]; do etcdctl --endpoints http://etcd:2379 put row/$n $((n * 7)) > /dev/null; n=$((n + 1)); done',
    read: 'etcdctl --endpoints http://etcd:2379 get row --prefix | /tools/sha256sum',
    lose: 'etcdctl --endpoints http://etcd:2379 del row --prefix',
  },
  mariadb: {
    parameters: ['REPLICAS=1'],
    container: 'mariadb',
    shell: ['bash', '-c'],
    write: `${SQL} 'CREATE TABLE words (id INT PRIMARY KEY, word VARCHAR(64)); INSERT INTO words SELECT seq, MD5(seq) FROM seq_1_to_9000'`,
    read: `${SQL} 'SELECT COUNT(*), SUM(CRC32(word)) FROM words'`,
    lose: `${SQL} 'DELETE FROM words WHERE id > 10'`,
  },
  rabbitmq: {
    parameters: ['REPLICAS=1', 'SCHEDULERS=1', 'CPU=0.05', 'MEMORY=384Mi', 'STORAGE=256Mi'],
    container: 'rabbitmq',
    shell: ['bash', '-c'],
    write: `${RABBITMQ} set_policy kept '^kept' '{"max-length":7}'`,
    read: `${RABBITMQ} list_policies`,
    lose: `${RABBITMQ} clear_policy kept`,
  },
};

/** One backup is deleted, with real servers: the other one is whole, and nothing but that one goes. */
describe('one backup that is deleted', () => {
  let cluster: RealCluster;

  beforeAll(async () => {
    cluster = await startRealCluster();
  });
  afterAll(() => cluster?.stop());

  const install = (operator: string, ...parameters: readonly string[]) =>
    cluster.bravo(
      ...['install', `operators/${operator}/1.1.0`, '--instance', operator, '--wait'],
      ...parameters.flatMap((each) => ['-p', each]),
    );
  const uninstall = (operator: string) => cluster.bravo('uninstall', '--instance', operator, '--wait');
  const within = async (operator: string, what: 'write' | 'read' | 'lose') => {
    const { shell = [], container, [what]: script = '' } = SUBJECTS[operator] ?? {};
    const options = {
      command: [...shell, script],
      maxBytes: 65_536,
      ...(container === undefined ? {} : { container }),
    };
    const output = await cluster.api.exec({ ...PODS, namespace: 'default', name: `${operator}-0` }, options);
    return Buffer.from(output).toString('utf8');
  };
  const backUp = (operator: string) =>
    cluster.bravo('plan', 'trigger', '--name', 'backup', '--instance', operator, '--wait');
  /** The newest first. */
  const list = async (operator: string) =>
    (await cluster.bravo('backup', 'list', '--instance', operator, '-o', 'name')).trim().split('\n');
  const ofKind = async (operator: string, kind: string) =>
    (await list(operator)).filter((name) => new RegExp(`^${kind}-\\d{8}T\\d{6}Z$`).test(name));
  const remove = (operator: string, name: string) =>
    cluster.bravo('backup', 'delete', name, '--instance', operator, '--yes', '--wait');
  const message = (operator: string) => cluster.jobMessage(`${operator}-delete-backup`);
  const refused = async (operator: string, name: string, why: string) => {
    await expect(remove(operator, name)).rejects.toThrow('delete-backup.delete.delete');
    expect(await message(operator)).toContain(why);
  };

  it.each(Object.keys(SUBJECTS))(
    'leaves the other one of %s, from which all data come back, and the last one is not deleted',
    async (operator) => {
      await install(operator, ...(SUBJECTS[operator]?.parameters ?? []));
      await within(operator, 'write');
      const data = await within(operator, 'read');
      await backUp(operator);
      await backUp(operator);
      const [newer = '', older = '', ...others] = await ofKind(operator, operator);
      expect(others).toEqual([]);
      await refused(
        operator,
        `${operator}-../${older}`,
        `is not the name of a backup of ${operator}. The backups are: ${older} ${newer}.`,
      );
      await killInEachStep(
        cluster,
        { instance: operator, plan: 'delete-backup' },
        ...['backup', 'delete', older, '--yes', '--reason', 'ticket 7'],
      );
      expect(JSON.parse(await message(operator))).toEqual({ outputs: [{ type: 'backup-deleted', name: older }] });
      expect(await ofKind(operator, operator)).toEqual([newer]);
      await refused(operator, newer, `"${newer}" is the last good backup of ${operator}`);
      await refused(
        operator,
        `${operator}-20200101T000000Z`,
        `does not exist in the backup volume, or is not complete. The backups are: ${newer}.`,
      );
      await within(operator, 'lose');
      expect(await within(operator, 'read')).not.toBe(data);
      await cluster.bravo('backup', 'restore', newer, '--instance', operator, '--wait');
      await cluster.until(async () => expect(await within(operator, 'read')).toBe(data));
      if (operator !== 'postgres') await uninstall(operator);
    },
  );

  it('is a base backup of postgres only when a newer one exists, or when it is named twice', async () => {
    const base = 'postgres-base';
    const [newest = '', oldest = ''] = await ofKind('postgres', base);
    await refused('postgres', newest, `"${newest}" is the newest base backup`);
    await remove('postgres', oldest);
    expect(await ofKind('postgres', base)).toEqual([newest]);
    const files = await cluster.exec('postgres-archive-0', 'sh', '-c', 'ls -A /backups; ls /backups/postgres-wal/*');
    expect(files).toContain(newest);
    expect(files).not.toMatch(new RegExp(`^\\.?${oldest}`, 'm'));
    // A restore to a time begins with the newest one.
    const data = await within('postgres', 'read');
    await cluster.bravo('plan', 'trigger', '--instance', 'postgres', '--name', 'restore-to-time', '--wait');
    await cluster.until(async () => expect(await within('postgres', 'read')).toBe(data));
    const [last = ''] = await ofKind('postgres', base);
    await cluster.bravo(
      ...[
        'update',
        '--instance',
        'postgres',
        '--wait',
        '-p',
        `DELETE_BACKUP=${last}`,
        '-p',
        `DELETE_LAST_BACKUP=${last}`,
      ],
    );
    expect(await ofKind('postgres', base)).not.toContain(last);
    await uninstall('postgres');
  });

  it('goes from a bucket too, encrypted, also the last one that is named twice, and stays while the keys are wrong', async () => {
    const [keyId, key] = await startS3(cluster);
    const create = (name: string, stringData: { readonly [key: string]: string }) =>
      cluster.api.create(
        { ...SECRETS, namespace: 'default' },
        { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData },
      );
    const s3 = (line: string) => {
      const head = "import boto3; s3 = boto3.client('s3', endpoint_url='http://s3:5000')";
      return cluster.exec('s3', 'python3', '-c', `${head}; ${line}`);
    };
    await create('backup-s3', { 'access-key': keyId, 'secret-key': key });
    await create('wrong-s3', { 'access-key': keyId, 'secret-key': 'wrong' });
    await create('backup-key', { password: 'correct horse' });
    const target = [
      'backup_target=s3',
      's3_endpoint=http://s3:5000',
      's3_bucket=backups',
      'encryption_secret=backup-key',
    ];
    await install('etcd', 'size=1', ...target);
    await within('etcd', 'write');
    const data = await within('etcd', 'read');
    await backUp('etcd');
    await backUp('etcd');
    const [newer = '', older = ''] = await list('etcd');
    const use = (secret: string) =>
      cluster.bravo('update', '--instance', 'etcd', '-p', `s3_secret=${secret}`, '--wait');
    await use('wrong-s3');
    await refused('etcd', older, 'the secret key in Secret wrong-s3 is wrong. Nothing was changed.');
    await use('backup-s3');
    expect(await list('etcd')).toEqual([newer, older]);
    await remove('etcd', older);
    await remove('etcd', older);
    // What a pod that was killed has left is no backup, and the next one goes on.
    const half = 'etcd-20200101T000000Z';
    const put = (key: string) => s3(`s3.put_object(Bucket='backups', Key='default/etcd/${key}', Body=b'x')`);
    await put(`${half}/snapshot.db.bin`);
    await refused('etcd', half, `The backup "${half}" does not exist in bucket backups`);
    await put(`.deleted-${half}`);
    await remove('etcd', half);
    expect(await list('etcd')).toEqual([newer]);
    const keys = await s3("[print(o['Key']) for o in s3.list_objects_v2(Bucket='backups')['Contents']]");
    expect(keys).not.toContain(`/${older}/`);
    expect(keys).toContain(`/.deleted-${older}`);
    expect(keys).not.toContain(`/${half}/`);
    await refused('etcd', newer, 'is the last good backup of etcd in bucket backups');
    await within('etcd', 'lose');
    await cluster.bravo('backup', 'restore', newer, '--instance', 'etcd', '--wait');
    await cluster.until(async () => expect(await within('etcd', 'read')).toBe(data));
    await cluster.bravo('update', '--instance', 'etcd', '--wait', '-p', `delete_last_backup=${newer}`);
    expect(await list('etcd')).toEqual(['']);
  });
});
