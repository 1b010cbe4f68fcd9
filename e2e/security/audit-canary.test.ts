import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ActivityEntry } from '@/lib/audit/activity';
import { type ConsoleProcess, startConsoleProcess } from '@/test/programs/console-process';
import { CookieBrowser, startOidcProvider } from '@/test/programs/oidc-provider';
import { freePort, stopAll, temporaryFolder } from '@/test/programs/process';
import { ask, type RawAnswer, type RawAsk } from './raw-request';

/** What no line of the audit log, no entry of the page Activity and no line of the console's own log may contain, with each way to sign in. */
afterAll(stopAll);

const CANARY = 'canary-correct-horse-battery';
const RBAC = '/api/kube/apis/rbac.authorization.k8s.io/v1';

/** Headers that a browser, a proxy or somebody who tries sends along. */
const LOADED: NonNullable<RawAsk['headers']> = {
  authorization: `Bearer ${CANARY}-authorization`,
  'x-forwarded-access-token': `${CANARY}-access-token`,
  'x-forwarded-for': `${CANARY}-address, 203.0.113.9`,
  'x-request-id': `${CANARY}-request-id`,
  'x-execution-uid': `${CANARY}-execution`,
  'user-agent': `${CANARY}-agent`,
  referer: `http://127.0.0.1/?code=${CANARY}-referer`,
};

interface Writer {
  readonly served: ConsoleProcess;
  /** What proves who a request is of. */
  readonly headers: () => NonNullable<RawAsk['headers']>;
}

function send({ served, headers }: Writer, method: string, path: string, body?: unknown): Promise<RawAnswer> {
  const { cookie, ...proof } = headers();
  const own = { origin: served.base, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const cookies = [cookie, `other=${CANARY}-cookie`].filter((each) => each !== undefined).join('; ');
  const all = { ...LOADED, ...own, ...proof, cookie: cookies };
  return ask(served.base, {
    method,
    path,
    headers: all,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** A change that succeeds or is refused, one that fails, and a read of Secrets, each with values that nobody may find again. */
async function act(writer: Writer): Promise<void> {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'pw' }, stringData: { password: CANARY } };
  await send(writer, 'POST', '/api/kube/api/v1/namespaces/demo/secrets', secret);
  await send(writer, 'GET', `/api/kube/api/v1/namespaces/demo/secrets/pw?x=${CANARY}-query`);
  await send(writer, 'POST', `/api/instances/demo/no/plans/deploy?x=${CANARY}-query`, {
    parameters: { PASSWORD: CANARY },
  });
  await send(writer, 'POST', '/api/view-as', { user: 'system:admin', groups: [`${CANARY}-group`] });
  await send(writer, 'PUT', `${RBAC}/namespaces/demo/roles/${'r'.repeat(300)}`, { metadata: { name: CANARY } });
}

/** Everything that is written down, and the entries of the audit log. */
function written({ served }: Writer): { readonly text: string; readonly entries: readonly ActivityEntry[] } {
  const folder = join(served.settings.BRAVO_DATA ?? '', 'audit');
  const lines = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const entries = lines.join('').trimEnd().split('\n');
  return { text: lines.join('') + served.running.output(), entries: entries.map((line) => JSON.parse(line)) };
}

function expectClean(text: string, secrets: readonly string[]): void {
  for (const secret of secrets.filter((each) => each.length > 8)) {
    for (const form of [secret, btoa(secret), encodeURIComponent(secret)]) expect(text).not.toContain(form);
  }
}

const verbs = (entries: readonly ActivityEntry[], person: string) =>
  new Set(entries.filter((entry) => entry.person.name === person).map(({ verb, result }) => `${verb} ${result}`));

it('with OIDC: neither tokens nor codes, cookies, or values of headers', async () => {
  const port = String(await freePort());
  const base = `http://127.0.0.1:${port}`;
  const provider = await startOidcProvider({ console: base });
  const served = await startConsoleProcess({
    ...{ PORT: port, BRAVO_URL: base, BRAVO_AUTH: 'oidc', BRAVO_CONTROLLER: 'off', BRAVO_LOG: 'info' },
    ...{ BRAVO_OIDC_ISSUER: provider.issuer, BRAVO_OIDC_CLIENT_ID: provider.clientId },
    ...{ BRAVO_OIDC_USERNAME_CLAIM: 'email', BRAVO_TRUSTED_PROXIES: '127.0.0.1' },
  });
  const browser = new CookieBrowser();
  const seen: string[] = [];
  const noteCookies = () =>
    seen.push(
      ...browser
        .cookies(base)
        .split('; ')
        .map((pair) => pair.slice(pair.indexOf('=') + 1)),
    );
  const begun = await browser.open(`${base}/api/auth/oidc/start?to=/runs`);
  noteCookies();
  const back = await browser.signInAtProvider(begun.headers.get('location') ?? '', 'ann', base);
  const query = new URL(back).searchParams;
  seen.push(query.get('code') ?? '', query.get('state') ?? '');
  // Once with a code that is not the provider's, which is refused.
  const forged = back.replace(/code=[^&]+/, `code=${CANARY}-code`);
  await ask(base, {
    path: forged.slice(base.length),
    headers: { cookie: browser.cookies(base), 'sec-fetch-mode': 'navigate' },
  });
  const finished = await browser.open(back);
  expect(finished.status).toBe(303);
  noteCookies();
  const writer = { served, headers: () => ({ cookie: browser.cookies(base) }) };
  await act(writer);
  const page = await send(writer, 'GET', '/api/activity');
  await send(writer, 'POST', '/api/auth/sign-out', {});
  // A line is written after its answer.
  const ofAnn = () => [...verbs(written(writer).entries, 'ann@example.org')];
  await expect.poll(ofAnn).toEqual(expect.arrayContaining(['sign-in ok', 'sign-out ok']));
  const { text, entries } = written(writer);
  expect(entries.length).toBeGreaterThan(4);
  expect(provider.tokens().length).toBeGreaterThan(1);
  expect(seen.length).toBeGreaterThan(3);
  expectClean(text + page.text, [CANARY, ...provider.tokens(), ...seen]);
  await provider.close();
});

describe('behind a proxy', () => {
  it('neither its secret, what it forwards, nor cookies', async () => {
    const secret = randomBytes(24).toString('hex');
    const file = join(temporaryFolder('proxy'), 'secret');
    writeFileSync(file, secret);
    const served = await startConsoleProcess({
      ...{ BRAVO_AUTH: 'proxy', BRAVO_PROXY_ADDRESSES: '127.0.0.1', BRAVO_PROXY_SECRET_FILE: file },
      ...{ BRAVO_CONTROLLER: 'off', BRAVO_LOG: 'info', BRAVO_TRUSTED_PROXIES: '127.0.0.1' },
    });
    const writer = { served, headers: () => ({ 'x-bravo-proxy-secret': secret, 'x-remote-user': 'dev' }) };
    await act(writer);
    const wrong = { served, headers: () => ({ 'x-bravo-proxy-secret': `${CANARY}-secret`, 'x-remote-user': 'dev' }) };
    expect((await send(wrong, 'DELETE', '/api/instances/demo/no')).status).toBe(401);
    const page = await send(writer, 'GET', '/api/activity');
    const { text, entries } = written(writer);
    expect([...verbs(entries, 'dev')]).toEqual(
      expect.arrayContaining(['create refused', 'read refused', 'run refused']),
    );
    expect(entries.map(({ verb }) => verb)).not.toContain('delete');
    expect(new Set(entries.map(({ address }) => address))).toEqual(new Set(['203.0.113.9']));
    expectClean(text + page.text, [CANARY, secret]);
  });
});
