import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PODS } from '@/test/node/resources';
import { Rabbitmq } from './rabbitmq/rabbitmq';

const BACKUP = /^mq-\d{8}T\d{6}Z$/;
const FULL = /^mq-full-\d{8}T\d{6}Z$/;

/** The messages and definitions of the bundled operator in its backups and restores, on three real nodes. */
describe('the data of rabbitmq', () => {
  let mq: Rabbitmq;
  let before = '';

  /** A shell in a pod that mounts the volume with the backups. */
  const files = (script: string) => mq.cluster.exec('files', 'sh', '-c', script);
  const backups = async () => (await files('ls -A /backups')).trim().split('\n');

  beforeAll(async () => {
    mq = await Rabbitmq.start('BACKUP_RETENTION=2');
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
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'files' }, spec };
    await mq.cluster.api.create({ ...PODS, namespace: 'default' }, pod);
    await mq.client('publish', 'orders', 10_000);
    before = await mq.client('read', 'orders');
    await mq.cluster.podReady('files');
  });
  afterAll(() => mq?.stop());

  it('are 10,000 messages on three nodes', async () => {
    expect(before).toMatch(/^10000 [0-9a-f]{64}$/);
    expect(await mq.replicas('orders')).toEqual([0, 1, 2]);
  });

  it('are in no backup of the definitions, which says its name and size, and can be imported', async () => {
    await mq.ctl(0, 'rabbitmqctl', 'set_policy', 'short', '^temporary', '{"max-length":10}');
    await mq.plan('backup');
    const { outputs } = JSON.parse(await mq.messageOf('backup')) as { outputs: readonly unknown[] };
    expect(outputs).toEqual([
      {
        type: 'backup',
        name: expect.stringMatching(BACKUP),
        size: expect.any(Number),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
    ]);
    await mq.plan('verify');
    expect(await mq.cluster.log(await podOf('verify'))).toContain('queues 1 exchanges 0 bindings 0 policies 1');
  });

  it('are in a full backup, also when the controller is killed in each of its steps', async () => {
    await mq.rememberJobs();
    const backup = mq.plan('full-backup');
    await mq.killControllerIn('halt', 'copy', 'result');
    await backup;
    const { outputs } = JSON.parse(await mq.messageOf('result')) as { outputs: readonly { name: string }[] };
    expect(outputs[0]?.name).toMatch(FULL);
    expect(await mq.client('read', 'orders')).toBe(before);
  });

  it('are not touched by a restore from a missing, truncated or foreign backup', async () => {
    const [full = ''] = (await backups()).filter((each) => FULL.test(each));
    const truncated = 'mq-full-20200101T000000Z';
    const foreign = 'mq-full-20200102T000000Z';
    await files(`cd /backups && cp -r ${full} ${truncated} && head -c 9999 ${full}/node-1.tar.gz >${truncated}/node-1.tar.gz && cp -r ${full} ${foreign} && cd ${foreign} &&
      sed -i 's/^instance mq/instance shop/; $d' manifest && sum=$(sha256sum <manifest) && echo "end \${sum%% *}" >>manifest`);
    for (const [name, why] of [
      ['nope', 'it does not exist; nothing was changed; backups of mq: mq-'],
      [truncated, 'its file node-1.tar.gz is truncated or was changed; '],
      [foreign, 'it is a backup of instance shop; '],
      ['lost+found', 'it does not exist; '],
    ] as const) {
      await expect(mq.update(`RESTORE_FROM=${name}`)).rejects.toThrow('check');
      expect(await mq.messageOf('check')).toContain(`Backup ${name} was not restored: ${why}`);
    }
    expect(await mq.client('read', 'orders')).toBe(before);
    await files(`rm -r /backups/${truncated} /backups/${foreign}`);
  });

  it('come back with a full restore in which the controller is killed in each step, and the former data stays beside it', async () => {
    await mq.ctl(0, 'rabbitmqctl', '-q', 'delete_queue', 'orders');
    await mq.client('publish', 'later', 10);
    await mq.rememberJobs();
    const restored = mq.update('RESTORE_FROM=latest-full');
    await mq.killControllerIn('check', 'halt', 'load', 'access');
    await restored;
    expect(await mq.client('read', 'orders')).toBe(before);
    expect(await mq.replicas('orders')).toEqual([0, 1, 2]);
    expect(await mq.replicas('later')).toEqual([]);
    expect(await mq.cluster.exec('mq-1', 'sh', '-c', 'ls -d /data/before-*/mnesia')).toMatch(/^\/data\/before-/);
  });

  it('stay when definitions are restored, which brings back a policy and keeps the password of the Secret', async () => {
    const policies = () => mq.ctl(0, 'rabbitmqctl', '-q', 'list_policies', '--no-table-headers');
    await mq.update('PASSWORD=of today');
    await mq.ctl(0, 'rabbitmqctl', '-q', 'clear_policy', 'short');
    expect((await policies()).trim()).toBe('');
    await mq.update('RESTORE_FROM=latest');
    expect(await policies()).toContain('^temporary');
    expect(await mq.client('read', 'orders')).toBe(before);
    expect(await mq.connection('uri')).toContain(':of%20today@');
  });

  it('have two backups of the definitions left of three, and lost+found', async () => {
    await mq.plan('backup');
    await mq.plan('backup');
    expect(await mq.messageOf('backup')).toContain('{"type":"backup-deleted","name":"mq-');
    const names = await backups();
    expect(names.filter((each) => BACKUP.test(each))).toHaveLength(2);
    expect(names.filter((each) => FULL.test(each))).toHaveLength(1);
    expect(names).toContain('lost+found');
  });

  async function podOf(job: string): Promise<string> {
    const { items } = await mq.cluster.api.list(
      { ...PODS, namespace: 'default' },
      { labelSelector: `job-name=mq-${job}` },
    );
    return items[0]?.metadata.name ?? '';
  }
});
