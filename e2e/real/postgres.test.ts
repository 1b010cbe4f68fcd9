import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { Instance } from '@/lib/kudo/types';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { PODS, SECRETS } from '@/test/node/resources';

/** The bundled operator with a real server on a real volume. */
describe('postgres', () => {
  let cluster: RealCluster;
  const sql = (text: string) => cluster.exec('pg-0', 'psql', '-U', 'postgres', '-d', 'app', '-Atc', text);

  beforeAll(async () => {
    cluster = await startRealCluster();
    await cluster.bravo('install', 'operators/postgres/1.1.0', '--instance', 'pg', '--wait');
  });
  afterAll(() => cluster?.stop());

  it('answers queries', async () => {
    await sql('CREATE TABLE numbers AS SELECT generate_series(1, 10000) AS number');
    expect(await sql('SELECT count(*), sum(number) FROM numbers')).toBe('10000|50005000\n');
  });

  it('says how many connections are in use', async () => {
    await cluster.until(async () => {
      const found = (await cluster.api.get({ ...INSTANCES, namespace: 'default', name: 'pg' })) as Instance;
      expect(found.status?.healthChecks).toMatchObject([{ status: 'Passing', message: '1 of 100 connections in use' }]);
    });
  });

  it('lets a client in over its Service with the password of the Secret, and no other one', async () => {
    await cluster.client('client', 'postgres:17');
    const secret = await cluster.api.get({ ...SECRETS, namespace: 'default', name: 'pg-credentials' });
    const password = Buffer.from(stringAt(secret, 'data', 'password') ?? '', 'base64').toString('utf8');
    const query = (word: string) =>
      cluster.exec('client', 'psql', `postgresql://postgres:${word}@pg/app`, '-Atc', 'SELECT count(*) FROM numbers');
    expect(await query(password)).toBe('10000\n');
    await expect(query('wrong')).rejects.toThrow('password authentication failed');
  });

  it('a server that is deleted comes back with its data', async () => {
    const before = await cluster.podReady('pg-0');
    await cluster.api.delete({ ...PODS, namespace: 'default', name: 'pg-0' });
    await cluster.podReady('pg-0', before.metadata.uid);
    expect(await sql('SELECT count(*), sum(number) FROM numbers')).toBe('10000|50005000\n');
  });

  it('a server whose process is killed is started again with its data', async () => {
    await cluster.exec('pg-0', 'sh', '-c', 'kill -QUIT 1');
    await cluster.until(async () => expect(await cluster.log('pg-0')).toContain('database system was interrupted'));
    await cluster.podReady('pg-0');
    expect(await cluster.until(() => sql('SELECT count(*) FROM numbers'))).toBe('10000\n');
    const pod = await cluster.podReady('pg-0');
    expect(pod.status).toMatchObject({ containerStatuses: [{ restartCount: 1 }] });
  });
});
