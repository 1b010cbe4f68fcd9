import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { limits } from '@/lib/limits/limits';
import { CHANNELS, channelFrame, sizeFrame, TERMINAL_PROTOCOL } from '@/lib/terminal/channels';
import { type TerminalTarget, terminalPath } from '@/lib/terminal/target';
import { type ConsoleProcess, startConsoleProcess } from '@/test/programs/console-process';
import { stopAll, temporaryFolder } from '@/test/programs/process';
import { ask, type RawAnswer } from './raw-request';

/** What somebody may try with the terminal of a container. */
let console_: ConsoleProcess;
const recordings = temporaryFolder('recordings');
const cookies: { [user: string]: string } = {};
const TARGET: TerminalTarget = { namespace: 'demo', pod: 'shell', container: 'app', command: ['sh'] };

const own = () => ({ origin: console_.base, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' });
const send = (user: string, method: string, path: string, body?: object): Promise<RawAnswer> =>
  ask(console_.base, {
    method,
    path,
    headers: { ...own(), cookie: cookies[user] ?? '' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

function cookiesOf(answer: RawAnswer): string {
  const lines = [answer.headers['set-cookie'] ?? []].flat().filter((line) => !line.includes('Max-Age=0'));
  return lines.map((line) => line.split(';', 1)[0]).join('; ');
}

async function signIn(user: string): Promise<string> {
  const token = readFileSync(join(console_.settings.BRAVO_DATA ?? '', 'users', `${user}.token`), 'utf8').trim();
  return cookiesOf(await send('', 'POST', '/api/auth/token', { token, to: '/' }));
}

interface Asked {
  readonly cookie?: string;
  readonly target?: Partial<TerminalTarget>;
  readonly path?: string;
  readonly protocol?: string;
  readonly headers?: { readonly [name: string]: string };
}

/** A terminal as a page opens it, with whatever is asked for instead. `refusal`: the HTTP status of an upgrade that was refused. */
class Page {
  readonly socket: WebSocket;
  private text = '';
  private statusText = '';
  private listeners: (() => void)[] = [];
  readonly closed: Promise<number>;
  refusal = 0;

  constructor({ cookie = '', target = {}, path, protocol = TERMINAL_PROTOCOL, headers = {} }: Asked) {
    const address = `${console_.base.replace('http', 'ws')}${path ?? terminalPath({ ...TARGET, ...target })}`;
    this.socket = new WebSocket(address, [protocol], {
      headers: { origin: console_.base, cookie, ...headers },
    });
    this.socket.on('error', () => {});
    this.socket.on('unexpected-response', (_request, response) => {
      this.refusal = response.statusCode ?? 0;
      this.socket.terminate();
    });
    this.socket.on('message', (frame: Buffer) => {
      if (frame[0] === CHANNELS.output) this.text += frame.subarray(1).toString();
      if (frame[0] === CHANNELS.status) this.statusText += frame.subarray(1).toString();
      for (const listener of this.listeners.splice(0)) listener();
    });
    this.closed = new Promise((resolve) => this.socket.on('close', (code) => resolve(code)));
  }

  /** Waits until the terminal shows a text. */
  async shows(text: string): Promise<void> {
    while (!this.text.includes(text)) {
      const next = new Promise<'shown'>((resolve) => this.listeners.push(() => resolve('shown')));
      const what = await Promise.race([next, this.closed]);
      if (what !== 'shown') throw new Error(`closed with ${what}: ${this.statusText} ${this.text}`);
    }
    this.text = '';
  }

  type(text: string): void {
    this.socket.send(channelFrame(CHANNELS.input, Buffer.from(text)));
  }

  /** The close code, and what the status channel said. */
  async end(): Promise<{ code: number; reason: string; message: string }> {
    const code = await this.closed;
    const { reason = '', message = '' } = this.statusText === '' ? {} : JSON.parse(this.statusText);
    return { code, reason, message };
  }
}

async function openShell(user: string): Promise<Page> {
  const page = new Page({ cookie: cookies[user] ?? '' });
  await page.shows('# ');
  return page;
}

async function closePage(page: Page): Promise<void> {
  page.socket.close();
  await page.closed;
}

const auditLines = () => {
  const folder = join(console_.settings.BRAVO_DATA ?? '', 'audit');
  return readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line))
    .filter(({ verb }) => verb === 'exec');
};

beforeAll(async () => {
  console_ = await startConsoleProcess({
    BRAVO_AUTH: 'token',
    BRAVO_CONTROLLER: 'off',
    BRAVO_TERMINAL_RECORDINGS: recordings,
  });
  for (const user of ['admin', 'dev', 'viewer']) cookies[user] = await signIn(user);
  const containers = [{ name: 'app', image: 'busybox:1.37', command: ['sleep', 'infinity'] }];
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'shell', namespace: 'demo' }, spec: { containers } };
  const made = await send('admin', 'POST', '/api/kube/api/v1/namespaces/demo/pods', pod);
  expect(made.status).toBe(201);
  const phase = async () => (await send('admin', 'GET', '/api/kube/api/v1/namespaces/demo/pods/shell')).text;
  await vi.waitFor(async () => expect(await phase()).toContain('"Running"'), { timeout: 60_000, interval: 200 });
}, 300_000);
afterAll(stopAll);

describe('the terminal of a container', () => {
  it('is a shell with the size of the page, and is in the audit log without what is typed', async () => {
    const page = await openShell('dev');
    page.socket.send(sizeFrame(132, 43));
    page.type('stty size; echo typed-canary\r');
    await page.shows('43 132\r\ntyped-canary\r\n');
    page.type('exit 3\r');
    expect(await page.end()).toMatchObject({ code: 1000, reason: 'NonZeroExitCode' });
    const ofDev = () => auditLines().filter(({ person }) => person.name === 'dev');
    await vi.waitFor(() => expect(ofDev()).toHaveLength(2), { timeout: 20_000 });
    const [opened, closed] = ofDev();
    expect(opened).toMatchObject({
      object: { resource: 'pods', namespace: 'demo', name: 'shell', subresource: 'exec' },
      summary: 'opened a terminal in container app: sh',
      result: 'ok',
    });
    expect(closed).toMatchObject({ id: opened.id, summary: 'closed a terminal (exit code 3) in container app: sh' });
    expect(JSON.stringify([opened, closed])).not.toContain('canary');
    const recorded = readFileSync(join(recordings, `${opened.id}.cast`), 'utf8');
    expect(JSON.parse(recorded.split('\n', 1)[0] ?? '')).toMatchObject({
      version: 2,
      title: 'dev: demo/shell/app: sh',
    });
    expect(recorded).toContain('typed-canary');
  });

  it.each<[string, () => Asked, number]>([
    ['without a session', () => ({}), 401],
    ['with a session that was made up', () => ({ cookie: 'bravo-session=made-up' }), 401],
    ['from another origin', () => ({ cookie: cookies.dev ?? '', headers: { origin: 'https://evil.example' } }), 403],
    ['without an origin', () => ({ cookie: cookies.dev ?? '', headers: { origin: '' } }), 403],
    ['from another site', () => ({ cookie: cookies.dev ?? '', headers: { 'sec-fetch-site': 'cross-site' } }), 403],
    ['with another protocol', () => ({ cookie: cookies.dev ?? '', protocol: 'v5.channel.k8s.io' }), 400],
    ['without a command', () => ({ cookie: cookies.dev ?? '', target: { command: [] } }), 400],
    ['in a pod that is no name', () => ({ cookie: cookies.dev ?? '', target: { pod: 'A_b' } }), 400],
    [
      'in a cluster that does not exist',
      () => ({ cookie: cookies.dev ?? '', path: `/c/nowhere${terminalPath(TARGET)}` }),
      404,
    ],
  ])('is refused in HTTP %s', async (_name, asked, status) => {
    const page = new Page(asked());
    expect([await page.closed, page.refusal]).toEqual([1006, status]);
  });

  it('is refused under another name of the host, and at another address', async () => {
    const headers = { host: 'evil.example', origin: 'http://evil.example' };
    const other = new Page({ cookie: cookies.dev ?? '', headers });
    expect([await other.closed, other.refusal]).toEqual([1006, 0]);
    const elsewhere = new Page({ cookie: cookies.dev ?? '', path: '/api/kube/api/v1/namespaces/demo/pods/shell/exec' });
    expect([await elsewhere.closed, elsewhere.refusal]).toEqual([1006, 0]);
  });

  it.each<[string, () => Asked, number, string]>([
    [
      'without the right',
      () => ({ cookie: cookies.viewer ?? '' }),
      4403,
      'You may not create pods/exec in namespace demo',
    ],
    [
      'with a session header from outside',
      () => ({ cookie: cookies.viewer ?? '', headers: { 'x-bravo-session': 'x', 'impersonate-user': 'admin' } }),
      4403,
      'You may not create pods/exec',
    ],
    [
      'in a namespace of others',
      () => ({ cookie: cookies.dev ?? '', target: { namespace: 'kube-system' } }),
      4403,
      'kube-system',
    ],
    [
      'in a pod that does not exist',
      () => ({ cookie: cookies.dev ?? '', target: { pod: 'gone' } }),
      4404,
      'pods "gone" not found',
    ],
    [
      'in a container that does not exist',
      () => ({ cookie: cookies.dev ?? '', target: { container: 'none' } }),
      4400,
      'container none',
    ],
  ])('says why it is refused %s', async (_name, asked, code, message) => {
    const end = await new Page(asked()).end();
    expect(end.code).toBe(code);
    expect(end.message).toContain(message);
  });

  it('is not opened by who sees the console as another user', async () => {
    const view = await send('admin', 'POST', '/api/view-as', { user: 'dev' });
    const page = new Page({ cookie: `${cookies.admin}; ${cookiesOf(view)}` });
    expect(await page.end()).toMatchObject({ code: 4403, reason: 'ViewAs' });
    const refused = { person: { name: 'admin' }, result: 'refused', reason: 'ViewAs' };
    await vi.waitFor(() => expect(auditLines().at(-1)).toMatchObject(refused), { timeout: 20_000 });
  });

  it(`is open at most ${limits.terminal.perPerson} times for one person`, async () => {
    const pages: Page[] = [];
    for (let made = 0; made < limits.terminal.perPerson; made++) pages.push(await openShell('dev'));
    expect(await new Page({ cookie: cookies.dev ?? '' }).end()).toMatchObject({ code: 4429 });
    const other = await openShell('admin');
    await closePage(other);
    await closePage(pages[0] ?? other);
    pages.push(await openShell('dev'));
    for (const page of pages) await closePage(page);
  });

  it('takes no frame that is too large, is text, or is of another channel', async () => {
    const large = await openShell('dev');
    large.type('x'.repeat(limits.terminal.frameBytes + 1));
    expect(await large.closed).toBe(1009);
    const bad = [Buffer.from([3, 1]), Buffer.from([CHANNELS.size, ...Buffer.from('{"Width":1e9,"Height":1}')])];
    for (const frame of [...bad, 'text']) {
      const page = await openShell('dev');
      page.socket.send(frame);
      expect(await page.closed).toBe(4400);
    }
  });

  it('passes more than any buffer holds, to a page that reads slowly', async () => {
    const page = await openShell('dev');
    page.type('seq 1 60000 > /tmp/n; cat /tmp/n /tmp/n /tmp/n; echo all-$((1+1))\r');
    page.socket.pause();
    await send('admin', 'GET', '/api/health');
    page.socket.resume();
    await page.shows('all-2\r\n');
    await closePage(page);
  });

  it('is closed when the session ends', async () => {
    cookies.leaver = await signIn('dev');
    const page = await openShell('leaver');
    await send('leaver', 'POST', '/api/auth/sign-out', {});
    expect(await page.closed).toBe(4401);
    await vi.waitFor(() => expect(auditLines().at(-1)?.summary).toContain('Your session has ended'), {
      timeout: 20_000,
    });
  });

  it('is closed when the console stops', async () => {
    const page = await openShell('dev');
    console_.running.child.kill('SIGTERM');
    expect(await page.closed).toBe(4503);
  });
});
