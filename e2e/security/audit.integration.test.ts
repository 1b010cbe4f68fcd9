import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Activity, ActivityEntry } from '@/lib/audit/activity';
import { type ConsoleProcess, startConsoleProcess } from '@/test/programs/console-process';
import { stopAll } from '@/test/programs/process';
import { ask, type RawAnswer } from './raw-request';

const CANARY = 'canary-correct-horse-battery';
const RBAC = '/api/kube/apis/rbac.authorization.k8s.io/v1';

/** A real console with three persons: what each does, and what each sees of it. */
let console_: ConsoleProcess;
const cookies: { [user: string]: string } = {};
const tokenOf = (user: string) =>
  readFileSync(join(console_.settings.BRAVO_DATA ?? '', 'users', `${user}.token`), 'utf8').trim();

function send(user: string, method: string, path: string, body?: unknown, more: object = {}): Promise<RawAnswer> {
  const own = { origin: console_.base, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const headers = { ...own, cookie: cookies[user] ?? '', ...more };
  return ask(console_.base, { method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

async function signIn(user: string, token = tokenOf(user)): Promise<RawAnswer> {
  const answer = await send('', 'POST', '/api/auth/token', { token, to: '/' });
  const lines = [answer.headers['set-cookie'] ?? []].flat().filter((line) => !line.includes('Max-Age=0'));
  cookies[user] = lines.map((line) => line.split(';', 1)[0]).join('; ');
  return answer;
}

const activity = async (user: string, query = ''): Promise<Activity> =>
  JSON.parse((await send(user, 'GET', `/api/activity${query}`)).text);
const words = (entries: readonly ActivityEntry[]) =>
  entries.map(
    ({ person, verb, object, result }) =>
      `${person.name} ${verb} ${object.resource} ${object.namespace}/${object.name} ${result}`,
  );

const files = () => {
  const folder = join(console_.settings.BRAVO_DATA ?? '', 'audit');
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
};

beforeAll(async () => {
  console_ = await startConsoleProcess({
    BRAVO_AUTH: 'token',
    BRAVO_CONTROLLER: 'off',
    BRAVO_TRUSTED_PROXIES: '127.0.0.1',
  });
  for (const user of ['admin', 'dev', 'viewer']) await signIn(user);
});
afterAll(stopAll);

describe('what people do', () => {
  it('is in the log with its result, and no value of it', async () => {
    const secret = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
      stringData: { password: CANARY },
    });
    await signIn('nobody', CANARY);
    const from = { 'x-forwarded-for': '198.51.100.7' };
    expect((await send('admin', 'POST', '/api/kube/api/v1/namespaces/demo/secrets', secret('pw'), from)).status).toBe(
      201,
    );
    expect((await send('viewer', 'POST', '/api/kube/api/v1/namespaces/demo/secrets', secret('no'))).status).toBe(403);
    expect((await send('admin', 'GET', '/api/kube/api/v1/namespaces/demo/secrets/pw')).text).toContain(btoa(CANARY));
    const values = { parameters: { PASSWORD: CANARY }, seen: {}, reason: CANARY, confirm: CANARY, breakLock: CANARY };
    for (const path of [
      '/api/instances/demo/no/parameters',
      '/api/instances/demo/no/plans/deploy',
      '/api/instances/demo/no/version',
      '/api/packages/postgres/1.0.0/install',
      '/api/runs/demo/no/undo',
      '/api/instances/demo/no/drift/prune',
    ]) {
      expect(
        (await send('dev', 'POST', path, { ...values, uids: [CANARY], operatorVersion: 'v' })).status,
      ).toBeGreaterThan(399);
    }
    await send('dev', 'PATCH', '/api/runs/demo/no', { do: 'skip', phase: 'a', step: 'b', reason: CANARY });
    await send('dev', 'DELETE', '/api/instances/demo/no', { uid: CANARY });
    await send('viewer', 'POST', '/api/auth/sign-out', {});
    await signIn('viewer');
    const { entries } = await activity('admin');
    expect(words(entries)).toEqual(
      expect.arrayContaining([
        ' sign-in sessions / refused',
        'admin create secrets demo/pw ok',
        'viewer create secrets demo/no refused',
        'admin read secrets demo/pw ok',
        'dev edit instances demo/no refused',
        'dev run instances demo/no refused',
        'dev skip planruns demo/no refused',
        'viewer sign-out sessions / ok',
        'viewer sign-in sessions / ok',
      ]),
    );
    expect(entries.find(({ object }) => object.name === 'pw' && object.resource === 'secrets')?.cluster).not.toBe('');
    expect(entries.find(({ verb, object }) => verb === 'create' && object.name === 'pw')?.address).toBe('198.51.100.7');
    expect(entries.find(({ object }) => object.name === 'no' && object.resource === 'secrets')).toMatchObject({
      status: 403,
      reason: 'Forbidden',
    });
    for (const text of [files(), JSON.stringify(entries), console_.running.output()]) {
      expect(text).not.toContain(CANARY);
      expect(text).not.toContain(btoa(CANARY));
      expect(text).not.toContain(tokenOf('admin'));
    }
  });

  it('is not more because somebody looks, previews or asks', async () => {
    const before = (await activity('admin')).all;
    await send('dev', 'POST', '/api/instances/demo/no/plans/deploy?dryRun=true', {});
    await send('dev', 'GET', '/api/kube/api/v1/namespaces/demo/configmaps');
    await send('dev', 'GET', '/api/access?ask=patch:kudo.dev/instances@demo');
    expect((await activity('admin')).all).toBe(before);
  });

  it('is not sent again when nothing is new', async () => {
    const again = async () => {
      const { version } = await activity('admin');
      return (await send('admin', 'GET', `/api/activity?seen=${encodeURIComponent(version)}`)).text;
    };
    await expect.poll(again).toBe('{"unchanged":true}');
  });
});

describe('what others did', () => {
  it('is seen of objects that a person may read: Secrets by who may read Secrets', async () => {
    const { entries } = await activity('viewer');
    expect(words(entries)).toContain('dev edit instances demo/no refused');
    expect(words(entries)).toContain('viewer create secrets demo/no refused');
    expect(words(entries)).not.toContain('admin create secrets demo/pw ok');
  });

  it('has no sign-ins, and no other namespace, for who may not list all Instances', async () => {
    await send('admin', 'DELETE', `${RBAC}/clusterrolebindings/bravo-sample-view`);
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'viewer-in-demo' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'viewer' }],
    };
    expect((await send('admin', 'POST', `${RBAC}/namespaces/demo/rolebindings`, binding)).status).toBe(201);
    await send('admin', 'POST', '/api/instances/shop/db/drift/restore', {});
    // What a person may read is asked for again after 30 s.
    await expect
      .poll(async () => words((await activity('viewer')).entries), { timeout: 60_000, interval: 2_000 })
      .not.toContain('dev sign-in sessions / ok');
    const seen = words((await activity('viewer')).entries);
    expect(seen).toContain('viewer sign-in sessions / ok');
    expect(seen).toContain('dev edit instances demo/no refused');
    expect(seen.filter((line) => line.includes(' shop/'))).toEqual([]);
    expect(words((await activity('admin')).entries)).toContain('admin restore instances shop/db refused');
  });

  it('is exported with the same rights, and the export is an entry', async () => {
    const csv = await send('viewer', 'GET', '/api/activity/export?format=csv&verb=sign-in');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = csv.text.trimEnd().split('\r\n').slice(1);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every((line) => line.split(',')[1] === 'viewer')).toBe(true);
    const jsonl = await send('admin', 'GET', '/api/activity/export?format=jsonl&result=refused');
    const results = jsonl.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).result);
    expect(new Set(results)).toEqual(new Set(['refused']));
    expect(words((await activity('admin')).entries)).toContain('viewer download activity / ok');
    expect((await send('admin', 'GET', '/api/activity/export?format=xml')).status).toBe(400);
  });
});

it('needs a session', async () => {
  expect((await send('', 'GET', '/api/activity')).status).toBe(401);
  expect((await send('', 'GET', '/api/activity/export?format=csv')).status).toBe(401);
});
