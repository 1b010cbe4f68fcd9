import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import { createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { writePond } from '@/test/operators/pond-package';
import { runBravo } from '@/test/programs/run-bravo';
import { readLogSince } from './diagnostics/log-since';

const LABELS = { 'kudo.dev/operator': 'pond', 'kudo.dev/instance': 'one' };

describe('diagnostics', () => {
  let engine: Engine;
  let folder: string;
  const bravo = (...words: string[]) => runBravo(...words, '-n', 'lab', '--kubeconfig', join(folder, 'kubeconfig'));
  const collect = (name: string, ...words: string[]) =>
    bravo('diagnostics', 'collect', '--instance', 'one', '-O', join(folder, name), ...words);
  const files = async (name: string) => {
    const entries = await readdir(join(folder, name), { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return paths.map((path) => path.slice(join(folder, name).length + 1)).sort();
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-diag-'));
    engine = await startEngine();
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    await createNamespace(engine.api, 'lab');
    await writePond(join(folder, 'pond'), '0.1.0');
    await bravo('install', join(folder, 'pond'), '--instance', 'one', '-p', 'LEVEL=warn', '--wait');
    await engine.api.create(
      { group: '', version: 'v1', resource: 'pods', namespace: 'lab' },
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'worker', namespace: 'lab', labels: LABELS },
        spec: { containers: [{ name: 'main', image: 'busybox' }] },
      },
    );
  });
  afterAll(async () => {
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('CLI-079 CLI-085 writes each file that has content, and refuses a folder that exists', async () => {
    const { out, code, err } = await collect('first', '--log-since', '1h');
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe('Collect ResourceGroup for 3 collectors\nCollect Logs for 1 pods\n');
    const own = 'operator_pond/instance_one';
    expect(await files('first')).toEqual([
      'kudo/lease.yaml',
      `${own}/configmaplist.yaml`,
      `${own}/eventlist.yaml`,
      `${own}/one.yaml`,
      `${own}/planrunlist.yaml`,
      expect.stringMatching(/pod_worker\/main\.log\.(gz|err)$/),
      `${own}/pod_worker/worker.yaml`,
      'operator_pond/operatorversion_pond-0.1.0/pond-0.1.0.yaml',
      'operator_pond/pond.yaml',
      'settings.yaml',
      'version.yaml',
    ]);
    const log = await readFile(join(folder, 'first', own, 'pod_worker/main.log.gz')).catch(() => undefined);
    if (log !== undefined) expect(gunzipSync(log).toString()).toBeTypeOf('string');
    expect(await readFile(join(folder, 'first', own, 'one.yaml'), 'utf8')).toContain('LEVEL: warn\n');
    expect((await collect('first')).err).toBe(`Error: target directory ${join(folder, 'first')} already exists\n`);
  });

  it('collects the events and ConfigMaps of the Instance, and nothing of another Instance of the operator', async () => {
    await bravo('install', 'pond', '--in-cluster', '--instance', 'one-two', '--wait');
    const { out, code } = await collect('exact');
    expect([code, out]).toEqual([0, expect.stringContaining('Collect Logs for 1 pods\n')]);
    const own = join(folder, 'exact', 'operator_pond/instance_one');
    const maps = await readFile(join(own, 'configmaplist.yaml'), 'utf8');
    expect(maps).toContain('level: warn');
    expect(maps.match(/^ {4}name: .*$/gm)).toEqual(['    name: one']);
    const events = await readFile(join(own, 'eventlist.yaml'), 'utf8');
    expect(events).toContain('reason: PlanFinished');
    expect([maps, events].filter((text) => text.includes('one-two'))).toEqual([]);
    await bravo('uninstall', '--instance', 'one-two', '--wait');
  });

  it('CLI-082 a kind that may not be listed leaves a file with the reason, and the rest is collected', async () => {
    const { api } = engine;
    const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' };
    const metadata = { name: 'weak', namespace: 'lab' };
    const accounts = { group: '', version: 'v1', resource: 'serviceaccounts', namespace: 'lab' };
    await api.create(accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
    const resources = (group: string, ...names: string[]) => ({ apiGroups: [group], resources: names, verbs: ['*'] });
    await api.create(
      { ...rbac, resource: 'clusterroles' },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'weak' },
        rules: [
          ...['kudo.dev', 'apps', 'rbac.authorization.k8s.io', 'coordination.k8s.io'].map((group) =>
            resources(group, '*'),
          ),
          resources('', 'pods', 'pods/log', 'serviceaccounts', 'namespaces'),
        ],
      },
    );
    await api.create(
      { ...rbac, resource: 'clusterrolebindings' },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'weak' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'weak' },
        subjects: [{ kind: 'ServiceAccount', ...metadata }],
      },
    );
    const path = '/api/v1/namespaces/lab/serviceaccounts/weak/token';
    const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} });
    const response = await api.raw({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const { token } = JSON.parse(Buffer.concat(chunks).toString('utf8')).status;
    const kubeconfig = join(folder, 'weak');
    await writeFile(kubeconfig, engine.sandbox.kubeconfig.replace(/token: \S+/, `token: ${token}`));
    const words = ['diagnostics', 'collect', '--instance', 'one', '-O', join(folder, 'weakly'), '-n', 'lab'];
    const { err, code } = await runBravo(...words, '--kubeconfig', kubeconfig);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(
        /^Warning: Secrets in namespace lab cannot be read, so their values cannot be masked in .*\n$/,
      ),
    ]);
    expect(await files('weakly')).toEqual(
      expect.arrayContaining(['operator_pond/instance_one/service.err', 'operator_pond/instance_one/one.yaml']),
    );
    const why = await readFile(join(folder, 'weakly', 'operator_pond/instance_one/service.err'), 'utf8');
    expect(why).toContain('cannot list resource "services"');
  });

  it('collects one archive, and shows it without a cluster', async () => {
    const file = join(folder, 'one.tgz');
    const collected = await bravo('diagnostics', 'collect', '--instance', 'one', '--archive', file);
    expect([collected.code, collected.err]).toEqual([0, '']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { out, code } = await runBravo('diagnostics', 'show', file);
    expect(code).toBe(0);
    expect(out).toMatch(/^Instance lab\/one, collected \d{4}-.*Z\nBravo \S+, Kubernetes v1\./);
    expect(out).toContain('Last run:\none-deploy-1 (COMPLETE');
    expect(out).toContain('Plan deploy (serial strategy) [COMPLETE]');
    expect(out).toMatch(/PlanFinished {2}Instance\/one {2}Execution of plan deploy finished/);
    expect(out).toContain('── Log of worker/main');
    const again = await bravo('diagnostics', 'collect', '--instance', 'one', '--archive', file);
    expect([again.code, again.err]).toEqual([255, `Error: target file ${file} already exists\n`]);
    const none = await bravo('diagnostics', 'collect', '--instance', 'none', '--archive', join(folder, 'none.tgz'));
    expect(none.err).toBe('Error: instance lab/none does not exist\n');
    const logs = await runBravo('diagnostics', 'show', file, '--logs', 'other');
    expect(logs.err).toBe('Error: The archive has no log of other. It has worker/main.\n');
  });

  it('CLI-080 CLI-081 names what is missing, in the archive and in the error', async () => {
    const lost = await bravo('diagnostics', 'collect', '--instance', 'two', '-O', join(folder, 'second'));
    expect([lost.code, lost.err]).toEqual([255, 'Error: instance lab/two does not exist\n']);
    expect(await files('second')).toEqual(['instance.err', 'kudo/lease.yaml', 'settings.yaml', 'version.yaml']);
    await engine.api.delete({ ...OPERATORS, namespace: 'lab', name: 'pond' });
    expect((await collect('third')).err).toContain('operator lab/pond does not exist');
    expect(await files('third')).toContain('operator.err');
    await engine.api.delete({ ...OPERATOR_VERSIONS, namespace: 'lab', name: 'pond-0.1.0' });
    expect((await collect('fourth')).err).toContain('operatorversion pond-0.1.0 does not exist');
  });

  it('CLI-086 parses durations as Go does', () => {
    expect([readLogSince('1h'), readLogSince('-1h'), readLogSince(undefined)]).toEqual([3600, undefined, undefined]);
    expect([readLogSince('1h30m'), readLogSince('1.5s'), readLogSince('0s')]).toEqual([5400, 2, undefined]);
    expect(() => readLogSince('soon')).toThrow('invalid argument "soon" for "--log-since" flag');
  });

  it('refuses to show what is no archive of diagnostics', async () => {
    const file = join(folder, 'wrong.tgz');
    await writeFile(file, 'no archive');
    expect((await runBravo('diagnostics', 'show', file)).err).toMatch(/^Error: The archive .* cannot be used: /);
    expect((await runBravo('diagnostics', 'show', join(folder, 'missing.tgz'))).err).toContain('no such file');
  });
});
