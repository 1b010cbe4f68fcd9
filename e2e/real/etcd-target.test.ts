import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { CLAIMS, SECRETS } from '@/test/node/resources';
import { Etcd } from './etcd-fixture';
import { startS3 } from './s3-server';

const ENDPOINT = 'http://s3:5000';
const KEY = 'correct horse battery staple';
const PARAMETERS = ['size=1', 'backup_target=s3', `s3_endpoint=${ENDPOINT}`, 's3_bucket=backups', 's3_prefix=prod'];

/** A real S3 server that checks keys and signatures, in a pod of its own. */
describe('backups of etcd in S3', () => {
  let cluster: RealCluster;
  let etcd: Etcd;
  let rows: string;
  let secretKey: string;
  let backup: string;

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
  const secret = (name?: string) => ({ ...SECRETS, namespace: 'default', name });
  const createSecret = (name: string, stringData: JsonObject) =>
    cluster.api.create(secret(), { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData });
  const changeSecret = (name: string, key: string, value: string) =>
    cluster.api.patch(secret(name), 'merge', { data: { [key]: Buffer.from(value).toString('base64') } });

  beforeAll(async () => {
    cluster = await startRealCluster();
    const [keyId, key] = await startS3(cluster);
    secretKey = key;
    await createSecret('backup-s3', { 'access-key': keyId, 'secret-key': key });
    await createSecret('backup-key', { password: KEY });
    await Etcd.install(cluster, '1.1.0', ...PARAMETERS);
    etcd = new Etcd(cluster);
    await etcd.writeRows(50);
    rows = await etcd.rows();
  });
  afterAll(() => cluster?.stop());

  it('are complete in the folder of the instance, and come back after the data was lost', async () => {
    const name = await etcd.backUp();
    const folder = `prod/default/etcd/${name}`;
    expect(await keys()).toEqual(['manifest.txt', 'snapshot.db', 'status.json'].map((file) => `${folder}/${file}`));
    await etcd.deleteRows();
    await etcd.plan('restore');
    expect(await etcd.rows()).toBe(rows);
  });

  it('are encrypted with the key of a Secret, and are read with no other one', async () => {
    await etcd.update('encryption_secret=backup-key');
    backup = await etcd.backUp();
    const sealed = (await keys()).filter((key) => key.includes(backup));
    expect(sealed.map((key) => key.split('/').at(-1))).toEqual([
      'manifest.txt.bin',
      'snapshot.db.bin',
      'status.json.bin',
    ]);
    const [, snapshot] = sealed;
    const found = await s3(`print(b'row/1/1' in s3.get_object(Bucket='backups', Key='${snapshot}')['Body'].read())`);
    expect(found).toBe('False\n');
    await changeSecret('backup-key', 'password', 'another one');
    await expect(etcd.plan('restore')).rejects.toThrow('etcd-load');
    expect(await cluster.jobMessage('etcd-load')).toContain(
      'Secret backup-key is not the key that it was written with',
    );
    expect(await etcd.rows()).toBe(rows);
    await changeSecret('backup-key', 'password', KEY);
  });

  it('are read by a separate etcd, which counts their keys, and come back in a new cluster after the former one was deleted', async () => {
    await etcd.plan('verify');
    const message = JSON.parse(await cluster.jobMessage('etcd-verify')) as { outputs: readonly unknown[] };
    expect(message.outputs).toEqual([
      {
        type: 'backup-verified',
        name: backup,
        keys: 5000,
        revision: expect.any(Number),
        hash: expect.any(Number),
      },
    ]);
    await cluster.bravo('uninstall', '--instance', 'etcd', '--wait');
    const claim = { ...CLAIMS, namespace: 'default', name: 'data-etcd-0' };
    await cluster.until(async () => expect(await cluster.api.get(claim)).toBeUndefined());
    await Etcd.install(cluster, '1.1.0', ...PARAMETERS, 'encryption_secret=backup-key');
    await etcd.plan('restore');
    expect(await etcd.rows()).toBe(rows);
  });

  it('are not restored when a file of them was cut, or its manifest is missing', async () => {
    const folder = `prod/default/etcd/${backup}`;
    const file = `${folder}/snapshot.db.bin`;
    await s3(
      `b = s3.get_object(Bucket='backups', Key='${file}')['Body'].read(); s3.put_object(Bucket='backups', Key='${file}', Body=b[:len(b) // 2])`,
    );
    await expect(etcd.plan('restore')).rejects.toThrow('etcd-load');
    expect(await cluster.jobMessage('etcd-load')).toContain(`"${backup}" cannot be read from bucket backups`);
    await s3(`s3.delete_object(Bucket='backups', Key='${folder}/manifest.txt.bin')`);
    await expect(etcd.update(`restore_from=${backup}`)).rejects.toThrow('etcd-load');
    expect(await cluster.jobMessage('etcd-load')).toContain(
      `The backup "${backup}" does not exist, or is not complete.`,
    );
    expect(await etcd.rows()).toBe(rows);
  });

  it('fail with a clear message, and change nothing, with a wrong key, without the bucket, and without the Secret', async () => {
    const before = await keys();
    const refused = async (why: string) => {
      await expect(etcd.plan('backup')).rejects.toThrow('etcd-backup');
      expect(await cluster.jobMessage('etcd-backup')).toContain(why);
    };
    await changeSecret('backup-s3', 'secret-key', 'wrong');
    await refused('bucket backups at http://s3:5000: the secret key in Secret backup-s3 is wrong. No backup');
    await changeSecret('backup-s3', 'secret-key', secretKey);
    await etcd.update('s3_bucket=nowhere');
    await refused('bucket nowhere at http://s3:5000: it does not exist. No backup');
    await etcd.update('s3_bucket=backups', 's3_secret=missing');
    await refused('Secret missing does not exist, or its key access-key is empty');
    await etcd.update('s3_secret=backup-s3');
    expect(await keys()).toEqual(before);
  });

  it('are removed beyond their number, and what an interrupted one left with them', async () => {
    await s3(
      "[s3.put_object(Bucket='backups', Key='prod/default/etcd/etcd-2020010' + str(n) + 'T000000Z/manifest.txt', Body=b'') for n in (1, 2)]",
    );
    await s3("s3.put_object(Bucket='backups', Key='prod/default/etcd/notes.txt', Body=b'')");
    await etcd.update('keep_backups=2');
    const message = await cluster.jobMessage('etcd-backup');
    expect(message).toContain('{"type":"backup-deleted","name":"etcd-20200101T000000Z"}');
    const folders = new Set((await keys()).map((key) => key.split('/')[3]));
    expect([...folders].filter((folder) => folder?.startsWith('etcd-'))).toHaveLength(2);
    expect(folders).toContain('notes.txt');
  });

  it('leave no key in a log, a status or an event', async () => {
    const text = await cluster.everythingShown();
    for (const hidden of [secretKey, 'battery staple']) expect(text).not.toContain(hidden);
  });
});
