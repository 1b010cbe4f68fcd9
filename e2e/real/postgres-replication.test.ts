import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayAt, stringAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { killInEachStep } from '@/test/node/kill-in-each-step';
import { MAX_PAUSE_MS } from '@/test/node/pause-bound';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { CLAIMS, PODS } from '@/test/node/resources';
import { Writer } from './postgres-writer';

const CHECKSUM = "SELECT count(*), md5(string_agg(id || ':' || word, ',' ORDER BY id)) FROM words";

/** Primary and standbys, with real servers. */
describe('the members of postgres', () => {
  let cluster: RealCluster;
  let writer: Writer;
  let before = '';
  const figures: object[] = [];

  const sqlOn = (pod: number, text: string) =>
    cluster.exec(`pg-${pod}`, 'psql', '-U', 'postgres', '-d', 'app', '-v', 'ON_ERROR_STOP=1', '-qAtc', text);
  const update = (...parameters: readonly string[]) =>
    cluster.bravo('update', '--instance', 'pg', ...parameters.flatMap((each) => ['-p', each]), '--wait');
  const trigger = (plan: string) => cluster.bravo('plan', 'trigger', '--instance', 'pg', '--name', plan, '--wait');
  const roles = async (...pods: readonly number[]) => {
    const found = await Promise.all(pods.map((pod) => sqlOn(pod, 'SELECT pg_is_in_recovery()')));
    return found.map((each) => (each === 't\n' ? 'standby' : 'primary'));
  };
  /** Each of the pods has the 10,000 rows. */
  const haveRows = (...pods: readonly number[]) =>
    cluster.until(async () => {
      for (const pod of pods) expect(await sqlOn(pod, CHECKSUM)).toBe(before);
    });
  /** The message of the Job that refuses a plan. */
  const refused = async (plan: Promise<string>) => {
    await expect(plan).rejects.toThrow('exit code 42');
    const { items } = await cluster.api.list({ ...PODS, namespace: 'default' });
    const pod = items.find((each) => stringAt(each, 'metadata', 'labels', 'job-name') === 'pg-members');
    return stringAt(arrayAt(pod, 'status', 'containerStatuses')[0], 'state', 'terminated', 'message');
  };
  const instance = async () => await cluster.api.get({ ...INSTANCES, namespace: 'default', name: 'pg' });
  /** What the writer saw since the last reset, for the figures; no confirmed write may be lost. */
  const measure = async (event: string, primary: number) => {
    const seen = await writer.measure();
    expect(await writer.lost((text) => sqlOn(primary, text))).toEqual([]);
    figures.push({ event, ...seen });
    await writer.reset();
    return seen.longestPauseMs;
  };

  beforeAll(async () => {
    cluster = await startRealCluster();
    await cluster.bravo('install', 'operators/postgres/1.0.0', '--instance', 'pg', '-p', 'REPLICAS=1', '--wait');
    await sqlOn(0, 'CREATE TABLE words AS SELECT id, md5(id::text) AS word FROM generate_series(1, 10000) AS id');
    before = await sqlOn(0, CHECKSUM);
    writer = await Writer.start(cluster, 'pg');
  });
  afterAll(async () => {
    process.stdout.write(`figures of postgres: ${JSON.stringify(figures)}\n`);
    await cluster?.stop();
  });

  it('are a primary and a standby that has its data and refuses writes', async () => {
    await haveRows(1);
    expect(await roles(0, 1)).toEqual(['primary', 'standby']);
    await expect(sqlOn(1, 'DELETE FROM words')).rejects.toThrow('read-only transaction');
  });

  it('say how far the standby is behind the primary', async () => {
    await cluster.until(async () => {
      const checks = arrayAt(await instance(), 'status', 'healthChecks');
      const message = stringAt(checks[1], 'message');
      expect(message).toMatch(/^replication lag \d+ s, pg-0 is the primary$/);
    });
  });

  it('become three without a restart of the primary', async () => {
    const primary = await cluster.podReady('pg-0');
    await update('REPLICAS=2');
    await haveRows(1, 2);
    expect((await cluster.podReady('pg-0')).metadata.uid).toBe(primary.metadata.uid);
    expect(await sqlOn(0, "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'")).toBe('2\n');
    expect(await sqlOn(0, 'SELECT count(*) FROM pg_replication_slots WHERE active')).toBe('2\n');
  });

  it('come back when a volume of a standby is deleted', async () => {
    const standby = await cluster.podReady('pg-2');
    await cluster.api.delete({ ...CLAIMS, namespace: 'default', name: 'data-pg-2' });
    await cluster.api.delete({ ...PODS, namespace: 'default', name: 'pg-2' });
    await cluster.podReady('pg-2', standby.metadata.uid);
    await haveRows(2);
  });

  it('switch over within seconds, without losing a confirmed write', async () => {
    await writer.reset();
    await update('PRIMARY=1');
    expect(await roles(0, 1, 2)).toEqual(['standby', 'primary', 'standby']);
    expect(await measure('switchover', 1)).toBeLessThan(MAX_PAUSE_MS);
    await haveRows(0, 1, 2);
  });

  it('keep the primary when the wrong one is asked for', async () => {
    await cluster.api.delete({ ...PODS, namespace: 'default', name: 'pg-2' });
    expect(await refused(trigger('failover'))).toContain('pg-1 is the primary and answers');
    expect(await roles(1)).toEqual(['primary']);
    await cluster.podReady('pg-2');
  });

  it('fail over when the volume of the primary is lost, which never starts as an empty server', async () => {
    const primary = await cluster.podReady('pg-1');
    await cluster.api.delete({ ...CLAIMS, namespace: 'default', name: 'data-pg-1' });
    await cluster.api.delete({ ...PODS, namespace: 'default', name: 'pg-1' });
    await cluster.until(async () => {
      expect((await cluster.api.get({ ...PODS, namespace: 'default', name: 'pg-1' }))?.metadata.uid).not.toBe(
        primary.metadata.uid,
      );
      expect(await cluster.log('pg-1')).toContain('The data volume of primary pg-1 is empty');
    });
    expect(await refused(update('PRIMARY=2'))).toContain('no answer from pg-1');
    await trigger('failover');
    expect(await roles(0, 1, 2)).toEqual(['standby', 'standby', 'primary']);
    await haveRows(0, 1, 2);
    await measure('volume of the primary lost, until the end of failover', 2);
  });

  it('end the same when the controller is killed in each step of a switchover', async () => {
    await writer.reset();
    const steps = await killInEachStep(
      cluster,
      { instance: 'pg', plan: 'switchover' },
      ...['update', '-p', 'PRIMARY=0'],
    );
    expect(steps).toEqual(expect.arrayContaining(['check.check', 'switch.switch', 'members.settle']));
    expect(await roles(0, 1, 2)).toEqual(['primary', 'standby', 'standby']);
    await haveRows(0, 1, 2);
    await measure('switchover, controller killed in each step', 0);
  });

  it('come back when the pod of the primary is killed', async () => {
    await writer.reset();
    const primary = await cluster.podReady('pg-0');
    await cluster.api.delete({ ...PODS, namespace: 'default', name: 'pg-0' }, { gracePeriodSeconds: 0 });
    await cluster.podReady('pg-0', primary.metadata.uid);
    await haveRows(0, 1, 2);
    await measure('pod of the primary killed', 0);
  });

  it('are upgraded with their data, the primary last, when the controller is killed in each step', async () => {
    await writer.reset();
    const steps = await killInEachStep(
      cluster,
      { instance: 'pg', plan: 'upgrade' },
      ...['upgrade', 'operators/postgres/1.1.0'],
    );
    expect(steps).toEqual(
      expect.arrayContaining(['check.check', 'backup.backup', 'database.server', 'members.settle']),
    );
    expect(await roles(0, 1, 2)).toEqual(['primary', 'standby', 'standby']);
    await haveRows(0, 1, 2);
    expect(await measure('upgrade with its backup, controller killed in each step', 0)).toBeLessThan(15_000);
  });

  it('become one again', async () => {
    await update('REPLICAS=0');
    expect(stringAt(await instance(), 'status', 'planStatus', 'resize', 'status')).toBe('COMPLETE');
    await haveRows(0);
    expect(await sqlOn(0, 'SELECT count(*) FROM pg_replication_slots')).toBe('0\n');
  });
});
