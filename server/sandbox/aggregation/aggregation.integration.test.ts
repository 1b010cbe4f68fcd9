import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { type JsonObject, parseJsonObject } from '@/lib/json/json';
import { systemRandom } from '@/lib/random/random';
import { type Sandbox, startSandbox } from '../sandbox';
import { makeAuthority, makeServerCertificate } from '../tls/certificates';

const run = promisify(execFile);
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

const GROUP = 'weather.example.com';
const VERSION = 'v1beta1';
const NAME = `${VERSION}.${GROUP}`;
const ROOT = `/apis/${GROUP}/${VERSION}`;

const RESOURCES = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${GROUP}/${VERSION}`,
  resources: [
    {
      name: 'reports',
      singularName: 'report',
      namespaced: true,
      kind: 'Report',
      verbs: ['get', 'list', 'watch'],
      shortNames: ['wr'],
    },
    { name: 'reports/status', singularName: '', namespaced: true, kind: 'Report', verbs: ['get'] },
  ],
};

const report = (name: string) => ({
  apiVersion: `${GROUP}/${VERSION}`,
  kind: 'Report',
  metadata: { name, namespace: 'default', resourceVersion: '7' },
  spec: { sky: 'clear' },
});

const ANSWERS: readonly [end: string, body: object][] = [
  [ROOT, RESOURCES],
  [
    '/reports',
    {
      apiVersion: `${GROUP}/${VERSION}`,
      kind: 'ReportList',
      metadata: { resourceVersion: '7' },
      items: [report('monday'), report('tuesday')],
    },
  ],
  ['/reports/monday', report('monday')],
];

let folder: string;
let sandbox: Sandbox;
let server: Server;
let port: number;
let caBundle: string;
/** The headers of the requests that reached the server behind the Service, and the client's certificate. */
let seen: { url: string; headers: { [name: string]: string | string[] | undefined }; client: string }[];
/** What the sandbox would do later. */
let due: (() => void)[];
/** Watches that the server holds. */
let watching: ServerResponse[];

const issue = () => ({ nowMs: systemClock.now(), serial: Buffer.from([1, ...systemRandom.bytes(15)]) });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bravo-aggregation-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  seen = [];
  watching = [];
  due = [];
  const authority = makeAuthority(issue());
  caBundle = Buffer.from(authority.certificatePem).toString('base64');
  const { keyPem, certificatePem } = makeServerCertificate(authority, issue(), ['weather.default.svc']);
  server = createServer({ key: keyPem, cert: certificatePem, requestCert: true, rejectUnauthorized: false });
  server.on('request', (request, response) => {
    const client = (request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? '';
    seen.push({ url: request.url ?? '', headers: request.headers, client: String(client) });
    answer(request.url ?? '', response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  sandbox = await startSandbox({
    port: 0,
    mode: 'no-controllers',
    podDelayMs: 0,
    kubeconfigPath: join(folder, 'kubeconfig'),
    // The checks that the clock would begin are begun by the tests.
    clock: {
      ...systemClock,
      after: (delayMs, check) => (delayMs < 5_000 ? systemClock.after(delayMs, check) : later(check)),
    },
    random: systemRandom,
  });
});

function later(check: () => void) {
  due.push(check);
  return { cancel: () => due.splice(0, due.length, ...due.filter((each) => each !== check)) };
}

afterEach(async () => {
  await sandbox.stop();
  await closeServer();
});

async function closeServer(): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function answer(url: string, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'https://server');
  if (pathname === `${ROOT}/namespaces/default/reports/moved`) {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    return;
  }
  if (pathname.endsWith('/reports') && searchParams.get('watch') !== null) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(`${JSON.stringify({ type: 'ADDED', object: report('monday') })}\n`);
    watching.push(response);
    return;
  }
  const known = ANSWERS.find(([end]) => pathname.endsWith(end))?.[1];
  const body = known ?? {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason: 'NotFound',
    code: 404,
  };
  response.writeHead(known === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const api = { group: '', version: 'v1' };

function expose(address = '127.0.0.1'): void {
  sandbox.api.create(
    { ...api, resource: 'services', namespace: 'default' },
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'weather' }, spec: { ports: [{ port: 443 }] } },
  );
  sandbox.api.create(
    { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices', namespace: 'default' },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'weather-1', labels: { 'kubernetes.io/service-name': 'weather' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ port }],
    },
  );
}

const SERVICES = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' };

function register(more: JsonObject = { caBundle }): void {
  sandbox.api.create(SERVICES, {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: NAME },
    spec: {
      group: GROUP,
      version: VERSION,
      groupPriorityMinimum: 100,
      versionPriority: 100,
      service: { namespace: 'default', name: 'weather' },
      ...more,
    },
  });
}

/** The condition Available of the APIService, as `status reason: message`. */
function condition(): string {
  const status = sandbox.api.get({ ...SERVICES, name: NAME })?.status as { conditions?: JsonObject[] } | undefined;
  const found = status?.conditions?.find(({ type }) => type === 'Available');
  return found === undefined ? '' : `${found.status} ${found.reason}: ${found.message}`;
}

async function until(text: string): Promise<void> {
  await vi.waitFor(() => expect(condition()).toContain(text), { timeout: 10_000, interval: 20 });
}

async function call(path: string, headers: { [name: string]: string } = {}) {
  const authorization = `Bearer ${sandbox.adminToken}`;
  const { status, body } = await sandbox.inject({ method: 'GET', path, headers: { authorization, ...headers } });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return { status, text, json: parseJsonObject(text) ?? {} };
}

describe('an APIService with a Service', () => {
  it('is available when its server answers, and requests go there with the user in headers of the sandbox alone', async () => {
    expose();
    register();
    await until('True Passed: all checks passed');
    seen.length = 0;
    const { status, json } = await call(`${ROOT}/namespaces/default/reports/monday?pretty=true`, {
      'x-remote-user': 'mallory',
      'x-remote-group': 'system:masters',
      'x-remote-extra-scope': 'all',
      cookie: 'a=b',
    });
    expect([status, json.kind]).toEqual([200, 'Report']);
    expect(seen).toHaveLength(1);
    const [{ url, headers, client }] = seen as [(typeof seen)[0]];
    expect(url).toBe(`${ROOT}/namespaces/default/reports/monday?pretty=true`);
    expect(client).toBe('front-proxy-client');
    expect(headers['x-remote-user']).toBe('bravo-admin');
    expect(headers['x-remote-group']).toBe('system:masters, system:authenticated');
    expect([headers.authorization, headers.cookie, headers['x-remote-extra-scope']]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('passes on the groups of an impersonated user, whose rights are checked before the server is asked', async () => {
    expose();
    register();
    await until('True Passed');
    seen.length = 0;
    const { status, json } = await call(`${ROOT}/namespaces/default/reports`, { 'impersonate-user': 'jane' });
    expect([status, json.message]).toEqual([
      403,
      `reports.${GROUP} is forbidden: User "jane" cannot list resource "reports" in API group "${GROUP}" in the namespace "default"`,
    ]);
    expect(seen).toEqual([]);
  });

  it('lets no path through that its server could read otherwise than it was authorized', async () => {
    expose();
    register();
    await until('True Passed');
    seen.length = 0;
    expect((await call(`${ROOT}/namespaces/default/reports/..%2f..%2fkube-system`)).status).toBe(400);
    expect(seen).toEqual([]);
  });

  it('does not give away the group in which it is defined, so that it can be repaired', async () => {
    expose();
    sandbox.api.create(SERVICES, {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.apiregistration.k8s.io' },
      spec: {
        group: 'apiregistration.k8s.io',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        caBundle,
        service: { namespace: 'default', name: 'weather' },
      },
    });
    const { json } = await call('/apis/apiregistration.k8s.io/v1/apiservices/v1.apiregistration.k8s.io');
    expect(json.kind).toBe('APIService');
  });

  it('neither follows nor passes on a redirect', async () => {
    expose();
    register();
    await until('True Passed');
    const { status, json } = await call(`${ROOT}/namespaces/default/reports/moved`);
    expect([status, json.message]).toEqual([
      502,
      'the backend attempted to redirect this request, which is not permitted',
    ]);
  });

  it('passes a watch on event by event, and ends it at the server when the client leaves', async () => {
    expose();
    register();
    await until('True Passed');
    const left = new AbortController();
    const { body } = await sandbox.inject({
      method: 'GET',
      path: `${ROOT}/namespaces/default/reports?watch=true`,
      headers: { authorization: `Bearer ${sandbox.adminToken}` },
      signal: left.signal,
    });
    const events = body[Symbol.asyncIterator]();
    expect(Buffer.from((await events.next()).value as Uint8Array).toString('utf8')).toContain('"monday"');
    const [stream] = watching as [ServerResponse];
    stream.write(`${JSON.stringify({ type: 'MODIFIED', object: report('monday') })}\n`);
    expect(Buffer.from((await events.next()).value as Uint8Array).toString('utf8')).toContain('MODIFIED');
    const ended = new Promise((resolve) => stream.once('close', resolve));
    left.abort();
    await ended;
  });

  it('says what is missing while its Service, port or endpoints are', async () => {
    register();
    await until('False ServiceNotFound: service/weather in "default" is not present');
    sandbox.api.create(
      { ...api, resource: 'services', namespace: 'default' },
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'weather' }, spec: { ports: [{ port: 8443 }] } },
    );
    await until('False ServicePortError: service/weather in "default" is not listening on port 443');
    sandbox.api.delete({ ...api, resource: 'services', namespace: 'default', name: 'weather' });
    await until('ServiceNotFound');
    expect((await call(`${ROOT}/namespaces/default/reports`)).json).toMatchObject({
      code: 503,
      reason: 'ServiceUnavailable',
      message: 'the server is currently unable to handle the request',
    });
    expose();
    await until('True Passed');
  });

  it('is not reached on this machine without a caBundle, nor at any other address that is no pod', async () => {
    expose();
    register({ insecureSkipTLSVerify: true });
    await until('address not allowed: 127.0.0.1 is only reached with a caBundle that verifies the server');
    expect(seen).toEqual([]);
    const slices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices', namespace: 'default' };
    sandbox.api.patch({ ...slices, name: 'weather-1' }, { endpoints: [{ addresses: ['169.254.169.254'] }] });
    await until('address not allowed: 169.254.169.254 is neither a pod nor the loopback address of this machine');
  });

  it('is not spoken to when another authority signed its certificate', async () => {
    expose();
    register({ caBundle: Buffer.from(makeAuthority(issue()).certificatePem).toString('base64') });
    await until('False FailedDiscoveryCheck: failing or missing response from https://127.0.0.1:');
    expect(seen).toEqual([]);
  });

  it('is found unavailable and available again by the checks of the clock, and keeps what it served', async () => {
    expose();
    register();
    await until('True Passed');
    await closeServer();
    await vi.waitFor(() => expect(due).toHaveLength(1));
    for (const check of due.splice(0)) check();
    await until('connect: connection refused');
    const groups = await call('/apis', {
      accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    });
    expect(groups.text).toContain('"shortNames":["wr"]');
    expect(groups.text).toContain('"freshness":"Stale"');
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    await vi.waitFor(() => expect(due).toHaveLength(1));
    for (const check of due.splice(0)) check();
    await until('True Passed');
  });

  it('comes and goes with a CRD of its group when nobody made it', async () => {
    const crds = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
    sandbox.api.create(crds, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `reports.${GROUP}` },
      spec: {
        group: GROUP,
        scope: 'Namespaced',
        names: { plural: 'reports', singular: 'report', kind: 'Report' },
        versions: [{ name: VERSION, served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    await until('True Local: Local APIServices are always available');
    sandbox.api.delete({ ...crds, name: `reports.${GROUP}` });
    await vi.waitFor(() => expect(sandbox.api.get({ ...SERVICES, name: NAME })).toBeUndefined());
  });

  it('is refused with the words of Kubernetes when it is not valid', async () => {
    expect(() => register({ insecureSkipTLSVerify: true, caBundle, versionPriority: 0 })).toThrow(
      /spec.versionPriority: Invalid value: 0: must be positive and less than 1000.*spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present/,
    );
  });
});

describe.runIf(hasKubectl)('kubectl', () => {
  async function kubectl(...args: readonly string[]) {
    const flags = ['--kubeconfig', join(folder, 'kubeconfig'), '--cache-dir', join(folder, `cache-${port}`)];
    const { stdout, stderr } = await run('kubectl', [...flags, ...args], { timeout: 60_000 }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    return { stdout, stderr };
  }

  it('lists, gets and explains where a kind of an aggregated API comes from; and says that it is away', async () => {
    expose();
    writeFileSync(
      join(folder, 'apiservice.yaml'),
      `apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: ${NAME}}
spec: {group: ${GROUP}, version: ${VERSION}, groupPriorityMinimum: 100, versionPriority: 100, caBundle: ${caBundle}, service: {namespace: default, name: weather}}
`,
    );
    expect((await kubectl('apply', '-f', join(folder, 'apiservice.yaml'))).stdout).toContain('created');
    await until('True Passed');
    expect((await kubectl('get', 'wr')).stdout).toMatch(/^NAME +AGE\nmonday .*\ntuesday/);
    expect((await kubectl('get', 'reports', 'monday', '-o', 'jsonpath={.spec.sky}')).stdout).toBe('clear');
    expect((await kubectl('api-resources', '--api-group', GROUP)).stdout).toMatch(
      /reports +wr +weather\.example\.com\/v1beta1 +true +Report/,
    );
    const listed = (await kubectl('get', 'apiservices')).stdout;
    expect(listed).toMatch(/^NAME +SERVICE +AVAILABLE +AGE\nv1\. +Local +True/);
    expect(listed).toMatch(/v1beta1\.weather\.example\.com +default\/weather +True/);

    await closeServer();
    sandbox.api.patch({ ...SERVICES, name: NAME }, { spec: { versionPriority: 99 } });
    await until('False FailedDiscoveryCheck');
    expect(condition()).toContain(`dial tcp 127.0.0.1:${port}: connect: connection refused`);
    expect((await kubectl('get', 'apiservice', NAME)).stdout).toContain('False (FailedDiscoveryCheck)');
    // Clients leave out what stale discovery says; the rest is as it was.
    const fresh = ['--cache-dir', join(folder, `fresh-${port}`)];
    const known = (await kubectl('api-resources', ...fresh)).stdout;
    expect(known).toContain('namespaces');
    expect(known).not.toContain(GROUP);
    const path = `${ROOT}/namespaces/default/reports`;
    expect((await kubectl('get', '--raw', path)).stderr).toContain(
      'the server is currently unable to handle the request',
    );
    expect((await kubectl('get', 'namespaces')).stdout).toContain('kube-system');
  });
});
