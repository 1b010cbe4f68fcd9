import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { CLAIMS, PODS } from '@/test/node/resources';
import { IMAGE, Valkey } from './valkey-fixture';

const STATEFUL_SET = { group: 'apps', version: 'v1', resource: 'statefulsets', namespace: 'default', name: 'vk' };

/** What happens to the data of the bundled operator: with real servers, on volumes that have a `lost+found`. */
describe('the data of valkey', () => {
  let cluster: RealCluster;
  let valkey: Valkey;
  let rows = '';

  const expectRowsOn = async (pods: number, primary: number) => {
    const roles = [...Array(pods).keys()].map((n) => (n === primary ? 'master' : `slave of vk-${primary}`));
    await cluster.until(async () => expect(await valkey.roles(pods)).toEqual(roles), 40_000);
    for (let n = 0; n < pods; n++)
      await cluster.until(async () => expect(await valkey.checksum(`vk-${n}.vk-pods`)).toBe(rows), 10_000);
    expect(await valkey.checksum()).toBe(rows);
  };
  const remove = (name: string) =>
    cluster.api.delete({ ...PODS, namespace: 'default', name }, { gracePeriodSeconds: 0 });

  beforeAll(async () => {
    cluster = await startRealCluster();
    valkey = new Valkey(cluster);
    const parameters = ['-p', 'REPLICAS=2', '-p', 'PASSWORD=first-password', '-p', 'BACKUP_RETENTION=2'];
    await cluster.bravo('install', 'operators/valkey/1.0.0', '--instance', 'vk', ...parameters, '--wait');
    await cluster.client('client', IMAGE);
    await valkey.writeRows();
    rows = await valkey.checksum();
  });
  afterAll(() => cluster?.stop());

  it('is on all three servers, also after the primary was killed', async () => {
    await expectRowsOn(3, 0);
    const before = await cluster.podReady('vk-0');
    await remove('vk-0');
    await cluster.podReady('vk-0', before.metadata.uid);
    expect(await valkey.log('vk-0')).toContain('This server is the primary since term');
    await expectRowsOn(3, 0);
  });

  it('comes back from a replica when the volume of the primary was lost, and no replica loses it', async () => {
    const before = await cluster.podReady('vk-0');
    await cluster.api.delete({ ...CLAIMS, namespace: 'default', name: 'data-vk-0' });
    await cluster.api.delete({ ...PODS, namespace: 'default', name: 'vk-0' });
    await cluster.podReady('vk-0', before.metadata.uid);
    await expectRowsOn(3, 0);
    expect(await valkey.log('vk-0')).toContain('The volume is empty: this server gets its data from pod vk-');
  });

  it('is backed up in a backup that says its name and size, and that can be loaded', async () => {
    const name = await valkey.backUp();
    expect(JSON.parse((await valkey.messages('backup')).trim())).toEqual({
      outputs: [
        {
          type: 'backup',
          name,
          size: expect.any(Number),
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+Z$/),
        },
      ],
    });
    await valkey.plan('verify');
    expect(await valkey.messages('verify')).toContain(
      `Backup ${name} can be restored: a server has loaded its 10000 keys.`,
    );
  });

  it('survives restores from a missing, a truncated and a foreign backup, which are refused', async () => {
    const [, name = ''] = /Backup (valkey-\w+) can/.exec(await valkey.messages('verify')) ?? [];
    await writeBadBackups(cluster, name);
    const before = await cluster.api.get(STATEFUL_SET);
    for (const [backup, why] of [
      ['valkey-20200101T000000Z', `does not exist, or is not complete. The backups are: valkey-20190101T000000Z`],
      ['valkey-20190101T000000Z', 'these files are missing or changed: ./dump.rdb'],
      ['valkey-20190102T000000Z', 'it is a backup of postgres, not of valkey'],
      ['valkey-20190103T000000Z', 'it is a backup of instance default/shop. The data was not changed.'],
      ['lost+found', '"lost+found" is not the name of a backup'],
    ] as const) {
      await expect(valkey.set(`RESTORE_FROM=${backup}`)).rejects.toThrow('restore.load.load');
      expect(await valkey.messages('load')).toContain(why);
    }
    expect((await cluster.api.get(STATEFUL_SET))?.metadata.uid).toBe(before?.metadata.uid);
    await expectRowsOn(3, 0);
  });

  it('comes back with a restore in which the controller is killed in each step, and what was replaced stays beside', async () => {
    await valkey.client(['FLUSHALL']);
    await valkey.client(['SET', 'written', 'after the backup']);
    const killed = await valkey.killInEachStep('restore', valkey.set('RESTORE_FROM=latest'));
    expect(killed).toEqual(
      expect.arrayContaining(['load.load', 'exchange.stop', 'exchange.exchange', 'servers.start']),
    );
    await expectRowsOn(3, 0);
    expect(await valkey.client(['EXISTS', 'written'])).toBe('0');
    expect(await valkey.sh('vk-0', 'ls -d /data/replaced-*/appendonlydir')).toMatch(/^\/data\/replaced-/);
  });

  it('has every write that was confirmed after a switchover, which takes less than five seconds', async ({
    annotate,
  }) => {
    const measure = await valkey.writeThroughout();
    await valkey.set('PRIMARY=1');
    const { longestGapMs, lost } = await measure();
    await annotate(`switchover: no confirmed write for ${longestGapMs} ms`);
    expect(lost).toBe(0);
    expect(longestGapMs).toBeLessThan(5_000);
    await expectRowsOn(3, 1);
  });

  it('is the same after a switchover in which the controller is killed in each step', async () => {
    await valkey.killInEachStep('switchover', valkey.set('PRIMARY=2'));
    await expectRowsOn(3, 2);
  });

  it('stays on a primary that does not answer: switchover refuses, failover fences it and keeps what it had', async () => {
    await valkey.inside('vk-2', 'ACL', 'SETUSER', 'operator', 'off');
    await valkey.inside('vk-2', 'CLIENT', 'KILL', 'USER', 'operator');
    await expect(valkey.set('PRIMARY=0')).rejects.toThrow('switchover.check');
    expect(await valkey.messages('switch')).toContain('Start plan failover to make vk-0 the primary');
    await valkey.client(['SET', 'lost', 'only here']);
    await valkey.plan('failover');
    await expectRowsOn(3, 0);
    expect(await valkey.client(['EXISTS', 'lost'])).toBe('0');
    expect(await valkey.sh('vk-2', 'ls /data')).toMatch(/replaced-\d+\.rdb/);
    await valkey.inside('vk-2', 'ACL', 'SETUSER', 'operator', 'on');
  });

  it('is not lost with a replica that is removed, and a primary is not removed', async () => {
    await valkey.set('REPLICAS=1');
    await expectRowsOn(2, 0);
    await valkey.set('PRIMARY=1');
    await expect(valkey.set('REPLICAS=0')).rejects.toThrow('resize.check');
    expect(await valkey.messages('resize')).toContain(
      'Pod vk-1 is the primary, and with REPLICAS=0 it would be removed.',
    );
    await valkey.set('REPLICAS=1');
    await expectRowsOn(2, 1);
  });

  it('is behind another password after a rotation: the former one is refused at once by every server', async () => {
    await valkey.set('PASSWORD=second-password');
    for (const pod of ['vk-0', 'vk-1']) {
      const login = (password: string) =>
        cluster.exec('client', 'env', `REDISCLI_AUTH=${password}`, 'valkey-cli', '-h', `${pod}.vk-pods`, 'PING');
      expect(await login('second-password')).toBe('PONG\n');
      expect(await login('first-password').catch(String)).toContain('NOAUTH');
    }
    await expectRowsOn(2, 1);
  });

  it('survives an upgrade, which makes a backup first, with clients that write', async ({ annotate }) => {
    const measure = await valkey.writeThroughout();
    await cluster.bravo('upgrade', 'operators/valkey/1.1.0', '--instance', 'vk', '--wait');
    const { longestGapMs, lost } = await measure();
    await annotate(`upgrade: no confirmed write for ${longestGapMs} ms`);
    expect(await valkey.messages('backup')).toContain('"type":"backup"');
    expect(lost).toBe(0);
    expect(longestGapMs).toBeLessThan(30_000);
    await expectRowsOn(2, 1);
  });
});

/** Puts folders that are no backups of this instance beside the real one. */
async function writeBadBackups(cluster: RealCluster, name: string): Promise<void> {
  const script = `cd /backups
    cp -r ${name} valkey-20190101T000000Z && truncate -s -100 valkey-20190101T000000Z/dump.rdb
    cp -r ${name} valkey-20190102T000000Z && sed -i 's/^# operator: valkey/# operator: postgres/' valkey-20190102T000000Z/manifest.txt
    cp -r ${name} valkey-20190103T000000Z && sed -i 's#^. instance: .*#\\# instance: default/shop#' valkey-20190103T000000Z/manifest.txt
    trap 'exit 0' TERM; sleep 1000 & wait`;
  const container = {
    name: 'client',
    image: IMAGE,
    command: ['bash', '-c', script],
    volumeMounts: [{ name: 'backups', mountPath: '/backups' }],
  };
  const spec = {
    terminationGracePeriodSeconds: 1,
    securityContext: { runAsUser: 999, runAsGroup: 999, fsGroup: 999 },
    containers: [container],
    volumes: [{ name: 'backups', persistentVolumeClaim: { claimName: 'vk-backups' } }],
  };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'vandal' }, spec };
  await cluster.api.create({ ...PODS, namespace: 'default' }, pod);
  await cluster.podReady('vandal');
  await cluster.until(() => cluster.exec('vandal', 'test', '-f', '/backups/valkey-20190103T000000Z/manifest.txt'));
}
