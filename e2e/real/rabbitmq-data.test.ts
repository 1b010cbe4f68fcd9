import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLAIMS, PODS, SECRETS } from '@/test/node/resources';
import { Rabbitmq } from './rabbitmq/rabbitmq';
import { startS3 } from './s3-server';

const NAMESPACE = { namespace: 'default' } as const;
const ENDPOINT = 'http://s3:5000';
const BACKUP = /^rabbitmq-\d{8}T\d{6}Z$/;
const BUCKET = ['BACKUP_TARGET=s3', `S3_ENDPOINT=${ENDPOINT}`, 'S3_BUCKET=backups'];

/** The messages and definitions of the bundled operator in its backups and restores, on three real nodes. */
describe('the data of rabbitmq', () => {
  let mq: Rabbitmq;
  let before = '';

  /** A shell in a pod that mounts the volume with the backups. */
  const files = (script: string) => mq.cluster.exec('files', 'sh', '-c', script);
  const policies = () => mq.ctl(0, 'rabbitmqctl', '-q', 'list_policies', '--no-table-headers');
  const restore = (name: string) =>
    mq.cluster.bravo('update', '--instance', 'mq', '--wait', '-p', `RESTORE_FROM=${name}`, '--confirm', 'restore/mq');
  const secret = (name: string, stringData: { readonly [key: string]: string }) =>
    mq.cluster.api.create(
      { ...SECRETS, ...NAMESPACE },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData },
    );
  /** Runs a line of Python with boto3 in the pod of the S3 server. */
  const s3 = (line: string) => {
    const script = `import boto3; s3 = boto3.client('s3', endpoint_url='${ENDPOINT}'); ${line}`;
    return mq.cluster.exec('s3', 'python3', '-c', script);
  };

  beforeAll(async () => {
    mq = await Rabbitmq.start('PASSWORD=first');
    await startFiles(mq);
    await mq.client('publish', 'orders', 10_000);
    before = await mq.client('read', 'orders');
    expect(before).toMatch(/^10000 [0-9a-f]{64}$/);
    await mq.ctl(0, 'rabbitmqctl', 'set_policy', 'short', '^temporary', '{"max-length":10}');
  });
  afterAll(() => mq?.stop());

  it('are in no backup of the definitions, which is written while a client writes and the controller is killed', async () => {
    const { retries } = await mq.whileWriting('written', 'backup', async () => {
      expect(await mq.killingIn('backup', 'plan', 'trigger', '--name', 'backup')).toContain('backup.run');
    });
    expect(retries).toBe(0);
    await mq.ctl(0, 'rabbitmqctl', '-q', 'delete_queue', 'written');
    const { outputs } = JSON.parse(await mq.messageOf('backup')) as { outputs: readonly unknown[] };
    expect(outputs).toEqual([
      {
        type: 'backup',
        name: expect.stringMatching(BACKUP),
        size: expect.any(Number),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
    ]);
  });

  it('are not touched by a restore from a missing, truncated or foreign backup', async () => {
    const name = await mq.backupOf('backup');
    const [truncated, foreign, other] = [
      'rabbitmq-20200101T000000Z',
      'rabbitmq-20200102T000000Z',
      'rabbitmq-full-20200103T000000Z',
    ];
    await files(`cd /backups && cp -r ${name} ${truncated} && head -c 999 ${name}/definitions.json >${truncated}/definitions.json &&
      cp -r ${name} ${foreign} && sed -i 's#^. instance: .*#\\# instance: default/shop#' ${foreign}/manifest.txt && cp -r ${name} ${other}`);
    for (const [from, why] of [
      ['nope', '"nope" is not the name of a backup. The backups are: rabbitmq-'],
      ['rabbitmq-20200104T000000Z', 'does not exist, or is not complete. The backups are: rabbitmq-'],
      [truncated, 'is not a complete backup: these files are missing or changed: ./definitions.json.'],
      [foreign, 'it is a backup of instance default/shop. Nothing was changed.'],
      [other, 'it is a backup of rabbitmq, not of rabbitmq-full.'],
      ['lost+found', '"lost+found" is not the name of a backup.'],
    ] as const) {
      await expect(restore(from)).rejects.toThrow('check');
      expect(await mq.messageOf('check')).toContain(why);
    }
    expect(await mq.client('read', 'orders')).toBe(before);
    await files(`cd /backups && rm -r ${truncated} ${foreign} ${other}`);
  });

  it('are in no full backup whose bucket refuses the keys, and no node stops for it', async () => {
    const [id, key] = await startS3(mq.cluster);
    await secret('backup-s3', { 'access-key': id, 'secret-key': key });
    await secret('bad-s3', { 'access-key': id, 'secret-key': 'wrong' });
    await secret('backup-key', { password: 'correct horse battery staple' });
    await secret('other-key', { password: 'another one' });
    await mq.update(...BUCKET, 'S3_SECRET=bad-s3', 'ENCRYPTION_SECRET=backup-key');
    await expect(mq.plan('full-backup')).rejects.toThrow('mq-backup');
    expect(await mq.messageOf('backup')).toContain('the secret key in Secret bad-s3 is wrong. No backup was written.');
    expect(await mq.client('read', 'orders')).toBe(before);
    await mq.update('S3_SECRET=backup-s3');
  });

  it('are in a full backup in the bucket, encrypted, also when the controller is killed in each step', async () => {
    await mq.whileWriting('copied', 'backup of everything', async () => {
      const killed = await mq.killingIn('full-backup', 'plan', 'trigger', '--name', 'full-backup');
      expect(killed).toEqual(expect.arrayContaining(['halt.run', 'copy.run', 'copy.start', 'result.run']));
    });
    const folder = `default/mq/${await mq.backupOf('copy')}`;
    const keys = (await s3(`[print(o['Key']) for o in s3.list_objects_v2(Bucket='backups')['Contents']]`)).split('\n');
    expect(keys.filter((each) => each.startsWith(`${folder}/`))).toEqual(
      ['info', 'manifest.txt', 'node-0.tar.gz', 'node-1.tar.gz', 'node-2.tar.gz'].map(
        (name) => `${folder}/${name}.bin`,
      ),
    );
    await mq.update('ENCRYPTION_SECRET=other-key');
    await expect(restore('latest-full')).rejects.toThrow('mq-check');
    expect(await mq.messageOf('check')).toContain('Secret other-key is not the key that it was written with');
    expect(await mq.client('read', 'orders')).toBe(before);
  });

  it('come back from there after the Instance and its data were deleted, though the controller is killed in each step', async () => {
    await mq.cluster.bravo('uninstall', '--instance', 'mq', '--wait');
    await mq.cluster.until(async () => {
      const { items } = await mq.cluster.api.list({ ...CLAIMS, ...NAMESPACE });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(['mq-backups']);
    });
    await mq.install('1.0.0', 'PASSWORD=second', 'ENCRYPTION_SECRET=backup-key', ...BUCKET);
    await mq.client('publish', 'later', 10);
    await mq.whileWriting('later', 'restore of everything', async () => {
      const words = ['update', '-p', 'RESTORE_FROM=latest-full', '--confirm', 'restore/mq'];
      const killed = await mq.killingIn('restore', ...words);
      expect(killed).toEqual(expect.arrayContaining(['check.run', 'halt.run', 'load.run', 'load.start', 'access.run']));
    });
    expect(await mq.client('read', 'orders')).toBe(before);
    expect(await mq.replicas('orders')).toEqual([0, 1, 2]);
    expect(await mq.cluster.exec('mq-1', 'sh', '-c', 'ls -d /data/before-*/mnesia')).toMatch(/^\/data\/before-/);
    expect(await mq.connection('password')).toBe('second');
  });

  it('stay when definitions are restored, which brings back a policy and keeps the password of the Secret', async () => {
    await mq.ctl(0, 'rabbitmqctl', '-q', 'clear_policy', 'short');
    await restore('latest');
    expect(await policies()).toContain('^temporary');
    const replaced = await mq.backupOf('load');
    expect(replaced).toMatch(/^rabbitmq-before-restore-\d{8}T/);
    await restore(replaced);
    expect(await mq.client('read', 'orders')).toBe(before);
    expect(await mq.client('check', '-')).toBe('ok');
  });

  it('have their first backup on the volume still, which is verified and restored, until a newer one takes its place', async () => {
    await mq.ctl(0, 'rabbitmqctl', '-q', 'clear_policy', 'short');
    await mq.update('BACKUP_TARGET=volume');
    await restore('latest');
    expect(await policies()).toContain('^temporary');
    await mq.plan('verify');
    expect(await mq.messageOf('verify')).toMatch(/^\{"outputs":\[\{"type":"backup-verified","name":"rabbitmq-/m);
    await mq.update('BACKUP_RETENTION=1');
    expect(await mq.messageOf('backup')).toContain('{"type":"backup-deleted","name":"rabbitmq-');
    const names = (await files('ls -A /backups')).trim().split('\n');
    expect(names.filter((each) => BACKUP.test(each))).toEqual([await mq.backupOf('backup')]);
    expect(names).toContain('lost+found');
  });
});

/** A pod that mounts the volume with the backups. */
async function startFiles(mq: Rabbitmq): Promise<void> {
  const container = {
    name: 'files',
    image: 'busybox:1.37.0-musl',
    command: ['sh', '-c', 'sleep 100000'],
    volumeMounts: [{ name: 'backups', mountPath: '/backups' }],
  };
  const spec = {
    terminationGracePeriodSeconds: 0,
    securityContext: { runAsUser: 999, runAsGroup: 999, fsGroup: 999 },
    containers: [container],
    volumes: [{ name: 'backups', persistentVolumeClaim: { claimName: 'mq-backups' } }],
  };
  await mq.cluster.api.create(
    { ...PODS, ...NAMESPACE },
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'files' }, spec },
  );
  await mq.cluster.podReady('files');
}
