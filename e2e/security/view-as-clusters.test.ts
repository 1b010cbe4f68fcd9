import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { createInstance, createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { type ClustersConsole, startClustersConsole } from '@/test/programs/clusters-console';
import { stopAll, temporaryFolder } from '@/test/programs/process';
import { openStream } from './live-stream';
import { ask, type RawAnswer, type RawAsk } from './raw-request';

/**
 * The view of another user where the console's account impersonates everybody: nothing but the console's own reviews is between a person
 * and another user's rights. `helper` may view as `viewer` in the home cluster alone.
 */
let console_: ClustersConsole;
const engines: { home?: Engine; second?: Engine } = {};
const secret = randomBytes(24).toString('hex');
let view = '';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const rule = (apiGroups: string, resources: readonly string[], verbs: readonly string[], resourceNames?: string[]) => ({
  ...{ apiGroups: [apiGroups], resources, verbs },
  ...(resourceNames === undefined ? {} : { resourceNames }),
});
const READ = [rule('', ['secrets'], ['get', 'list', 'watch']), rule('kudo.dev', ['*'], ['get', 'list', 'watch'])];

/** Gives a user rules, in the namespace or in the whole cluster. */
async function grant(engine: Engine, user: string, namespace: string | undefined, rules: readonly object[]) {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const where = namespace === undefined ? {} : { namespace };
  const object = (what: string, rest: object) =>
    ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: what,
      metadata: { name: user, ...where },
      ...rest,
    }) as KubeObject;
  const plural = (of: string) => `${of.toLowerCase()}s`;
  await engine.api.create({ ...RBAC, resource: plural(kind), ...where }, object(kind, { rules: [...rules] }));
  const subject = { kind: 'User', name: user, apiGroup: RBAC.group };
  const roleRef = { kind, name: user, apiGroup: RBAC.group };
  const binding = object(`${kind}Binding`, { subjects: [subject], roleRef });
  await engine.api.create({ ...RBAC, resource: plural(`${kind}Binding`), ...where }, binding);
}

async function startCluster(name: string): Promise<Engine> {
  const engine = await startEngine({ controller: false });
  for (const namespace of ['helper-only', 'viewer-only']) {
    await createNamespace(engine.api, namespace);
    await createInstance(engine.api, namespace, `${name}-in-${namespace}`, 'none-1.0');
  }
  await grant(engine, 'viewer', 'viewer-only', READ);
  await grant(engine, 'helper', 'helper-only', READ);
  return engine;
}

const as = (user: string, request: RawAsk): Promise<RawAnswer> =>
  ask(console_.base, {
    ...request,
    headers: {
      ...{ origin: console_.base, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      ...{ 'x-bravo-proxy-secret': secret, 'x-remote-user': user },
      ...request.headers,
    },
  });
const inView = (path: string, request: Partial<RawAsk> = {}) =>
  as('helper', { path, ...request, headers: { ...request.headers, cookie: view } });
const problem = ({ status, text }: RawAnswer) => ({ status, reason: JSON.parse(text).reason as string });

async function beginView(path = '/api/view-as'): Promise<RawAnswer> {
  const answer = await as('helper', { method: 'POST', path, body: JSON.stringify({ user: 'viewer' }) });
  return answer;
}

beforeAll(async () => {
  const [home, second] = await Promise.all([startCluster('home'), startCluster('second')]);
  Object.assign(engines, { home, second });
  await grant(home, 'helper', undefined, [rule('', ['users'], ['impersonate'], ['viewer'])]);
  const folder = temporaryFolder('view-as');
  writeFileSync(join(folder, 'secret'), secret);
  const contexts = Object.entries({ home, second }).map(([name, { sandbox }]) => ({
    ...{ name, server: sandbox.url, caPem: sandbox.caPem },
    token: /token: (\S+)/.exec(sandbox.kubeconfig)?.[1] ?? '',
  }));
  console_ = await startClustersConsole(contexts, {
    ...{ BRAVO_AUTH: 'proxy', BRAVO_PROXY_ADDRESSES: '127.0.0.1', BRAVO_PROXY_SECRET_FILE: join(folder, 'secret') },
    ...{ BRAVO_PROXY_USER_HEADER: 'x-remote-user' },
  });
  const answer = await beginView();
  expect(answer.status, answer.text).toBe(200);
  view = [answer.headers['set-cookie'] ?? []].flat()[0]?.split(';', 1)[0] ?? '';
}, 300_000);

afterAll(async () => {
  await stopAll();
  await Promise.all([engines.home?.stop(), engines.second?.stop()]);
});

const SECRETS = { group: '', version: 'v1', resource: 'secrets' };
const createSecret = (engine: Engine | undefined, namespace: string, name: string) =>
  engine?.api.create({ ...SECRETS, namespace }, { apiVersion: 'v1', kind: 'Secret', metadata: { name } });
const streamOf = (path: string) =>
  openStream(console_.base + path, { 'x-bravo-proxy-secret': secret, 'x-remote-user': 'helper', cookie: view });

describe('the event stream of a view', () => {
  const SECRETS_OF_ALL = '/api/live?topic=core/v1/secrets&topic=core/v1/namespaces&topic=kudo.dev/v1beta1/instances';

  it('has what the other user may read, and nothing that only the person may read', async () => {
    await createSecret(engines.home, 'helper-only', 'before-of-helper');
    await createSecret(engines.home, 'viewer-only', 'before-of-viewer');
    const stream = await streamOf(SECRETS_OF_ALL);
    await stream.until(/before-of-viewer/);
    await stream.until(/home-in-viewer-only/);
    await createSecret(engines.home, 'helper-only', 'later-of-helper');
    // The stream keeps the order of the API server: what comes after has passed what came before.
    await createSecret(engines.home, 'viewer-only', 'later-of-viewer');
    const text = await stream.until(/later-of-viewer/);
    stream.close();
    expect(text).not.toMatch(/of-helper|in-helper-only|"name":"helper-only"/);
    expect(text).toContain(JSON.stringify(JSON.stringify({ user: 'viewer', groups: [] })).slice(1, -1));
  });

  it('does not go on from a cursor of the person into what the other user may not read', async () => {
    const headers = { 'x-bravo-proxy-secret': secret, 'x-remote-user': 'helper' };
    const own = await openStream(`${console_.base}/api/live?topic=core/v1/secrets`, headers);
    const seen = await own.until(/before-of-helper/);
    own.close();
    const cursor = /"cursor":"([^"]+)"/.exec(seen)?.[1] ?? '';
    expect(cursor).not.toBe('');
    const stream = await streamOf(`/api/live?topic=core/v1/secrets~${encodeURIComponent(cursor)}`);
    const text = await stream.until(/later-of-viewer/);
    stream.close();
    expect(text).toContain('"type":"snapshot"');
    expect(text).not.toContain('of-helper');
  });

  it('is of the person in a cluster that the view does not show, and says so', async () => {
    const stream = await streamOf('/c/second/api/live?topic=kudo.dev/v1beta1/instances');
    const text = await stream.until(/second-in-/);
    stream.close();
    expect(text).toContain('refused');
    expect(text).toContain('second-in-helper-only');
    expect(text).not.toContain('second-in-viewer-only');
  });
});

describe('a page of a view', () => {
  it('reads nothing when the view has ended, or is another one', async () => {
    const path = '/api/kube/api/v1/namespaces/helper-only/secrets';
    const ended = await as('helper', { path, headers: { 'x-bravo-viewed': 'viewer' } });
    expect(problem(ended)).toEqual({ status: 409, reason: 'ViewAsEnded' });
    expect(problem(await inView(path, { headers: { 'x-bravo-viewed': 'other' } }))).toEqual({
      ...{ status: 409, reason: 'ViewAsEnded' },
    });
  });
});

describe('a view of a user in another cluster', () => {
  it('is not begun there without the right to impersonate in that cluster', async () => {
    expect((await beginView('/c/second/api/view-as')).status).toBe(403);
  });

  it('has of the home cluster what that user may read', async () => {
    const { text } = await inView('/api/clusters/instances');
    expect(text).toContain('home-in-viewer-only');
    expect(text).not.toContain('home-in-helper-only');
  });

  it.each(['/api/clusters/instances', '/api/clusters/find?q=second', '/c/second/api/clusters/instances'])(
    'has nothing of a cluster in which the person may not impersonate that user: %s',
    async (path) => {
      const { text } = await inView(path);
      expect(text).not.toContain('second-in-viewer-only');
      expect(text).not.toContain('second-in-helper-only');
    },
  );

  it('is asked about in the home cluster too, when the address is of another cluster', async () => {
    const before = await inView('/c/second/api/clusters/instances');
    expect(before.text).toContain('home-in-viewer-only');
    expect(before.text).not.toContain('home-in-helper-only');
  });

  it('says in the list of clusters which right is missing', async () => {
    const { clusters } = JSON.parse((await inView('/api/clusters')).text);
    const found = clusters.find(({ name }: { name: string }) => name === 'second');
    expect(found).toMatchObject({ state: 'refused' });
    expect(found.problem).toContain('You may not view as viewer in cluster second');
  });

  it('changes nothing in a cluster where it is refused', async () => {
    const path = '/c/second/api/kube/api/v1/namespaces/helper-only/secrets';
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'written' } });
    expect(problem(await inView(path, { method: 'POST', body }))).toEqual({ status: 403, reason: 'ViewAs' });
  });

  it('says on the pages of that cluster that the person sees it as themselves', async () => {
    const { text } = await inView('/c/second/instances');
    expect(text).toContain('You see this cluster as yourself');
    expect(text).toContain('second-in-helper-only');
    expect(text).not.toContain('second-in-viewer-only');
  });

  it('applies there as soon as the person may impersonate in that cluster', async () => {
    if (engines.second === undefined) throw new Error('no cluster');
    await grant(engines.second, 'helper', undefined, [rule('', ['users'], ['impersonate'], ['viewer', 'other'])]);
    const other = await as('helper', {
      method: 'POST',
      path: '/c/second/api/view-as',
      body: JSON.stringify({ user: 'other' }),
    });
    expect(other.status).toBe(200);
    const cookie = [other.headers['set-cookie'] ?? []].flat()[0]?.split(';', 1)[0] ?? '';
    const page = await as('helper', { path: '/c/second/instances', headers: { cookie } });
    expect(page.text).toContain('data-view-as="other"');
    expect(page.text).not.toContain('second-in-helper-only');
  });
});
