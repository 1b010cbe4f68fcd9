import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Cluster, loadCluster } from './credentials';

let path: string;

beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'bravo-renewed-')), 'config');
});

function write(token: string, wish: { server?: string; context?: string; cert?: string } = {}): void {
  const { server = 'https://a', context = 'k', cert } = wish;
  const certificate = cert === undefined ? '' : `, client-certificate-data: ${Buffer.from(cert).toString('base64')}`;
  writeFileSync(
    path,
    `current-context: ${context}
contexts: [{name: ${context}, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "${server}"}}]
users: [{name: u, user: {token: ${token}${certificate}}}]
`,
  );
}

async function tokenAfterRefusal(cluster: Cluster): Promise<string | undefined> {
  cluster.forgetAccess();
  return (await cluster.access()).headers.authorization;
}

describe('credentials that are renewed in the kubeconfig', () => {
  it('take effect after the API has rejected the old ones', async () => {
    write('old');
    const cluster = loadCluster({ kubeconfigPath: path });
    expect((await cluster.access()).headers.authorization).toBe('Bearer old');
    write('new');
    expect((await cluster.access()).headers.authorization).toBe('Bearer old');
    expect(await tokenAfterRefusal(cluster)).toBe('Bearer new');
  });

  it('never go to another server than the one that was chosen', async () => {
    write('old');
    const cluster = loadCluster({ kubeconfigPath: path });
    write('for-b', { server: 'https://b' });
    expect(await tokenAfterRefusal(cluster)).toBe('Bearer old');
  });

  it('stay the same while the file is missing, incomplete or without the context', async () => {
    write('old');
    const cluster = loadCluster({ kubeconfigPath: path });
    write('other', { context: 'another' });
    expect(await tokenAfterRefusal(cluster)).toBe('Bearer old');
    writeFileSync(path, 'users: [{');
    expect(await tokenAfterRefusal(cluster)).toBe('Bearer old');
    rmSync(path);
    expect(await tokenAfterRefusal(cluster)).toBe('Bearer old');
  });

  it('keep connections open as long as the certificates are the same', async () => {
    write('old', { cert: 'one' });
    const cluster = loadCluster({ kubeconfigPath: path });
    const { tls } = await cluster.access();
    write('new', { cert: 'one' });
    cluster.forgetAccess();
    expect((await cluster.access()).tls).toBe(tls);
    write('new', { cert: 'two' });
    cluster.forgetAccess();
    expect((await cluster.access()).tls).toEqual({ cert: 'two' });
  });
});
