import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { Instance } from '@/lib/kudo/types';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { PODS, SECRETS } from '@/test/node/resources';
import { startS3 } from './s3-server';

const ENDPOINT = 'http://s3:5000';

/** The bundled operator with one real server on a real volume, and encrypted backups in a real S3 server. */
describe('postgres', () => {
  let cluster: RealCluster;
  const sql = (text: string, database = 'app') =>
    cluster.exec('pg-0', 'psql', '-U', 'postgres', '-d', database, '-v', 'ON_ERROR_STOP=1', '-Atc', text);
  const plan = (name: string) => cluster.bravo('plan', 'trigger', '--name', name, '--instance', 'pg', '--wait');
  const secret = (name: string, stringData: { readonly [key: string]: string }) =>
    cluster.api.create(
      { ...SECRETS, namespace: 'default' },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData },
    );
  const keys = async () => {
    const list = `import boto3
for found in boto3.client('s3', endpoint_url='${ENDPOINT}').list_objects_v2(Bucket='backups').get('Contents', []): print(found['Key'])`;
    return (await cluster.exec('s3', 'python3', '-c', list)).trim().split('\n');
  };

  beforeAll(async () => {
    cluster = await startRealCluster();
    const [keyId, key] = await startS3(cluster);
    await secret('backup-s3', { 'access-key': keyId, 'secret-key': key });
    await secret('backup-key', { password: 'correct horse battery staple' });
    const target = ['BACKUP_TARGET=s3', `S3_ENDPOINT=${ENDPOINT}`, 'S3_BUCKET=backups', 'ENCRYPTION_SECRET=backup-key'];
    await cluster.bravo(
      ...['install', 'operators/postgres/1.1.0', '--instance', 'pg', '--wait'],
      ...target.flatMap((each) => ['-p', each]),
    );
    await sql('CREATE TABLE numbers AS SELECT generate_series(1, 10000) AS number');
  });
  afterAll(() => cluster?.stop());

  it('lets a client in over its Service with the password of the Secret, and no other one', async () => {
    await cluster.client('client', 'postgres:17');
    const found = await cluster.api.get({ ...SECRETS, namespace: 'default', name: 'pg-connection' });
    const uri = Buffer.from(stringAt(found, 'data', 'uri') ?? '', 'base64').toString('utf8');
    const query = (text: string) => cluster.exec('client', 'psql', text, '-Atc', 'SELECT count(*) FROM numbers');
    expect(await query(uri)).toBe('10000\n');
    await expect(query('postgresql://postgres:wrong@pg/app')).rejects.toThrow('password authentication failed');
  });

  it('says how many connections are in use, and who the primary is', async () => {
    await cluster.until(async () => {
      const found = (await cluster.api.get({ ...INSTANCES, namespace: 'default', name: 'pg' })) as Instance;
      expect(found.status?.healthChecks).toMatchObject([
        { status: 'Passing', message: '1 of 100 connections in use' },
        { status: 'Passing', message: 'pg-0 is the primary' },
      ]);
    });
  });

  it('backs up into S3 encrypted, verifies the backup in a server of its own, and restores it', async () => {
    await plan('backup');
    const [, name = ''] = /"type":"backup","name":"([^"]+)"/.exec(await cluster.jobMessage('postgres-backup')) ?? [];
    expect(await keys()).toEqual(
      ['1.dump', '2.dump', 'manifest', 'manifest.txt', 'roles.sql'].map((file) => `default/pg/${name}/${file}.bin`),
    );
    await plan('verify');
    expect(JSON.parse(await cluster.jobMessage('postgres-verify'))).toEqual({
      outputs: [{ type: 'backup-verified', name, databases: 2, tables: 1, rows: 10000 }],
    });
    await sql('DROP DATABASE app WITH (FORCE)', 'template1');
    await plan('restore');
    expect(await sql('SELECT count(*), sum(number) FROM numbers')).toBe('10000|50005000\n');
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
