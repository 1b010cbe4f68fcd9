import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, eventually, getInstance, startEngine } from '@/test/engine/https-engine';
import { pondWithKinds } from '@/test/operators/own-kinds-package';
import { runBravo } from '@/test/programs/run-bravo';

const run = promisify(execFile);
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const NAME = 'example-etcd-cluster';

/** Resources with the fields of etcd-operator's examples. */
const CLUSTER = `apiVersion: "etcd.database.coreos.com/v1beta2"
kind: "EtcdCluster"
metadata: {name: "${NAME}"}
spec: {size: 3, version: "3.2.13"}
`;
const TLS_CLUSTER = `apiVersion: "etcd.database.coreos.com/v1beta2"
kind: "EtcdCluster"
metadata: {name: "example"}
spec:
  size: 3
  TLS: {static: {member: {peerSecret: etcd-peer-tls, serverSecret: etcd-server-tls}, operatorSecret: etcd-client-tls}}
  pod: {nodeSelector: {kubernetes.io/os: linux}, resources: {requests: {cpu: 200m}, limits: {memory: 512Mi}}, labels: {team: a}}
`;
const backup = (name: string, spec: string) => `apiVersion: "etcd.database.coreos.com/v1beta2"
kind: "EtcdBackup"
metadata: {name: "${name}"}
spec: {etcdEndpoints: ["http://${NAME}-client:2379"], ${spec}}
`;
const RESTORE = `apiVersion: "etcd.database.coreos.com/v1beta2"
kind: "EtcdRestore"
metadata: {name: "${NAME}"}
spec: {etcdCluster: {name: "${NAME}"}, backupStorageType: S3, s3: {path: mybucket/etcd.backup, awsSecret: aws}}
`;

/** An older version of the kind Pond, without `colour`. */
const OLDER = `  - name: v1beta2
    served: true
    storage: false
    schema: {spec: {size: integer | default=2 minimum=1 maximum=9}}
    printerColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
`;

/** Writes the package `pond`, whose kind Pond is served in two versions; v1 is stored. */
async function writePondPackage(folder: string): Promise<void> {
  for (const [path, text] of pondWithKinds().files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    const first = '  versions:\n  - name: v1\n    schema:';
    await writeFile(file, text.replace(first, `  versions:\n${OLDER}  - name: v1\n    storage: true\n    schema:`));
  }
}

describe.skipIf(!hasKubectl)('the kinds of etcd-operator by kubectl alone', () => {
  let engine: Engine;
  let folder = '';
  let kubeconfig = '';

  beforeAll(async () => {
    engine = await startEngine();
    folder = await mkdtemp(join(tmpdir(), 'bravo-own-kinds-'));
    kubeconfig = join(folder, 'config');
    await writeFile(kubeconfig, engine.sandbox.kubeconfig);
  });
  afterAll(async () => {
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const kubectl = async (...words: string[]) => {
    const { stdout, stderr } = await run('kubectl', ['--kubeconfig', kubeconfig, '-n', 'default', ...words]);
    return `${stdout}${stderr}`;
  };
  const apply = async (text: string) => {
    const file = join(folder, 'object.yaml');
    await writeFile(file, text);
    return kubectl('apply', '-f', file);
  };
  const waitFor = (kind: string, name: string, path: string, value: string) =>
    kubectl('wait', kind, name, `--for=jsonpath={${path}}=${value}`, '--timeout=60s').catch(async (error: unknown) => {
      throw new Error(`${String(error)}: ${await field(kind, name, '.status')}`);
    });
  const field = (kind: string, name: string, path: string) => kubectl('get', kind, name, '-o', `jsonpath={${path}}`);
  const reason = (kind: string, name: string, type: string, wanted: string) =>
    eventually(`${kind} ${name} has ${type} with reason ${wanted}`, async () => {
      const found = await field(kind, name, `.status.conditions[?(@.type=="${type}")]`);
      return found.includes(`"reason":"${wanted}"`) ? found : undefined;
    });

  it('bravo install brings the kinds, and kubectl explains them', async () => {
    const { out, err, code } = await runBravo(
      'install',
      'etcd',
      '--skip-instance',
      '--kubeconfig',
      kubeconfig,
      '-n',
      'default',
    );
    expect([err, code]).toEqual(['', 0]);
    expect(out).toContain('customresourcedefinition etcdclusters.etcd.database.coreos.com created');
    expect(await kubectl('explain', 'etcdcluster.spec.size')).toContain('How many members the cluster has.');
  });

  it('a cluster is created, shown, scaled and moved to another version', async () => {
    await apply(CLUSTER);
    await kubectl('wait', 'etcdcluster', NAME, '--for=condition=Ready', '--timeout=60s');
    await waitFor('etcdcluster', NAME, '.status.size', '3');
    const shown = await kubectl('get', 'etcdclusters');
    expect(shown).toMatch(/NAME +SIZE +READY +VERSION +PHASE +AGE\n/);
    expect(shown).toMatch(/example-etcd-cluster +3 +3 +3\.5\.21 +Running +/);
    expect(await reason('etcdcluster', NAME, 'Compatible', 'VersionNotSupported')).toContain(
      'etcd 3.2.13 is not supported',
    );

    await kubectl('scale', 'etcdcluster', NAME, '--replicas=5');
    await waitFor('etcdcluster', NAME, '.status.size', '5');
    await expect(kubectl('scale', 'etcdcluster', NAME, '--replicas=4')).rejects.toThrow(
      'supported values: "1", "3", "5", "7"',
    );

    await kubectl('patch', 'etcdcluster', NAME, '--type=merge', '-p', '{"spec":{"version":"v3.5.16"}}');
    await waitFor('etcdcluster', NAME, '.status.currentVersion', '3.5.16');
    await waitFor('etcdcluster', NAME, '.status.phase', 'Running');
    expect(await field('statefulset', NAME, '.spec.template.spec.containers[0].image')).toBe(
      'gcr.io/etcd-development/etcd:v3.5.16',
    );
    const instance = await getInstance(engine.api, 'default', NAME);
    expect(instance?.status?.planStatus?.upgrade?.status).toBe('COMPLETE');
    expect((await kubectl('get', 'etcdclusters', '-o', 'name')).trim()).toBe(
      `etcdcluster.etcd.database.coreos.com/${NAME}`,
    );
  });

  it('TLS and the pod of a cluster become parameters, and what has no counterpart is said', async () => {
    await apply(TLS_CLUSTER);
    await reason('etcdcluster', 'example', 'Compatible', 'OtherCertificates');
    await kubectl('wait', 'etcdcluster', 'example', '--for=condition=Ready', '--timeout=60s');
    const { parameters } = (await getInstance(engine.api, 'default', 'example'))?.spec ?? {};
    expect(parameters).toMatchObject({
      tls: 'generated',
      cpu: '0.2',
      memory: '512Mi',
      node_labels: 'kubernetes.io/os: linux\n',
    });
    await kubectl('delete', 'etcdcluster', 'example', '--timeout=60s');
    expect(await getInstance(engine.api, 'default', 'example')).toBeUndefined();
  });

  it('a backup is one run; storage that the cluster does not have is refused with the way out', async () => {
    await apply(backup('in-s3', 'storageType: S3, s3: {path: mybucket/etcd.backup, awsSecret: aws}'));
    expect(await reason('etcdbackup', 'in-s3', 'Complete', 'StorageNotConfigured')).toContain(
      `s3_secret of Instance ${NAME}`,
    );
    await apply(backup('in-gcs', 'storageType: GCS, gcs: {path: mybucket/etcd.backup}'));
    await reason('etcdbackup', 'in-gcs', 'Complete', 'StorageNotSupported');
    await apply(backup('on-volume', 'storageType: Volume'));
    await waitFor('etcdbackup', 'on-volume', '.status.succeeded', 'true');
    expect(await kubectl('get', 'etcdbackups', 'on-volume')).toMatch(
      /on-volume +example-etcd-cluster +Completed +example-etcd-cluster-backup-/,
    );
  });

  it('a restore names one of the backups, and has the name of the cluster', async () => {
    await apply(RESTORE);
    await reason('etcdrestore', NAME, 'Complete', 'StorageNotConfigured');
    const saved = await field('etcdbackup', 'on-volume', '.status.backup');
    expect(saved).toMatch(/^etcd-\d{8}T\d{6}Z$/);
    const spec = { backupStorageType: 'Volume', backup: saved };
    await kubectl('patch', 'etcdrestore', NAME, '--type=merge', '-p', JSON.stringify({ spec }));
    await waitFor('etcdrestore', NAME, '.status.succeeded', 'true');
    const { parameters } = (await getInstance(engine.api, 'default', NAME))?.spec ?? {};
    expect(parameters?.restore_from).toBe(saved);
  });

  it('a backup that waits for its storage runs when the cluster has it', async () => {
    await kubectl('create', 'secret', 'generic', 'aws', '--from-literal=access-key=a', '--from-literal=secret-key=b');
    const parameters = {
      backup_target: 's3',
      s3_bucket: 'mybucket',
      s3_endpoint: 'https://s3.example.com',
      s3_secret: 'aws',
    };
    await kubectl('patch', 'instances.kudo.dev', NAME, '--type=merge', '-p', JSON.stringify({ spec: { parameters } }));
    await waitFor('etcdbackup', 'in-s3', '.status.succeeded', 'true');
  });

  it('the deletion of a cluster runs the cleanup of its Instance and keeps its backups', async () => {
    await kubectl('delete', 'etcdcluster', NAME, '--timeout=60s');
    expect(await getInstance(engine.api, 'default', NAME)).toBeUndefined();
    expect(await kubectl('get', 'persistentvolumeclaims', '-o', 'name')).toBe(
      `persistentvolumeclaim/example-backups\npersistentvolumeclaim/${NAME}-backups\n`,
    );
    expect(await kubectl('get', 'etcdbackups', '-o', 'name')).toContain(
      'etcdbackup.etcd.database.coreos.com/on-volume',
    );
  });

  it('a kind in two versions is written in the older one and read in the newer one, and the other way round', async () => {
    const place = join(folder, 'pond');
    await writePondPackage(place);
    const install = ['install', place, '--skip-instance', '--kubeconfig', kubeconfig, '-n', 'default'];
    expect((await runBravo(...install)).code).toBe(0);
    const pond = (version: string, path: string) => field(`ponds.${version}.pond.example.com`, 'a', path);
    const older = (spec: string) =>
      apply(`apiVersion: pond.example.com/v1beta2\nkind: Pond\nmetadata: {name: a}\nspec: ${spec}\n`);
    await expect(older('{size: 3, colour: red}')).rejects.toThrow('unknown field "spec.colour"');
    await older('{size: 3}');
    await kubectl('wait', 'ponds.v1.pond.example.com', 'a', '--for=condition=Ready', '--timeout=60s');
    expect(await pond('v1', '.apiVersion} {.spec} {.status.fish')).toBe('pond.example.com/v1 {"size":3} 3');
    expect(await kubectl('get', 'ponds.v1beta2.pond.example.com')).toMatch(/^NAME +SIZE\na +3\n/);
    expect(await kubectl('get', 'ponds.v1.pond.example.com')).toMatch(/^NAME +FISH +PHASE\na +3 +Running\n/);

    await kubectl('patch', 'ponds.v1.pond.example.com', 'a', '--type=merge', '-p', '{"spec":{"colour":"red"}}');
    expect(await pond('v1beta2', '.apiVersion} {.spec')).toBe('pond.example.com/v1beta2 {"size":3}');
    await eventually('the Instance has the colour of v1', async () => {
      const { parameters } = (await getInstance(engine.api, 'default', 'a'))?.spec ?? {};
      return parameters?.COLOUR === 'red';
    });
    await older('{size: 4}');
    await waitFor('ponds.v1.pond.example.com', 'a', '.status.fish', '4');
    expect(await pond('v1', '.spec')).toBe('{"size":4}');
  });
});
