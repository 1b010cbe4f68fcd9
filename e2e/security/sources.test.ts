import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleProcess, startConsoleProcess } from '@/test/programs/console-process';
import { stopAll } from '@/test/programs/process';
import { ask, type RawAsk } from './raw-request';

/** Which sources may send a change or open a stream, and which protections a header cannot switch off. */
let console_: ConsoleProcess;
const send = (request: RawAsk) => ask(console_.base, request);

beforeAll(async () => {
  console_ = await startConsoleProcess({ BRAVO_CONTROLLER: 'off' });
});

afterAll(stopAll);

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];
const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/html',
  'application/octet-stream',
  undefined,
];
type Headers = { [name: string]: string };
const sources = (): readonly (readonly [name: string, headers: Headers, isOwn: boolean])[] => [
  ['the console itself', { origin: console_.base, 'sec-fetch-site': 'same-origin' }, true],
  ['an old browser on the console', { origin: console_.base }, true],
  ['another site', { origin: 'http://evil.test', 'sec-fetch-site': 'cross-site' }, false],
  ['another port', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }, false],
  ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }, false],
  ['an unknown source', {}, false],
];

const patchType = (type: string) => type.replace('application/json', 'application/merge-patch+json');

describe('a change', () => {
  it.each(METHODS)(
    'by %s is accepted only from the console itself, and only with a content type that no form can send',
    async (method) => {
      for (const [name, source, isOwn] of sources()) {
        for (const type of TYPES) {
          const answer = await send({
            method,
            path: '/api/kube/api/v1/namespaces/demo/configmaps/none',
            headers: {
              ...source,
              'content-length': '2',
              // The API accepts JSON for a patch only with a content type that names the kind of patch.
              ...(type === undefined ? {} : { 'content-type': method === 'PATCH' ? patchType(type) : type }),
            },
            body: '{}',
          });
          const isJson = type?.startsWith('application/json') === true;
          const refused = answer.status === 403 || answer.status === 415;
          expect(refused, `${name}, ${type}: ${answer.status}`).toBe(!(isOwn && isJson));
        }
      }
    },
  );
});

describe('the event stream', () => {
  it.each([
    [{ origin: 'http://evil.test' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }],
  ])('is not opened for %j', async (headers) => {
    expect((await send({ path: '/api/live?topic=core/v1/pods', headers })).status).toBe(403);
  });

  it.each(['/api/live?topic=core/v1/pods', '/api/kube/api/v1/namespaces/demo/pods/a/exec', '/'])(
    'and no socket is upgraded at %s',
    async (path) => {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        origin: 'http://evil.test',
      };
      const answer = await send({ path, headers }).catch(() => ({ status: 0 }));
      expect(answer.status).not.toBe(101);
    },
  );
});

describe('a header of the request', () => {
  it.each([
    { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
    { 'x-middleware-prefetch': '1' },
    { 'x-nextjs-data': '1' },
    { purpose: 'prefetch' },
  ])('does not switch the policy off: %j', async (headers) => {
    const answer = await send({ path: '/instances', headers });
    expect(String(answer.headers['content-security-policy'] ?? '')).toContain("frame-ancestors 'none'");
    expect(String(answer.headers['cache-control'])).toContain('no-store');
  });
});

describe('an answer', () => {
  it.each([
    '/api/kube/api/v1/namespaces',
    '/api/resources',
    '/api/packages',
    '/api/ready',
    '/instances?_rsc=1',
    '/no/such',
  ])('at %s is not cached', async (path) => {
    expect(String((await send({ path })).headers['cache-control'])).toContain('no-store');
  });

  it('may be cached only when it is a script whose name contains its digest', async () => {
    const page = await send({ path: '/' });
    const script = /src="(\/_next\/static\/[^"]+)"/.exec(page.text)?.[1] ?? '';
    expect(String((await send({ path: script })).headers['cache-control'])).toContain('immutable');
  });
});
