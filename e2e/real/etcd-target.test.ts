import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { EVENTS, PODS, SECRETS } from '@/test/node/resources';
import { startS3 } from './s3-server';

const SERVICE = 'http://etcd:2379';
const ENDPOINT = 'http://s3:5000';

/** A real S3 server that checks keys and signatures, in a pod of its own. */
describe('backups of etcd in S3', () => {
  let cluster: RealCluster;
  let rows: string;
  let secretKey: string;

  const shell = (script: string) => cluster.exec('etcd-0', '/tools/busybox', 'sh', '-c', script);
  const read = () => shell(`etcdctl --endpoints ${SERVICE} get row/ --prefix | /tools/sha256sum`);
  const drop = () => shell(`etcdctl --endpoints ${SERVICE} del row/ --prefix`);
  const plan = (name: string) =>
    cluster.bravo('plan', 'trigger', '--name', name, '--instance', 'etcd', '--wait', ...confirmed(name));
  const update = (...parameters: readonly string[]) =>
    cluster.bravo(
      ...['update', '--instance', 'etcd', '--wait', ...confirmed(parameters.join())],
      ...parameters.flatMap((each) => ['-p', each]),
    );
  /** Runs a line of Python with boto3 in the pod of the server, as the user of the keys. */
  const s3 = (line: string) =>
    cluster.exec(
      's3',
      'python3',
      '-c',
      `import boto3, sys; s3 = boto3.client('s3', endpoint_url='${ENDPOINT}'); ${line}`,
    );
  const keys = async () =>
    (await s3("[print(o['Key']) for o in s3.list_objects_v2(Bucket='backups').get('Contents', [])]"))
      .trim()
      .split('\n');
  const lastBackup = async () => {
    const [, name = ''] = /"type":"backup","name":"([^"]+)"/.exec(await cluster.jobMessage('etcd-backup')) ?? [];
    return name;
  };
  const secret = (name: string, values: { readonly [key: string]: string }) =>
    cluster.api.create(
      { ...SECRETS, namespace: 'default' },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: values },
    );

  beforeAll(async () => {
    cluster = await startRealCluster();
    const [keyId, key] = await startS3(cluster);
    secretKey = key;
    await secret('backup-s3', { 'access-key': keyId, 'secret-key': key });
    await secret('bad-s3', { 'access-key': keyId, 'secret-key': 'wrong' });
    await secret('backup-key', { password: 'correct horse battery staple' });
    await secret('other-key', { password: 'another one' });
    const parameters = ['size=1', 'backup_target=s3', `s3_endpoint=${ENDPOINT}`, 's3_bucket=backups', 's3_prefix=prod'];
    await cluster.bravo(
      ...['install', 'operators/etcd/1.1.0', '--instance', 'etcd', '--wait'],
      ...parameters.flatMap((each) => ['-p', each]),
    );
    await shell(`n=0; while [ $n -lt 50 ]; do
      { echo; i=0; while [ $i -lt 100 ]; do echo "put row/$n/$i value-$((n * i))"; i=$((i + 1)); done; echo; echo; } |
        etcdctl --endpoints ${SERVICE} txn > /dev/null; n=$((n + 1)); done`);
    rows = await read();
  });
  afterAll(() => cluster?.stop());

  it('are complete in the folder of the instance, and come back after the data was lost', async () => {
    await plan('backup');
    const name = await lastBackup();
    const folder = `prod/default/etcd/${name}`;
    expect(await keys()).toEqual(['manifest.txt', 'snapshot.db', 'status.json'].map((file) => `${folder}/${file}`));
    await drop();
    await plan('restore');
    expect(await read()).toBe(rows);
  });

  it('are encrypted with the key of a Secret, and are read with no other one', async () => {
    await update('encryption_secret=backup-key');
    await plan('backup');
    const name = await lastBackup();
    const sealed = (await keys()).filter((key) => key.includes(name));
    expect(sealed.map((key) => key.split('/').at(-1))).toEqual([
      'manifest.txt.bin',
      'snapshot.db.bin',
      'status.json.bin',
    ]);
    const [, snapshot] = sealed;
    const found = await s3(`print(b'row/1/1' in s3.get_object(Bucket='backups', Key='${snapshot}')['Body'].read())`);
    expect(found).toBe('False\n');
    await update('encryption_secret=other-key');
    await expect(plan('restore')).rejects.toThrow('etcd-load');
    expect(await cluster.jobMessage('etcd-load')).toContain('Secret other-key is not the key that it was written with');
    expect(await read()).toBe(rows);
    await update('encryption_secret=backup-key');
  });

  it('are read by a separate etcd, which counts their keys', async () => {
    await plan('verify');
    const message = JSON.parse(await cluster.jobMessage('etcd-verify')) as { outputs: readonly unknown[] };
    expect(message.outputs).toEqual([
      {
        type: 'backup-verified',
        name: await lastBackup(),
        keys: 5000,
        revision: expect.any(Number),
        hash: expect.any(Number),
      },
    ]);
    await drop();
    await plan('restore');
    expect(await read()).toBe(rows);
  });

  it('are not restored when a file of them was cut, or its manifest is missing', async () => {
    const name = await lastBackup();
    const file = `prod/default/etcd/${name}/snapshot.db.bin`;
    await s3(
      `b = s3.get_object(Bucket='backups', Key='${file}')['Body'].read(); s3.put_object(Bucket='backups', Key='${file}', Body=b[:len(b) // 2])`,
    );
    await expect(plan('restore')).rejects.toThrow('etcd-load');
    expect(await cluster.jobMessage('etcd-load')).toContain(`"${name}" cannot be read from bucket backups`);
    await s3(`s3.delete_object(Bucket='backups', Key='prod/default/etcd/${name}/manifest.txt.bin')`);
    await expect(update(`restore_from=${name}`)).rejects.toThrow('etcd-load');
    expect(await cluster.jobMessage('etcd-load')).toContain(`The backup "${name}" does not exist, or is not complete.`);
    expect(await read()).toBe(rows);
  });

  it('fail with a clear message, and change nothing, with a wrong key, without the bucket, and without the Secret', async () => {
    const before = await keys();
    for (const [parameter, why] of [
      [
        's3_secret=bad-s3',
        'bucket backups at http://s3:5000: the secret key in Secret bad-s3 is wrong. No backup was written.',
      ],
      ['s3_secret=missing', 'Secret missing does not exist, or its key access-key is empty'],
      ['s3_bucket=nowhere', 'bucket nowhere at http://s3:5000: it does not exist. No backup was written.'],
    ] as const) {
      await update(parameter, ...(parameter.startsWith('s3_bucket') ? ['s3_secret=backup-s3'] : []));
      await expect(plan('backup')).rejects.toThrow('etcd-backup');
      expect(await cluster.jobMessage('etcd-backup')).toContain(why);
    }
    await update('s3_bucket=backups');
    expect(await keys()).toEqual(before);
  });

  it('are removed beyond their number, and what an interrupted one left with them', async () => {
    await s3(
      "[s3.put_object(Bucket='backups', Key='prod/default/etcd/etcd-2020010' + str(n) + 'T000000Z/manifest.txt', Body=b'') for n in (1, 2)]",
    );
    await s3("s3.put_object(Bucket='backups', Key='prod/default/etcd/notes.txt', Body=b'')");
    await update('keep_backups=2');
    const message = await cluster.jobMessage('etcd-backup');
    expect(message).toContain('{"type":"backup-deleted","name":"etcd-20200101T000000Z"}');
    const folders = new Set((await keys()).map((key) => key.split('/')[3]));
    expect([...folders].filter((folder) => folder?.startsWith('etcd-'))).toHaveLength(2);
    expect(folders).toContain('notes.txt');
  });

  it('leave no key in a log, a status or an event', async () => {
    const namespace = 'default';
    const { items } = await cluster.api.list({ ...PODS, namespace });
    const logs = await Promise.all(items.map((pod) => cluster.log(pod.metadata.name ?? '').catch(() => '')));
    const events = await cluster.api.list({ ...EVENTS, namespace });
    const instances = await cluster.api.list({ ...INSTANCES, namespace });
    const text = JSON.stringify([logs, items, events, instances]);
    for (const hidden of [secretKey, 'battery staple']) expect(text).not.toContain(hidden);
  });
});

/** A restore replaces data: it starts only when it was confirmed. */
function confirmed(planOrParameter: string): readonly string[] {
  return planOrParameter.startsWith('restore') ? ['--confirm', 'restore/etcd'] : [];
}
