import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleProcess, startConsoleProcess } from '@/test/programs/console-process';
import { projectRoot, stopAll } from '@/test/programs/process';
import { ask, type RawAsk } from './raw-request';

/** What a page of another site, a script or another host may send to a running console. */
let console_: ConsoleProcess;
const send = (request: RawAsk) => ask(console_.base, request);
const own = () => ({ origin: console_.base, 'sec-fetch-site': 'same-origin' });

beforeAll(async () => {
  console_ = await startConsoleProcess({ BRAVO_CONTROLLER: 'off' });
});

afterAll(stopAll);

const PAGES = ['/', '/instances', '/operators', '/install', '/resources', '/resources/create', '/no/such/page'];
const CONFIG_MAPS = '/api/kube/api/v1/namespaces/demo/configmaps';
const configMap = (name: string) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

describe('every page', () => {
  it.each(PAGES)('%s has a content security policy with its own nonce and without unsafe scripts', async (path) => {
    const [first, second] = await Promise.all([send({ path }), send({ path })]);
    const policy = String(first.headers['content-security-policy']);
    const nonce = /'nonce-([A-Za-z0-9+/=]{20,})'/.exec(policy)?.[1];
    expect(nonce).toBeDefined();
    expect(policy).not.toMatch(/script-src[^;]*unsafe-(inline|eval)/);
    for (const part of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"]) {
      expect(policy).toContain(part);
    }
    expect(second.headers['content-security-policy']).not.toBe(policy);
    const bare = [...first.text.matchAll(/<script\b([^>]*)>/g)].filter(
      ([, rest]) => !rest?.includes(`nonce="${nonce}"`),
    );
    expect(bare.map(([tag]) => tag)).toEqual([]);
  });

  it.each(PAGES)('%s is not cached, framed or sniffed, and sends no referrer', async (path) => {
    const { headers } = await send({ path });
    expect(headers['cache-control']).toContain('no-store');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-powered-by']).toBeUndefined();
  });
});

describe('the Host header', () => {
  it.each(['evil.test', 'evil.test:80', 'localhost', '127.0.0.1', '169.254.169.254', 'localhost.evil.test'])(
    'refuses %s for pages and routes alike',
    async (host) => {
      for (const path of ['/', '/api/health', '/api/live', CONFIG_MAPS, '/icon.svg']) {
        expect((await send({ path, headers: { host } })).status).toBe(421);
      }
    },
  );
});

describe('an idle connection', () => {
  it('stays open longer than clients and proxies keep theirs, so that it does not close during a request', async () => {
    const { headers } = await send({ path: '/api/live', headers: { connection: 'keep-alive' } });
    const seconds = Number(/timeout=(\d+)/.exec(String(headers['keep-alive']))?.[1]);
    expect(seconds).toBeGreaterThan(75);
  });
});

/** Every route under /api of the build: a new route is included by itself. */
function builtRoutes(): string[] {
  const manifest = JSON.parse(readFileSync(join(projectRoot, '.next/app-path-routes-manifest.json'), 'utf8')) as object;
  return Object.values(manifest)
    .filter((path): path is string => typeof path === 'string' && path.startsWith('/api/'))
    .map((path) => path.replace('[...path]', 'api/v1/pods').replaceAll(/\[[^\]]+\]/g, 'x'));
}

describe('every route of the build', () => {
  it('goes through the one wrapper, which refuses other sites with its own message', async () => {
    const routes = builtRoutes();
    expect(routes.length).toBeGreaterThan(8);
    for (const path of routes) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await send({
          method,
          path,
          headers: { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' },
        });
        // 405: the route has no such handler.
        expect([403, 405], `${method} ${path}`).toContain(answer.status);
        if (answer.status === 403) {
          expect(answer.headers['content-type']).toBe('application/problem+json');
          expect(answer.headers['cache-control']).toBe('no-store');
          expect(JSON.parse(answer.text)).toMatchObject({ status: 403, reason: 'Forbidden' });
        }
      }
    }
  });
});

describe('a change', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };

  it.each<[string, { [name: string]: string }]>([
    ['without Origin and Sec-Fetch-Site', JSON_TYPE],
    ['from another origin', { ...JSON_TYPE, origin: 'http://evil.test' }],
    [
      'from another port of this machine',
      { ...JSON_TYPE, origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
    ],
    ['from an opaque origin', { ...JSON_TYPE, origin: 'null' }],
    ['from another site, whatever Origin says', { ...JSON_TYPE, 'sec-fetch-site': 'cross-site' }],
  ])('is refused %s', async (_name, headers) => {
    const body = configMap('forged');
    expect((await send({ method: 'POST', path: CONFIG_MAPS, headers, body })).status).toBe(403);
    expect((await send({ path: `${CONFIG_MAPS}/forged` })).status).toBe(404);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/html', ''])(
    'is refused with the content type %j, which a form could send',
    async (type) => {
      const headers = type === '' ? own() : { ...own(), 'content-type': type };
      expect((await send({ method: 'POST', path: CONFIG_MAPS, headers, body: configMap('form') })).status).toBe(415);
    },
  );

  it('is accepted from the console itself', async () => {
    const answer = await send({
      method: 'POST',
      path: CONFIG_MAPS,
      headers: { ...own(), ...JSON_TYPE },
      body: configMap('own'),
    });
    expect(answer.status).toBe(201);
    expect((await send({ method: 'DELETE', path: `${CONFIG_MAPS}/own`, headers: own() })).status).toBe(200);
  });

  it('is never made with GET, whatever the query says', async () => {
    expect((await send({ path: `${CONFIG_MAPS}?method=DELETE&_method=POST` })).status).toBe(400);
  });

  it('is refused when it is too large, too deep or compressed', async () => {
    const headers = { ...own(), ...JSON_TYPE };
    const post = (body: string, more: object = {}) =>
      send({ method: 'POST', path: CONFIG_MAPS, headers: { ...headers, ...more }, body }).then(
        ({ status }) => status,
        () => 0,
      );
    expect([413, 0]).toContain(await post(`"${'a'.repeat(3 * 1024 * 1024 + 1)}"`));
    expect(await post(`${'['.repeat(5000)}${']'.repeat(5000)}`)).toBe(400);
    expect(await post('{}', { 'content-encoding': 'gzip' })).toBe(415);
  });
});

/** Paths that must not leave the Kubernetes API; the answer is 400 or 404 and never the API's own. */
const PATH_TRICKS = [
  '/api/kube/metrics',
  '/api/kube/logs/kube-apiserver.log',
  '/api/kube/debug/pprof/profile',
  '/api/kube/api/v1/../../metrics',
  '/api/kube/api/v1/%2e%2e/%2e%2e/metrics',
  '/api/kube/api/v1/%252e%252e/metrics',
  '/api/kube/api/v1/..%2f..%2fmetrics',
  '/api/kube/api/v1/..%5c..%5cmetrics',
  '/api/kube/api/v1/namespaces/demo%2fpods',
  '/api/kube/api/v1/namespaces/demo/pods/a%2fexec',
  '/api/kube/api/v1/namespaces/demo/pods/a%00',
  '/api/kube/api/v1/namespaces/demo/pods/a%0d%0aHost:evil',
  '/api/kube/api/v1/namespaces/demo/pods/a;b',
  '/api/kube/api/v1/namespaces/demo/pods/%ff',
  '/api/kube/api/v1/namespaces/demo/pods/a%3fwatch=1',
  '/api/kube//evil.test/api/v1/pods',
  '/api/kube/http:%2f%2fevil.test/',
  '/api/kube/api/v1//pods',
  '/api/kube/api/v1/watch/pods',
  '/api/kube/api/v1/proxy/nodes/x',
  '/api/kube/.well-known/openid-configuration',
  '/api/kube/API/V1/pods',
];

/** Requests that the proxy refuses even for a cluster administrator. */
const DENIED = [
  ['GET', '/api/kube/api/v1/namespaces/demo/pods/a/exec'],
  ['POST', '/api/kube/api/v1/namespaces/demo/pods/a/exec'],
  ['POST', '/api/kube/api/v1/namespaces/demo/pods/a/attach'],
  ['GET', '/api/kube/api/v1/namespaces/demo/pods/a/portforward'],
  ['GET', '/api/kube/api/v1/namespaces/demo/pods/a/proxy'],
  ['GET', '/api/kube/api/v1/namespaces/demo/services/a/proxy'],
  ['GET', '/api/kube/api/v1/nodes/a/proxy'],
  ['POST', '/api/kube/api/v1/namespaces/demo/serviceaccounts/default/token'],
  ['PUT', '/api/kube/api/v1/namespaces/demo/finalize'],
  ['POST', '/api/kube/api/v1/namespaces/demo/pods/a/binding'],
] as const;

describe('the proxy to the Kubernetes API', () => {
  it.each(PATH_TRICKS)('does not pass %s', async (path) => {
    const answer = await send({ path });
    expect([400, 404, 308]).toContain(answer.status);
    expect(answer.text).not.toMatch(/"kind":"Status"|# HELP|BEGIN CERTIFICATE/);
    if (answer.status === 308) expect(String(answer.headers.location)).toMatch(/^\/[^/]/);
  });

  it.each(DENIED)('does not pass %s %s', async (method, path) => {
    const body = method === 'GET' ? undefined : '{}';
    const headers = { ...own(), 'content-type': 'application/json' };
    const answer = await send({ method, path, headers, ...(body === undefined ? {} : { body }) });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text).message).toContain('does not allow');
  });

  it('passes names with colons, versions, tables and watches', async () => {
    expect((await send({ path: '/api/kube/version' })).status).toBe(200);
    expect((await send({ path: '/api/kube/apis/rbac.authorization.k8s.io/v1/clusterroles/system:none' })).status).toBe(
      404,
    );
    const table = await send({
      path: CONFIG_MAPS,
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    });
    expect(JSON.parse(table.text).kind).toBe('Table');
    const watch = await send({ path: `${CONFIG_MAPS}?watch=1&resourceVersion=0&timeoutSeconds=1` });
    expect([watch.status, watch.headers['content-encoding']]).toEqual([200, undefined]);
  });

  it("passes the API's own Status of a failure, and none of its headers", async () => {
    const answer = await send({ path: `${CONFIG_MAPS}/missing` });
    expect(JSON.parse(answer.text)).toMatchObject({ kind: 'Status', reason: 'NotFound', code: 404 });
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('does not let a client choose its user', async () => {
    const forged = {
      authorization: 'Bearer wrong',
      'impersonate-user': 'nobody',
      'impersonate-group': ['a', 'b'],
      'x-remote-user': 'nobody',
      'x-forwarded-for': '1.2.3.4',
      connection: 'close, Impersonate-User',
    };
    const path = '/api/kube/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
    const ask = (more: object) =>
      send({ method: 'POST', path, body, headers: { ...own(), 'content-type': 'application/json', ...more } });
    const [plain, tricked] = [await ask({}), await ask(forged)];
    expect(tricked.status).toBe(plain.status);
    expect(JSON.parse(tricked.text).status?.userInfo).toEqual(JSON.parse(plain.text).status?.userInfo);
  });
});

describe('an upload', () => {
  it('is refused with a message, which shows nothing of the machine', async () => {
    const headers = { ...own(), 'content-type': 'application/gzip' };
    const answer = await send({ method: 'POST', path: '/api/packages', headers, body: 'no archive' });
    expect(answer.status).toBe(422);
    expect(answer.text).not.toContain(projectRoot);
    expect(answer.text).not.toMatch(/at .*\.m?js:\d+/);
  });
});
