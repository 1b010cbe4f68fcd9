import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleProcess, startConsoleProcess } from '@/test/programs/console-process';
import { stopAll } from '@/test/programs/process';
import { ask, type RawAnswer, type RawAsk } from './raw-request';

/** What somebody may try with the view of another user. */
let console_: ConsoleProcess;
const cookies: { [user: string]: string } = {};
const send = (request: RawAsk) => ask(console_.base, request);
const own = () => ({ origin: console_.base, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' });

function cookiesOf(answer: RawAnswer): string {
  const lines = [answer.headers['set-cookie'] ?? []].flat().filter((line) => !line.includes('Max-Age=0'));
  return lines.map((line) => line.split(';', 1)[0]).join('; ');
}

const begin = (user: string, body: object) =>
  send({
    method: 'POST',
    path: '/api/view-as',
    headers: { ...own(), cookie: cookies[user] ?? '' },
    body: JSON.stringify(body),
  });
const asked = async (cookie: string, question: string, headers: RawAsk['headers'] = {}) =>
  JSON.parse((await send({ path: `/api/access?ask=${question}`, headers: { ...headers, cookie } })).text);

beforeAll(async () => {
  console_ = await startConsoleProcess({ BRAVO_AUTH: 'token', BRAVO_CONTROLLER: 'off' });
  for (const user of ['admin', 'dev']) {
    const token = readFileSync(join(console_.settings.BRAVO_DATA ?? '', 'users', `${user}.token`), 'utf8').trim();
    cookies[user] = cookiesOf(
      await send({ method: 'POST', path: '/api/auth/token', headers: own(), body: JSON.stringify({ token, to: '/' }) }),
    );
  }
}, 300_000);
afterAll(stopAll);

describe('the view of another user', () => {
  const PATCH = 'patch:kudo.dev/instances@demo';

  it('has the verdicts of that user, and no others', async () => {
    const view = cookiesOf(await begin('admin', { user: 'viewer' }));
    const both = `${cookies.admin}; ${view}`;
    expect(await asked(both, PATCH)).toMatchObject({ allowed: false, user: 'viewer' });
    expect(await asked(cookies.admin ?? '', PATCH)).toMatchObject({ allowed: true, user: 'admin' });
  });

  it('counts for the person who began it alone', async () => {
    const view = cookiesOf(await begin('admin', { user: 'viewer' }));
    expect(await asked(`${cookies.dev}; ${view}`, PATCH)).toMatchObject({ user: 'dev' });
  });

  it('takes the right to impersonate the user and each group', async () => {
    const refused = await begin('dev', { user: 'viewer', groups: ['system:masters'] });
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.text).message).toBe(
      'You may not view as viewer: that takes the right to impersonate users/viewer, groups/system:masters.',
    );
    expect(refused.headers['set-cookie']).toBeUndefined();
  });

  it('is not begun by a header', async () => {
    const header = Buffer.from(JSON.stringify({ n: 'admin', g: [], b: '["bearer","dev"]', e: 9e15 })).toString(
      'base64url',
    );
    expect(await asked(cookies.dev ?? '', PATCH, { 'x-bravo-view-as': header })).toMatchObject({ user: 'dev' });
  });

  it('is not begun from another site', async () => {
    const headers = {
      ...own(),
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
      cookie: cookies.admin ?? '',
    };
    const answer = await send({ method: 'POST', path: '/api/view-as', headers, body: '{"user":"viewer"}' });
    expect(answer.status).toBe(403);
  });

  it.each([
    ['POST', '/api/kube/api/v1/namespaces/demo/configmaps'],
    ['DELETE', '/api/kube/api/v1/namespaces/demo/configmaps/x'],
    ['POST', '/api/instances/demo/postgres/plans/backup'],
    ['POST', '/api/clusters'],
    ['POST', '/api/controller'],
  ])('changes nothing: %s %s', async (method, path) => {
    const view = cookiesOf(await begin('admin', { user: 'admin' }));
    const headers = { ...own(), cookie: `${cookies.admin}; ${view}` };
    const answer = await send({ method, path, headers, ...(method === 'DELETE' ? {} : { body: '{}' }) });
    expect([answer.status, JSON.parse(answer.text).reason]).toEqual([403, 'ViewAs']);
  });

  it('has ended for a page that still shows it: it changes nothing with the permissions of the person', async () => {
    const headers = { ...own(), cookie: cookies.admin ?? '', 'x-bravo-viewed': 'viewer' };
    const path = '/api/kube/api/v1/namespaces/demo/configmaps';
    const answer = await send({ method: 'POST', path, headers, body: '{}' });
    expect([answer.status, JSON.parse(answer.text).reason]).toEqual([409, 'ViewAsEnded']);
  });

  it.each([{}, { user: '' }, { user: 'a\nb' }, { user: 'x'.repeat(300) }, { user: 'a', groups: Array(60).fill('g') }])(
    'needs names that can be impersonated (%#)',
    async (body) => {
      expect((await begin('admin', body)).status).toBe(400);
    },
  );

  it('ends with the session', async () => {
    const answer = await send({
      method: 'POST',
      path: '/api/auth/sign-out',
      headers: { ...own(), cookie: cookies.dev ?? '' },
      body: '{}',
    });
    expect([answer.headers['set-cookie'] ?? []].flat().join()).toContain('bravo-view-as=;');
  });
});
