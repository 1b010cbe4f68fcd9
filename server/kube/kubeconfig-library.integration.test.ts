import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { loadCluster } from './credentials';

/**
 * Why server/kube reads kubeconfigs itself (docs/decisions/004-kubeconfig.md): each test shows what kubectl does, that we do the
 * same, and what the KubeConfig of @kubernetes/client-node does instead. A test that fails after an update of the library says
 * that the reason has gone.
 */
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bravo-kubeconfig-'));
  return () => vi.unstubAllEnvs();
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** One context `k` of the cluster `c` and the user `u`; the arguments are flow mappings without their braces. */
const kubeconfig = (cluster: string, user: string, more = '') => `current-context: k
contexts: [{name: k, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {${cluster}}}${more}]
users: [{name: u, user: {${user}}}]
`;

function library(...paths: readonly string[]): KubeConfig {
  vi.stubEnv('KUBECONFIG', paths.join(delimiter));
  const config = new KubeConfig();
  config.loadFromDefault();
  return config;
}

async function optionsOf(config: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = { headers: {} };
  await config.applyToHTTPSOptions(options);
  return options;
}

describe('what the official client reads otherwise than kubectl', () => {
  it('a tokenFile: it is ignored, so that requests are anonymous', async () => {
    write('token', 'from-file\n');
    const path = write('config', kubeconfig('server: "https://a"', 'tokenFile: token'));
    const { headers } = await loadCluster({ kubeconfigPath: path }).access();
    expect(headers.authorization).toBe('Bearer from-file');
    expect((await optionsOf(library(path))).headers).toEqual({});
  });

  it('data beside a file: the file wins instead of the data', async () => {
    const ca = write('old.crt', 'OLD');
    const cluster = `server: "https://a", certificate-authority: "${ca}", certificate-authority-data: ${base64('NEW')}`;
    const path = write('config', kubeconfig(cluster, 'token: t'));
    expect((await loadCluster({ kubeconfigPath: path }).access()).tls.ca).toBe('NEW');
    expect(String((await optionsOf(library(path))).ca)).toBe('OLD');
  });

  it('several files: a name that occurs twice is an error, and the last current context wins', () => {
    const one = write('one', kubeconfig('server: "https://first"', 'token: t'));
    const two = write('two', kubeconfig('server: "https://second"', 'token: t'));
    const other = write('other', 'current-context: other\n');
    expect(loadCluster({ kubeconfigPath: [one, two].join(delimiter) }).server).toBe('https://first');
    expect(() => library(one, two)).toThrow('Duplicate cluster: c');
    expect(loadCluster({ kubeconfigPath: [one, other].join(delimiter) }).context).toBe('k');
    expect(library(one, other).getCurrentContext()).toBe('other');
  });

  it('a listed file that does not exist: an error instead of nothing', () => {
    const path = write('config', kubeconfig('server: "https://a"', 'token: t'));
    const missing = join(folder, 'missing');
    expect(loadCluster({ kubeconfigPath: [missing, path].join(delimiter) }).server).toBe('https://a');
    expect(() => library(missing, path)).toThrow('ENOENT');
  });

  it('an empty file beside another: an error instead of nothing', () => {
    const empty = write('empty', '');
    const path = write('config', kubeconfig('server: "https://a"', 'token: t'));
    expect(loadCluster({ kubeconfigPath: [empty, path].join(delimiter) }).server).toBe('https://a');
    expect(() => loadCluster({ kubeconfigPath: empty })).toThrow(/The kubeconfig .*empty is empty/);
    expect(() => library(empty, path)).toThrow('expected a document, but the input is empty');
  });

  it('an unused cluster without a server: the whole file is refused', () => {
    const path = write('config', kubeconfig('server: "https://a"', 'token: t', ', {name: draft, cluster: {}}'));
    expect(loadCluster({ kubeconfigPath: path }).server).toBe('https://a');
    expect(() => library(path)).toThrow('clusters[1].cluster.server is missing');
  });

  it('a server over HTTP, as `kubectl proxy` offers it: refused', async () => {
    const path = write('config', kubeconfig('server: "http://127.0.0.1:8001"', 'token: t'));
    expect(loadCluster({ kubeconfigPath: path }).server).toBe('http://127.0.0.1:8001');
    await expect(optionsOf(library(path))).rejects.toThrow('HTTP protocol is not allowed');
  });

  it('no current context: it is not said', () => {
    const path = write('config', 'clusters: []\n');
    expect(() => loadCluster({ kubeconfigPath: path })).toThrow(/has no current context/);
    expect(library(path).getCurrentCluster()).toBeNull();
  });
});

const PLUGIN = `#!${process.execPath}
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO ?? 'null');
console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential',
  status: { token: info === null ? 'nothing was asked' : info.apiVersion + ' ' + JSON.stringify(info.spec) } }));
`;

describe('exec plug-ins', () => {
  const exec = 'exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, provideClusterInfo: true}';

  it('beside the kubeconfig are found and told which cluster they are for; the official client does neither', async () => {
    chmodSync(write('plugin', PLUGIN), 0o755);
    const path = write('config', kubeconfig('server: "https://a"', exec, ', {name: draft, cluster: {}}'));
    const { headers } = await loadCluster({ kubeconfigPath: path }).access();
    expect(headers.authorization).toBe(
      'Bearer client.authentication.k8s.io/v1 {"interactive":false,"cluster":{"server":"https://a"}}',
    );
    const bare = write('bare', kubeconfig('server: "https://a"', exec.replace('./plugin', `"${folder}/plugin"`)));
    expect((await optionsOf(library(bare))).headers).toEqual({ Authorization: 'Bearer nothing was asked' });
    const relative = write('relative', kubeconfig('server: "https://a"', exec));
    await expect(optionsOf(library(relative))).rejects.toThrow('ENOENT');
  });

  it('that fail are a TransientError with what they printed', async () => {
    chmodSync(write('plugin', `#!${process.execPath}\nconsole.error('log in first');process.exit(1);\n`), 0o755);
    const path = write('config', kubeconfig('server: "https://a"', exec));
    await expect(loadCluster({ kubeconfigPath: path }).access()).rejects.toThrow(
      /The credential plug-in of the context k failed: log in first/,
    );
  });
});
