import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killInEachStep } from '@/test/node/kill-in-each-step';
import { MAX_PAUSE_MS } from '@/test/node/pause-bound';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { IMAGE, Valkey } from './valkey-fixture';
import { ValkeyWriter } from './valkey-writer';

const STATEFUL_SET = { group: 'apps', version: 'v1', resource: 'statefulsets', namespace: 'default', name: 'vk' };

/** What happens to the data of the bundled operator: with real servers, on volumes that have a `lost+found`. */
describe('the data of valkey', () => {
  let cluster: RealCluster;
  let valkey: Valkey;
  let writer: ValkeyWriter;
  let rows = '';

  const expectRowsOn = async (pods: number, primary: number) => {
    const roles = [...Array(pods).keys()].map((n) => (n === primary ? 'master' : `slave of vk-${primary}`));
    await cluster.until(async () => expect(await valkey.roles(pods)).toEqual(roles), 40_000);
    for (let n = 0; n < pods; n++)
      await cluster.until(async () => expect(await valkey.checksum(`vk-${n}.vk-pods`)).toBe(rows), 10_000);
    expect(await valkey.checksum()).toBe(rows);
  };
  const killing = (plan: string, ...words: readonly string[]) =>
    killInEachStep(cluster, { instance: 'vk', plan }, ...words);

  beforeAll(async () => {
    cluster = await startRealCluster();
    valkey = new Valkey(cluster);
    const parameters = ['-p', 'REPLICAS=2', '-p', 'PASSWORD=first-password', '-p', 'BACKUP_RETENTION=2'];
    await cluster.bravo('install', 'operators/valkey/1.0.0', '--instance', 'vk', ...parameters, '--wait');
    await cluster.client('client', IMAGE);
    await valkey.writeRows();
    rows = await valkey.checksum();
    writer = await ValkeyWriter.start(cluster, valkey);
  });
  afterAll(async () => {
    process.stdout.write(`figures of valkey: ${JSON.stringify(writer?.figures)}\n`);
    await cluster?.stop();
  });

  it('is on all three servers, which the health checks say', async () => {
    await expectRowsOn(3, 0);
    await cluster.until(async () =>
      expect(await cluster.health('vk')).toEqual([
        expect.stringMatching(/^Passing: 2 of 2 replicas are up to date, replication lag \d s$/),
        expect.stringMatching(/^Passing: .*\d of 153 MiB in use \(\d %\)/),
      ]),
    );
  });

  it('is there again when the primary was killed', async () => {
    await writer.during('primary killed', () => cluster.killPod('vk-0'));
    expect(await cluster.log('vk-0', 'valkey')).toContain('This server is the primary since term');
    await expectRowsOn(3, 0);
  });

  it('comes back from a replica when the volume of the primary was lost, and no replica loses it', async () => {
    await writer.during('volume of the primary lost', () => cluster.loseVolume('vk-0'));
    await expectRowsOn(3, 0);
    expect(await cluster.log('vk-0', 'valkey')).toContain(
      'The volume is empty: this server gets its data from pod vk-',
    );
  });

  it('is backed up though the controller is killed in each step, in a backup that can be loaded', async () => {
    const { longestMs } = await writer.during('backup', async () =>
      expect(await killing('backup', 'plan', 'trigger', '--name', 'backup')).toContain('backup.save'),
    );
    expect(longestMs).toBeLessThan(MAX_PAUSE_MS);
    const name = await valkey.lastBackup();
    expect(JSON.parse(await valkey.messages('backup'))).toEqual({
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
    // The rows, and the set of the client that writes.
    expect(await valkey.messages('verify')).toContain(
      `Backup ${name} can be restored: a server has loaded its 10001 keys.`,
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
    const killed = await killing('restore', 'update', '-p', 'RESTORE_FROM=latest', '--confirm', 'restore/vk');
    expect(killed).toEqual(
      expect.arrayContaining(['load.load', 'exchange.stop', 'exchange.exchange', 'servers.start']),
    );
    await expectRowsOn(3, 0);
    expect(await valkey.client(['EXISTS', 'written'])).toBe('0');
    expect(await valkey.sh('vk-0', 'ls -d /data/replaced-*/appendonlydir')).toMatch(/^\/data\/replaced-/);
  });

  it('has every confirmed write after a switchover, in which clients cannot write for seconds at most', async () => {
    const { longestMs, lost } = await writer.during('switchover', () => valkey.set('PRIMARY=1'));
    expect(lost).toBe(0);
    expect(longestMs).toBeLessThan(MAX_PAUSE_MS);
    await expectRowsOn(3, 1);
  });

  it('has every confirmed write after a switchover in which the controller is killed in each step', async () => {
    const { lost } = await writer.during('switchover, controller killed', async () => {
      const killed = await killing('switchover', 'update', '-p', 'PRIMARY=2');
      expect(killed).toEqual(expect.arrayContaining(['check.check', 'primary.switch', 'clients.settle']));
    });
    expect(lost).toBe(0);
    await expectRowsOn(3, 2);
  });

  it('stays on a primary that does not answer: switchover refuses, failover fences it and keeps what it had', async () => {
    await valkey.inside('vk-2', 'ACL', 'SETUSER', 'operator', 'off');
    await valkey.inside('vk-2', 'CLIENT', 'KILL', 'USER', 'operator');
    await expect(valkey.set('PRIMARY=0')).rejects.toThrow('switchover.check');
    expect(await valkey.messages('switch')).toContain('Start plan failover to make vk-0 the primary');
    expect(await valkey.sh('vk-0', 'sh /scripts/health.sh replication || echo "exit code $?"')).toBe(
      'no primary answers\nexit code 1',
    );
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

  it('has every confirmed write after an upgrade, which makes a backup first, with the controller killed in each step', async () => {
    const { lost, longestMs } = await writer.during('upgrade', async () => {
      const killed = await killing('upgrade', 'upgrade', 'operators/valkey/1.1.0');
      expect(killed).toEqual(expect.arrayContaining(['backup.save', 'servers.restart']));
    });
    expect(await valkey.messages('backup')).toContain('"type":"backup"');
    expect(lost).toBe(0);
    expect(longestMs).toBeLessThan(30_000);
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
  await cluster.startPod('vandal', {
    securityContext: { runAsUser: 999, runAsGroup: 999, fsGroup: 999 },
    containers: [container],
    volumes: [{ name: 'backups', persistentVolumeClaim: { claimName: 'vk-backups' } }],
  });
  await cluster.until(() => cluster.exec('vandal', 'test', '-f', '/backups/valkey-20190103T000000Z/manifest.txt'));
}
