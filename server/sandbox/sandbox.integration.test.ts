import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiException, CoreV1Api, CustomObjectsApi, KubeConfig, Watch } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { systemRandom } from '@/lib/random/random';
import { type Sandbox, startSandbox } from './sandbox';

const run = promisify(execFile);
const kubectlThere = spawnSync('kubectl', ['version', '--client']).status === 0;
if (!kubectlThere) console.warn('kubectl is not on the PATH: the tests that drive the sandbox with it are left out.');

let folder = '';
let sandbox: Sandbox;

function options(dataDir: string): Parameters<typeof startSandbox>[0] {
  return {
    port: 0,
    dataDir,
    kubeconfigPath: join(folder, 'kubeconfig'),
    mode: 'full',
    podDelayMs: 0,
    clock: systemClock,
    random: systemRandom,
  };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bravo-sandbox-'));
  sandbox = await startSandbox(options(join(folder, 'data')));
});

afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function kubectl(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(
    'kubectl',
    ['--kubeconfig', join(folder, 'kubeconfig'), '--cache-dir', join(folder, 'cache'), ...args],
    { timeout: 60_000 },
  );
  return stdout;
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shelves.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: shelves, singular: shelf, kind: Shelf, shortNames: [sh]}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            description: What the shelf is like.
            properties: {size: {type: integer, minimum: 1, default: 3}}
`;

const POD = `apiVersion: v1
kind: Pod
metadata: {name: talker}
spec:
  containers:
  - {name: main, image: example/talker:1, command: [sh, -c, "echo hello from the pod; sleep 3600"]}
`;

describe.skipIf(!kubectlThere)('kubectl', () => {
  it('applies, lists, explains, patches and deletes custom resources', async () => {
    expect(await kubectl('apply', '-f', file('crd.yaml', CRD))).toContain('shelves.example.com created');
    await kubectl('wait', '--for=condition=Established', 'crd/shelves.example.com', '--timeout=20s');
    const shelf = file('shelf.yaml', 'apiVersion: example.com/v1\nkind: Shelf\nmetadata: {name: a}\nspec: {}\n');
    expect(await kubectl('apply', '-f', shelf)).toContain('shelf.example.com/a created');
    expect(await kubectl('apply', '-f', shelf)).toContain('unchanged');
    const larger = file(
      'shelf.yaml',
      'apiVersion: example.com/v1\nkind: Shelf\nmetadata: {name: a}\nspec: {size: 5}\n',
    );
    expect(await kubectl('apply', '-f', larger)).toContain('configured');
    expect(await kubectl('get', 'shelf', 'a', '-o', 'jsonpath={.spec.size}')).toBe('5');
    await kubectl(
      'apply',
      '-f',
      file('shelf.yaml', 'apiVersion: example.com/v1\nkind: Shelf\nmetadata: {name: a}\nspec: {}\n'),
    );
    expect(await kubectl('get', 'sh')).toMatch(/NAME +SIZE\s+a +3/);
    expect(await kubectl('explain', 'shelf.spec')).toContain('What the shelf is like.');
    await expect(kubectl('patch', 'shelf', 'a', '--type=merge', '-p', '{"spec":{"size":0}}')).rejects.toThrow(
      /should be greater than or equal to 1/,
    );
    expect(await kubectl('get', 'crd', '-o', 'name')).toContain('shelves.example.com');
    expect(await kubectl('delete', 'crd', 'shelves.example.com')).toContain('deleted');
    await expect(kubectl('get', 'shelves')).rejects.toThrow(
      /could not find the requested resource|have a resource type/,
    );
  });

  it('runs a pod and reads its log, describes it and runs commands in it', async () => {
    await kubectl('apply', '-f', file('pod.yaml', POD));
    await kubectl('wait', '--for=condition=Ready', 'pod/talker', '--timeout=20s');
    expect(await kubectl('get', 'pods')).toMatch(/talker +1\/1 +Running/);
    expect(await kubectl('logs', 'talker')).toContain('hello from the pod');
    expect(await kubectl('describe', 'pod', 'talker')).toMatch(/Image: +example\/talker:1/);
    expect(await kubectl('exec', 'talker', '--', 'sh', '-c', 'echo one > /tmp/x; cat /tmp/x')).toBe('one\n');
    await expect(kubectl('exec', 'talker', '--', 'sh', '-c', 'exit 3')).rejects.toMatchObject({ code: 3 });
    await kubectl('delete', 'pod', 'talker', '--now');
  });

  it('makes typed objects, scales and rolls out', async () => {
    await kubectl('create', 'deployment', 'web', '--image=example/web:1', '--replicas=2');
    await kubectl('rollout', 'status', 'deployment/web', '--timeout=30s');
    await kubectl('scale', 'deployment', 'web', '--replicas=3');
    await kubectl('rollout', 'status', 'deployment/web', '--timeout=30s');
    expect(await kubectl('get', 'deployment', 'web')).toMatch(/web +3\/3/);
    expect(await kubectl('auth', 'can-i', 'delete', 'pods')).toBe('yes\n');
    await kubectl('delete', 'deployment', 'web');
  });

  it('watches', async () => {
    const watching = kubectl('get', 'configmap', 'seen', '-w', '--request-timeout=4s', '-o', 'name').catch(
      (error: { stdout: string }) => error.stdout,
    );
    await kubectl('create', 'configmap', 'seen', '--from-literal=a=b');
    await kubectl('get', 'configmap', 'seen');
    const waiting = kubectl('wait', '--for=delete', 'configmap/seen', '--timeout=20s');
    await kubectl('delete', 'configmap', 'seen');
    await waiting;
    await watching;
  });
});

describe('@kubernetes/client-node', () => {
  function config(): KubeConfig {
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromString(sandbox.kubeconfig);
    return kubeConfig;
  }

  it('creates, reads, lists, watches and deletes', async () => {
    const core = config().makeApiClient(CoreV1Api);
    const before = await core.listNamespacedConfigMap({ namespace: 'default' });
    const seen: string[] = [];
    let done: () => void = () => {};
    const deleted = new Promise<void>((resolve) => {
      done = resolve;
    });
    const watch = await new Watch(config()).watch(
      '/api/v1/namespaces/default/configmaps',
      { resourceVersion: before.metadata?.resourceVersion },
      (type: string) => {
        seen.push(type);
        if (type === 'DELETED') done();
      },
      () => {},
    );
    await core.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'c' }, data: { a: 'b' } } });
    const read = await core.readNamespacedConfigMap({ namespace: 'default', name: 'c' });
    expect(read.data).toEqual({ a: 'b' });
    await core.deleteNamespacedConfigMap({ namespace: 'default', name: 'c' });
    await deleted;
    watch.abort();
    expect(seen).toEqual(['ADDED', 'DELETED']);
  });

  it('gets 404 as a Status', async () => {
    const custom = config().makeApiClient(CustomObjectsApi);
    const missing = custom.getNamespacedCustomObject({
      group: 'none.example.com',
      version: 'v1',
      namespace: 'default',
      plural: 'things',
      name: 'x',
    });
    await expect(missing).rejects.toBeInstanceOf(ApiException);
  });
});

describe('the data folder', () => {
  it('is for one sandbox at a time', async () => {
    await expect(startSandbox(options(join(folder, 'data')))).rejects.toThrow(/in use by another Bravo process/);
  });

  it('says in one sentence that a folder or the kubeconfig cannot be written, and ends', async () => {
    const taken = file('taken', '');
    await expect(startSandbox(options(taken))).rejects.toThrow(`The data folder ${taken} cannot be written: E`);
    const kubeconfigPath = join(taken, 'kubeconfig');
    const free = join(folder, 'free');
    const failed = startSandbox({ ...options(free), kubeconfigPath });
    await expect(failed).rejects.toThrow(`The kubeconfig ${kubeconfigPath} cannot be written: `);
    const again = await startSandbox({ ...options(free), kubeconfigPath: undefined });
    await again.stop();
  });

  it('keeps secrets to its owner', () => {
    for (const name of ['kubeconfig', 'data/ca.json', 'data/admin.json', 'data/service-accounts.json']) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
  });

  it('brings everything back after a restart, with the same authority and later revisions', async () => {
    const data = join(folder, 'again');
    const first = await startSandbox({ ...options(data), kubeconfigPath: undefined, mode: 'no-controllers' });
    const scope = { group: '', version: 'v1', resource: 'configmaps', namespace: 'default' };
    const made = first.api.create(scope, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' } });
    await first.stop();
    const second = await startSandbox({ ...options(data), kubeconfigPath: undefined, mode: 'no-controllers' });
    const kept = second.api.get({ ...scope, name: 'kept' });
    const later = second.api.create(scope, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'later' } });
    await second.stop();
    expect(kept?.metadata.uid).toBe(made.metadata.uid);
    expect(second.caPem).toBe(first.caPem);
    expect(Number(later.metadata.resourceVersion)).toBeGreaterThan(Number(made.metadata.resourceVersion));
  });

  it('is written to before an answer is given: the kubeconfig names the very server', () => {
    expect(readFileSync(join(folder, 'kubeconfig'), 'utf8')).toContain(sandbox.url);
  });
});

describe('stopping', () => {
  it('ends open watches within a second', async () => {
    const other = await startSandbox({
      ...options(join(folder, 'short')),
      kubeconfigPath: undefined,
      mode: 'no-controllers',
    });
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromString(other.kubeconfig);
    let ended: () => void = () => {};
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    await new Watch(kubeConfig).watch(
      '/api/v1/configmaps',
      {},
      () => {},
      () => ended(),
    );
    const start = performance.now();
    await other.stop();
    await end;
    expect(performance.now() - start).toBeLessThan(1000);
  });
});
