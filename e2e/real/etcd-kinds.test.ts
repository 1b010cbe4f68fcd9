import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { SECRETS } from '@/test/node/resources';
import { temporaryFolder } from '@/test/programs/process';
import { Etcd } from './etcd-fixture';
import { startS3 } from './s3-server';

const run = promisify(execFile);
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const API = 'apiVersion: "etcd.database.coreos.com/v1beta2"';

/** Resources in the form of etcd-operator's examples. */
const CLUSTER = `${API}
kind: "EtcdCluster"
metadata: {name: "etcd"}
spec: {size: 3, version: "3.2.13"}
`;
const BACKUP = `${API}
kind: "EtcdBackup"
metadata: {name: example-etcd-cluster-backup}
spec: {etcdEndpoints: ["http://etcd-client:2379"], storageType: S3, s3: {path: backups/etcd.backup, awsSecret: aws}}
`;
const restore = (backup: string) => `${API}
kind: "EtcdRestore"
metadata: {name: etcd}
spec: {etcdCluster: {name: etcd}, backupStorageType: S3, s3: {path: backups/${backup}, awsSecret: aws}}
`;

describe.skipIf(!hasKubectl)('the kinds of etcd-operator by kubectl on a real node', () => {
  let cluster: RealCluster;
  let etcd: Etcd;
  let rows: string;
  let saved: string;

  const kubectl = async (...words: string[]) => {
    const { stdout, stderr } = await run('kubectl', ['--kubeconfig', cluster.kubeconfig, '-n', 'default', ...words]);
    return `${stdout}${stderr}`;
  };
  const apply = async (text: string) => {
    const file = join(temporaryFolder('kinds'), 'object.yaml');
    await writeFile(file, text);
    return kubectl('apply', '-f', file);
  };
  const waitFor = (name: string, condition: string) =>
    kubectl('wait', name, `--for=${condition}`, '--timeout=240s').catch(async (error: unknown) => {
      throw new Error(`${String(error)}: ${await kubectl('get', name, '-o', 'jsonpath={.status}')}`);
    });
  const field = (name: string, path: string) => kubectl('get', name, '-o', `jsonpath={${path}}`);
  const members = async () => {
    const lines = (await etcd.etcdctl('member list')).trim().split('\n');
    return lines.map((line) => `${line.split(', ')[2]} ${line.split(', ')[1]}`).sort();
  };
  const started = (size: number) => [...Array(size).keys()].map((n) => `etcd-${n} started`);

  beforeAll(async () => {
    cluster = await startRealCluster();
    etcd = new Etcd(cluster);
    const [keyId, key] = await startS3(cluster);
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aws' } };
    const stringData = { 'access-key': keyId, 'secret-key': key };
    await cluster.api.create({ ...SECRETS, namespace: 'default' }, { ...secret, stringData });
    await cluster.bravo('install', 'operators/etcd/1.2.0', '--skip-instance');
  });
  afterAll(() => cluster?.stop());

  it('a cluster of three members is created and shown in its columns', async () => {
    await apply(CLUSTER);
    await waitFor('etcdcluster/etcd', 'condition=Ready');
    await waitFor('etcdcluster/etcd', 'jsonpath={.status.size}=3');
    expect(await members()).toEqual(started(3));
    await etcd.writeRows(20);
    rows = await etcd.rows();
    expect(rows).toMatch(/^4000\n/);
    const shown = await kubectl('get', 'etcdclusters');
    expect(shown).toMatch(/^NAME +SIZE +READY +VERSION +PHASE +AGE\netcd +3 +3 +3\.5\.21 +Running +\d/);
  });

  it('it is backed up into its bucket, and comes back from there after its data was destroyed', async () => {
    const parameters = { backup_target: 's3', s3_bucket: 'backups', s3_endpoint: 'http://s3:5000', s3_secret: 'aws' };
    await kubectl(
      'patch',
      'instances.kudo.dev',
      'etcd',
      '--type=merge',
      '-p',
      JSON.stringify({ spec: { parameters } }),
    );
    await apply(BACKUP);
    await waitFor('etcdbackup/example-etcd-cluster-backup', 'jsonpath={.status.succeeded}=true');
    saved = await field('etcdbackup/example-etcd-cluster-backup', '.status.backup');
    expect(saved).toMatch(/^etcd-\d{8}T\d{6}Z$/);
    await etcd.deleteRows();
    await apply(restore(saved));
    await waitFor('etcdrestore/etcd', 'jsonpath={.status.succeeded}=true');
    expect(await etcd.rows()).toBe(rows);
    expect(await members()).toEqual(started(3));
  });

  it('it moves to another version member by member, and keeps its data', async () => {
    await kubectl('patch', 'etcdcluster', 'etcd', '--type=merge', '-p', '{"spec":{"version":"v3.5.16"}}');
    await waitFor('etcdcluster/etcd', 'jsonpath={.status.currentVersion}=3.5.16');
    await waitFor('etcdcluster/etcd', 'jsonpath={.status.phase}=Running');
    expect(await field('pod/etcd-2', '.spec.containers[0].image')).toBe('gcr.io/etcd-development/etcd:v3.5.16');
    expect(await etcd.rows()).toBe(rows);
  });

  it('it is scaled to five members, with its data on each', async () => {
    await kubectl('scale', 'etcdcluster', 'etcd', '--replicas=5');
    await waitFor('etcdcluster/etcd', 'jsonpath={.status.size}=5');
    await waitFor('etcdcluster/etcd', 'jsonpath={.status.phase}=Running');
    expect(await members()).toEqual(started(5));
    for (const n of [3, 4]) expect(await etcd.rows(`http://etcd-${n}.etcd-members:2379`)).toBe(rows);
  });

  it('its deletion takes the Instance and the members away, and leaves the backup', async () => {
    await kubectl('delete', 'etcdcluster', 'etcd', '--timeout=120s');
    expect(await cluster.api.get({ ...INSTANCES, namespace: 'default', name: 'etcd' })).toBeUndefined();
    await cluster.until(async () => expect(await cluster.pods('etcd')).toEqual([]));
    const list = "import boto3; s3 = boto3.client('s3', endpoint_url='http://s3:5000'); ";
    const keys = `${list}print([o['Key'] for o in s3.list_objects_v2(Bucket='backups')['Contents']])`;
    expect(await cluster.exec('s3', 'python3', '-c', keys)).toContain(saved);
  });
});
