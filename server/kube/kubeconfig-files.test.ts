import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadCluster } from './credentials';
import { readKubeconfig } from './kubeconfig-files';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bravo-kubeconfig-'));
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const CLUSTERS = (name: string, server: string, extra = '') =>
  `clusters: [{name: ${name}, cluster: {server: "${server}"${extra}}}]\n`;

describe('readKubeconfig', () => {
  it('merges files as kubectl does: of equal names the first file wins', () => {
    const a = write('a', `current-context: one\ncontexts: [{name: one, context: {cluster: c, user: u}}]\n`);
    const b = write(
      'b',
      `${CLUSTERS('c', 'https://first')}users: [{name: u, user: {token: b}}]\ncurrent-context: two\n`,
    );
    const c = write('c', `${CLUSTERS('c', 'https://second')}users: [{name: v, user: {token: c}}]\n`);
    const cluster = loadCluster({ kubeconfigPath: [a, b, c].join(delimiter) });
    expect(cluster).toMatchObject({ context: 'one', server: 'https://first', user: 'u' });
    const { config } = readKubeconfig([a, b, c].join(delimiter));
    expect(config.users).toHaveLength(2);
  });

  it('resolves file names relative to the kubeconfig that has them', async () => {
    write('far/ca.crt', 'CA');
    write('near/token', 'secret-token\n');
    const a = write('far/config', CLUSTERS('c', 'https://x', ', certificate-authority: ca.crt'));
    const b = write(
      'near/config',
      'current-context: k\ncontexts: [{name: k, context: {cluster: c, user: u}}]\nusers: [{name: u, user: {tokenFile: token}}]\n',
    );
    const access = await loadCluster({ kubeconfigPath: `${a}${delimiter}${b}` }).access();
    expect(access).toMatchObject({ tls: { ca: 'CA' }, headers: { authorization: 'Bearer secret-token' } });
  });

  it('skips missing files and empty entries', () => {
    const a = write('a', CLUSTERS('c', 'https://x'));
    const { config } = readKubeconfig(['', join(folder, 'none'), a].join(delimiter));
    expect(config.clusters).toHaveLength(1);
  });

  it('reports when none of several files, or the only one, exists', () => {
    expect(() => readKubeconfig(`${folder}/x${delimiter}${folder}/y`)).toThrow(
      /None of the kubeconfigs .*x, .*y exists and has content/,
    );
    expect(() => readKubeconfig(`${folder}/x`)).toThrow(
      /The kubeconfig .*x cannot be read.*Set KUBECONFIG or --kubeconfig/,
    );
  });

  it('lists the contexts when the wanted one does not exist', () => {
    const contexts = [{ name: 'red' }, { name: 'blue' }];
    const two = write('two', JSON.stringify({ contexts }));
    expect(() => loadCluster({ kubeconfigPath: two, context: 'green' })).toThrow(
      /has no context green. It has red, blue/,
    );
  });

  it('names the file that is not valid', () => {
    const good = write('good', CLUSTERS('c', 'https://x'));
    const bad = write('bad', 'clusters: [');
    expect(() => readKubeconfig(`${good}${delimiter}${bad}`)).toThrow(/bad is not valid YAML/);
  });
});
