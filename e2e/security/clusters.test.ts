import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstance, createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { kubeconfigOf } from '@/test/programs/clusters-console';
import { type ConsoleProcess, startConsoleProcess } from '@/test/programs/console-process';
import { stopAll } from '@/test/programs/process';
import { ask, type RawAnswer, type RawAsk } from './raw-request';

/** What somebody may try with clusters that are added to a console that people sign in to. */
let console_: ConsoleProcess;
let second: Engine;
let kubeconfig: string;
const cookies: { [user: string]: string } = {};

const tokenOf = (user: string) =>
  readFileSync(join(console_.settings.BRAVO_DATA ?? '', 'users', `${user}.token`), 'utf8').trim();
const own = () => ({ origin: console_.base, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' });
const as = (user: string, request: RawAsk): Promise<RawAnswer> =>
  ask(console_.base, { ...request, headers: { ...own(), ...request.headers, cookie: cookies[user] ?? '' } });
const post = (user: string, path: string, body: object) =>
  as(user, { method: 'POST', path, body: JSON.stringify(body) });
const namespacesIn = async (request: RawAsk): Promise<string[]> => {
  const answer = await as('admin', request);
  const { items = [] } = JSON.parse(answer.text) as { items?: { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name);
};

beforeAll(async () => {
  second = await startEngine({ controller: false });
  await createNamespace(second.api, 'only-second');
  await createInstance(second.api, 'only-second', 'hidden-row', 'none-1.0');
  const { url, caPem } = second.sandbox;
  kubeconfig = kubeconfigOf([{ name: 'second', server: url, caPem, token: secondToken() }]);
  console_ = await startConsoleProcess({ BRAVO_AUTH: 'token', BRAVO_CONTROLLER: 'off', BRAVO_LOG: 'info' });
  for (const user of ['admin', 'dev']) {
    const body = JSON.stringify({ token: tokenOf(user), to: '/' });
    const answer = await ask(console_.base, { method: 'POST', path: '/api/auth/token', headers: own(), body });
    cookies[user] = [answer.headers['set-cookie'] ?? []]
      .flat()
      .filter((line) => !line.includes('Max-Age=0'))
      .map((line) => line.split(';', 1)[0])
      .join('; ');
  }
});

afterAll(async () => {
  await stopAll();
  await second?.stop();
});

async function infoFor(user: string): Promise<{ state: string; problem: string }> {
  const { clusters } = JSON.parse((await as(user, { path: '/api/clusters' })).text);
  return clusters.find(({ name }: { name: string }) => name === 'second');
}

function secondToken(): string {
  return /token: (\S+)/.exec(second.sandbox.kubeconfig)?.[1] ?? '';
}

describe('a person without the right to create Secrets in the namespace of the console', () => {
  it.each(['/api/clusters', '/api/clusters/test'])('cannot make the server connect anywhere by %s', async (path) => {
    let connections = 0;
    const listener = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as { port: number };
    const server = `https://127.0.0.1:${port}`;
    const text = kubeconfigOf([{ name: 'x', server, caPem: second.sandbox.caPem, token: 'none' }]);
    const answer = await post('dev', path, { name: 'mine', kubeconfig: text });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text).message).toMatch(/create secrets in namespace/);
    expect(connections).toBe(0);
    await new Promise((resolve) => listener.close(resolve));
  });

  it('cannot remove a cluster', async () => {
    expect((await as('dev', { method: 'DELETE', path: '/api/clusters/second' })).status).toBe(403);
  });
});

describe('a kubeconfig that would use the server', () => {
  const changed = (change: { user?: object; cluster?: object }) => {
    const config = JSON.parse(kubeconfig);
    Object.assign(config.users[0].user, change.user);
    Object.assign(config.clusters[0].cluster, change.cluster);
    return JSON.stringify(config);
  };

  it.each([
    ['starts a program', { user: { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'id' } } }, 'exec'],
    ['starts a provider', { user: { 'auth-provider': { name: 'gcp' } } }, 'auth-provider'],
    ['reads a token from a file', { user: { tokenFile: '/etc/passwd' } }, 'tokenFile'],
    ['reads a certificate from a file', { user: { 'client-certificate': '/etc/passwd' } }, 'client-certificate'],
    ['reads a key from a file', { user: { 'client-key': '/etc/passwd' } }, 'client-key'],
    [
      'reads an authority from a file',
      { cluster: { 'certificate-authority': '/etc/passwd' } },
      'certificate-authority',
    ],
    ['goes through a proxy', { cluster: { 'proxy-url': 'http://127.0.0.1:1' } }, 'proxy-url'],
    ['acts for another user', { user: { as: 'system:admin' } }, 'as'],
    ['speaks without TLS', { cluster: { server: 'http://127.0.0.1:1' } }, 'https'],
    ['asks for metadata of a cloud', { cluster: { server: 'https://169.254.169.254' } }, 'link-local'],
    ['asks for it in decimal', { cluster: { server: 'https://2852039166' } }, 'link-local'],
    ['asks for it by IPv6', { cluster: { server: 'https://[::ffff:169.254.169.254]' } }, 'link-local'],
    ['asks for it by its name', { cluster: { server: 'https://metadata.google.internal' } }, 'metadata'],
    ['asks for it by its name with a dot', { cluster: { server: 'https://metadata.google.internal.' } }, 'metadata'],
    ['has a password in the address', { cluster: { server: 'https://a:b@127.0.0.1:1' } }, 'URL'],
  ])('is refused when it %s', async (_, change, word) => {
    for (const path of ['/api/clusters/test', '/api/clusters']) {
      const answer = await post('admin', path, { name: 'bad', kubeconfig: changed(change) });
      const { checks } = JSON.parse(answer.text) as { checks: { ok: boolean; message: string }[] };
      expect(checks.map(({ ok }) => ok)).toEqual([false]);
      expect(checks[0]?.message).toContain(word);
      if (path === '/api/clusters') expect(answer.status).toBe(422);
    }
    expect((await as('admin', { path: '/api/clusters' })).text).not.toContain('"bad"');
  });

  it('does not come back in the message when it is not YAML', async () => {
    const answer = await post('admin', '/api/clusters/test', {
      name: 'bad',
      kubeconfig: 'token: {canary-of-text\n- x',
    });
    expect(answer.text).not.toContain('canary-of-text');
  });
});

describe('a cluster that was added', () => {
  beforeAll(async () => {
    const answer = await post('admin', '/api/clusters', { name: 'second', kubeconfig });
    expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('"name":"second"')]);
  });

  it('gets no token of a person who has not opened it', async () => {
    const info = await infoFor('admin');
    expect(info).toMatchObject({ state: 'idle', isRemovable: true, source: 'secret' });
    expect(info.problem).toMatch(/gets your token when you open it/);
    const rows = (await as('admin', { path: '/api/clusters/instances' })).text
      .split('\n')
      .find((line) => line.includes('"second"'));
    expect(rows).toMatch(/gets your token when you open it/);
  });

  it('is used in the name of the person, never with its own credentials', async () => {
    for (const user of ['admin', 'dev']) {
      const answer = await as(user, { path: '/c/second/api/kube/api/v1/namespaces' });
      expect([401, 403]).toContain(answer.status);
      expect(answer.text).not.toContain('only-second');
      for (const path of ['/api/clusters/instances', '/api/clusters/find?q=hidden', '/c/second/instances']) {
        expect((await as(user, { path })).text, path).not.toContain('hidden-row');
      }
    }
  });

  it('refuses people whom it does not know, in one sentence', async () => {
    await as('dev', { path: '/c/second/api/kube/version' });
    const info = await infoFor('dev');
    expect(info).toMatchObject({ state: 'refused', isRemovable: true, source: 'secret' });
    expect(info.problem).toMatch(/accept the token that you signed in with.*\.$/);
  });

  it('is not chosen by a header from outside', async () => {
    const path = '/api/kube/api/v1/namespaces';
    const home = await namespacesIn({ path });
    expect(await namespacesIn({ path, headers: { 'x-bravo-cluster': 'second' } })).toEqual(home);
    expect(home).not.toContain('only-second');
  });

  it.each(['/c/%73econd', '/c/second/..', '/c/SECOND', '/c//second', '/c/second/c/second'])(
    'is not reached by the address %s',
    async (prefix) => {
      const answer = await as('admin', { path: `${prefix}/api/kube/api/v1/namespaces` });
      expect(answer.text).not.toContain('only-second');
      expect(answer.status).not.toBe(200);
    },
  );

  it('does not open the console to people without a session', async () => {
    for (const path of [
      '/c/second/api/live',
      '/c/second/api/kube/version',
      '/api/clusters',
      '/api/clusters/instances',
    ]) {
      expect((await ask(console_.base, { path })).status, path).toBe(401);
    }
  });

  it('has its credentials in no answer, page or log', async () => {
    const canaries = [secondToken(), Buffer.from(secondToken()).toString('base64')];
    for (const path of [
      '/api/clusters',
      '/api/clusters/instances',
      '/api/clusters/find?q=x',
      '/',
      '/c/second',
      '/clusters',
    ]) {
      const { text } = await as('admin', { path });
      for (const canary of canaries) expect(text, path).not.toContain(canary);
    }
    for (const canary of canaries) expect(console_.running.output()).not.toContain(canary);
  });

  it('cannot take the name of another one', async () => {
    expect((await post('admin', '/api/clusters', { name: 'second', kubeconfig })).status).toBe(409);
    expect((await post('admin', '/api/clusters', { name: 'sandbox', kubeconfig })).status).toBe(409);
  });

  it('is gone after it was removed', async () => {
    expect((await as('admin', { method: 'DELETE', path: '/api/clusters/second' })).status).toBe(200);
    expect((await as('admin', { path: '/c/second/api/kube/version' })).status).toBe(404);
    expect((await as('admin', { method: 'DELETE', path: '/api/clusters/sandbox' })).status).toBe(409);
  });
});
