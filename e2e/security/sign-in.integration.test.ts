import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleProcess, startConsoleProcess } from '@/test/programs/console-process';
import { stopAll } from '@/test/programs/process';
import { ask, type RawAnswer, type RawAsk } from './raw-request';

/** What somebody may try against a console that people sign in to. Sign-ins are few: one address has ten a minute. */
let console_: ConsoleProcess;
const cookies: { [user: string]: string } = {};
const send = (request: RawAsk) => ask(console_.base, request);
const own = () => ({ origin: console_.base, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' });
const tokenOf = (user: string) =>
  readFileSync(join(console_.settings.BRAVO_DATA ?? '', 'users', `${user}.token`), 'utf8').trim();

function signIn(token: string, headers: RawAsk['headers'] = {}, to = '/'): Promise<RawAnswer> {
  return send({
    method: 'POST',
    path: '/api/auth/token',
    headers: { ...own(), ...headers },
    body: JSON.stringify({ token, to }),
  });
}

function cookieOf(answer: RawAnswer): string {
  const lines = [answer.headers['set-cookie'] ?? []].flat().filter((line) => !line.includes('Max-Age=0'));
  return lines.map((line) => line.split(';', 1)[0]).join('; ');
}

beforeAll(async () => {
  console_ = await startConsoleProcess({ BRAVO_AUTH: 'token', BRAVO_CONTROLLER: 'off', BRAVO_LOG: 'info' });
  for (const user of ['admin', 'dev', 'viewer']) cookies[user] = cookieOf(await signIn(tokenOf(user)));
});

afterAll(stopAll);

const who = async (headers: NonNullable<RawAsk['headers']>) =>
  JSON.parse((await send({ path: '/api/auth/me', headers })).text).user;

describe('without a session', () => {
  it.each([
    '/api/live',
    '/api/kube/api/v1/namespaces',
    '/api/packages',
    '/api/access?ask=get:/pods',
    '/api/controller',
  ])('%s answers 401 with a reason', async (path) => {
    const answer = await send({ path });
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.text)).toMatchObject({ reason: 'SignInNeeded' });
  });

  it.each(['/', '/instances?x=1', '/_next/../instances', '/sign-in/../instances', '/%69nstances'])(
    '%s shows nothing of the cluster',
    async (path) => {
      const answer = await send({ path });
      expect(answer.text).not.toMatch(/postgres|Signed in as/);
      expect([303, 307, 308, 404]).toContain(answer.status);
    },
  );

  it('a header of our own from outside names no session', async () => {
    const headers = { 'x-bravo-session': '00000000-0000-4000-8000-000000000000' };
    expect((await send({ path: '/api/packages', headers })).status).toBe(401);
  });
});

describe('session fixation', () => {
  it('a session that was planted is replaced at sign-in, and has ended', async () => {
    const planted = cookieOf(await signIn(tokenOf('viewer')));
    const fresh = cookieOf(await signIn(tokenOf('dev'), { cookie: planted }));
    expect(fresh).not.toBe(planted);
    expect(await who({ cookie: planted })).toBeNull();
    expect(await who({ cookie: fresh })).toBe('dev');
  });
});

describe('cross-site requests', () => {
  it.each(['/api/auth/token', '/api/auth/sign-out', '/api/controller'])('%s refuses another origin', async (path) => {
    const headers = {
      ...own(),
      origin: 'https://evil.test',
      'sec-fetch-site': 'cross-site',
      cookie: cookies.dev ?? '',
    };
    expect((await send({ method: 'POST', path, headers, body: '{}' })).status).toBe(403);
  });

  it('a form of another site cannot sign in or out', async () => {
    const headers = { ...own(), 'content-type': 'application/x-www-form-urlencoded', cookie: cookies.dev ?? '' };
    for (const path of ['/api/auth/token', '/api/auth/sign-out']) {
      expect((await send({ method: 'POST', path, headers, body: 'token=x' })).status).toBe(415);
    }
    expect(await who({ cookie: cookies.dev ?? '' })).toBe('dev');
  });
});

describe('spoofed headers', () => {
  it('Impersonate headers and those of a proxy make nobody another person', async () => {
    const headers = {
      ...own(),
      cookie: cookies.dev ?? '',
      'impersonate-user': 'admin',
      'impersonate-group': 'system:masters',
      'x-remote-user': 'admin',
      'x-remote-group': 'system:masters',
      authorization: `Bearer ${tokenOf('admin')}`,
    };
    expect(await who(headers)).toBe('dev');
    expect((await send({ path: '/api/kube/api/v1/namespaces/kube-system/secrets', headers })).status).toBe(403);
  });

  it.each(['evil.test', 'localhost.evil.test', '169.254.169.254'])('the host %s is refused', async (host) => {
    for (const path of ['/sign-in', '/api/auth/me', '/api/auth/oidc/callback']) {
      expect((await send({ path, headers: { host } })).status).toBe(421);
    }
  });
});

describe('the way back', () => {
  it.each(['//evil.test', '/\\evil.test', 'https://evil.test'])('does not lead to %s', async (to) => {
    const page = await send({ path: `/sign-in?to=${encodeURIComponent(to)}` });
    expect(page.text).not.toMatch(/href="[^"]*evil\.test/);
  });

  it('is a path of the console after a sign-in too', async () => {
    expect(JSON.parse((await signIn(tokenOf('dev'), {}, '//evil.test')).text)).toEqual({ to: '/' });
  });
});

describe('the token', () => {
  it('is in no page, answer, URL or log, and the cookie is out of reach of scripts', async () => {
    const canary = tokenOf('admin');
    const answer = await signIn(canary);
    const cookie = cookieOf(answer);
    expect([answer.headers['set-cookie']].flat()[0]).toMatch(/HttpOnly; SameSite=Lax/);
    expect(Buffer.from(cookie, 'base64url').toString('latin1')).not.toContain(canary);
    for (const path of [
      '/',
      '/instances',
      '/resources',
      '/api/auth/me',
      '/api/access?ask=get:/pods@demo',
      '/sign-in',
    ]) {
      const { text, headers } = await send({ path, headers: { cookie } });
      expect(text).not.toContain(canary);
      expect(JSON.stringify({ ...headers, 'set-cookie': '' })).not.toContain(canary);
    }
    await signIn(`${canary}x`);
    expect(console_.running.output()).not.toContain(canary);
  });
});

describe('cookies that are too large', () => {
  it('are refused with a sentence', async () => {
    const { hostname, port } = new URL(console_.base);
    const text = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: bravo=${'x'.repeat(20_000)}\r\n\r\n`),
      );
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(text).toContain('Delete the cookies of this site');
  });
});

describe('the stream', () => {
  const SECRETS = '/api/live?topic=core/v1/secrets';

  it('shows nothing that the person may not see', async () => {
    const { text } = await begin(SECRETS, cookies.viewer ?? '', /"type":"problem"/);
    expect(text).toContain('forbidden');
    expect(text).not.toContain('"type":"snapshot"');
  });

  it('shows of the cluster what is in the namespaces of the person', async () => {
    for (const namespace of ['default', 'demo']) {
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'of-the-stream' } });
      const headers = { ...own(), cookie: cookies.admin ?? '' };
      const path = `/api/kube/api/v1/namespaces/${namespace}/secrets`;
      expect((await send({ method: 'POST', path, headers, body })).status).toBe(201);
    }
    const { text: ofAdmin } = await begin(SECRETS, cookies.admin ?? '', /of-the-stream/);
    const { text: ofDev } = await begin(SECRETS, cookies.dev ?? '', /of-the-stream/);
    const namespacesIn = (text: string) =>
      new Set([...text.matchAll(/"namespace":"([^"]+)"/g)].map(([, name]) => name));
    expect(namespacesIn(ofAdmin)).toContain('default');
    expect([...namespacesIn(ofDev)]).toEqual(['demo']);
  });

  it('ends when the person signs out everywhere', async () => {
    const cookie = cookies.dev ?? '';
    const stream = await begin(SECRETS, cookie, /"type":"hello"/);
    await send({
      method: 'POST',
      path: '/api/auth/sign-out',
      headers: { ...own(), cookie },
      body: '{"everywhere":true}',
    });
    await stream.ended;
    expect(await who({ cookie })).toBeNull();
  });
});

it('many sign-ins are slowed down, with the time to wait', async () => {
  let last: RawAnswer | undefined;
  for (let tries = 0; tries < 12; tries++) last = await signIn('wrong');
  expect(last?.status).toBe(429);
  expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
});

/** Reads a stream until its text matches; `ended` resolves when the server closes it. */
async function begin(path: string, cookie: string, until: RegExp): Promise<{ text: string; ended: Promise<void> }> {
  const response = await fetch(`${console_.base}${path}`, { headers: { cookie } });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new Error('no stream');
  let text = '';
  while (!until.test(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  const rest = async () => {
    for (;;) if ((await reader.read()).done) return;
  };
  return { text, ended: rest().catch(() => undefined) };
}
