import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { plainCluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import type { Sandbox } from '@/server/sandbox/sandbox';
import { startOidcProvider, type TestProvider } from '@/test/programs/oidc-provider';
import { CONSOLE, signedIn, startOidcConsole, startOidcSandbox } from './oidc-fixture';
import { HOLDER_MS, renewalKey } from './renewal-entries';
import { secretDocument } from './shared-document';
import { memoryDocument } from './shared-document-fixture';
import type { FoundSession, SignIn } from './sign-in';

/** ID tokens last for 300 s of the provider's time, a little longer for a virtual clock, and are renewed in the last 60 s. */
const ALMOST_OVER_MS = 250_000;
/** Withdraws a session whose refresh token is used a second time. */
let provider: TestProvider;
let sandbox: Sandbox;

beforeAll(async () => {
  provider = await startOidcProvider({ console: CONSOLE });
  sandbox = await startOidcSandbox(provider);
});

afterAll(async () => {
  await sandbox.stop();
  await provider.close();
});

const refreshTokenOf = (found: FoundSession | undefined) => found?.claims?.oidc?.refreshToken;
const isRenewed = (signIn: SignIn, cookies: string) => signIn.read(cookies).then((found) => found?.setCookie.length);

describe('replicas of the console, and a provider that rotates refresh tokens', () => {
  it('renew a session at the same time with one use of the refresh token, and the session lives on in both', async () => {
    const api = createApi(plainCluster({ server: sandbox.url, ca: sandbox.caPem, token: sandbox.adminToken }), {
      clock: systemClock,
    });
    const document = (name: string) => secretDocument(api, { namespace: 'default', name });
    const shared = {
      ...{ keys: document('bravo-session-keys'), signOuts: document('bravo-sign-outs') },
      ...{ renewals: document('bravo-renewals'), clock: systemClock },
    };
    const clock = new VirtualClock(systemClock.now());
    const consoles = [1, 2, 3].map(() => startOidcConsole({ provider, sandbox, use: 'token', clock, shared }).signIn);
    const [first, second] = consoles;
    if (first === undefined || second === undefined) throw new Error('There are three consoles.');
    const { browser, cookies } = await signedIn(first, 'gil');
    await clock.advance(ALMOST_OVER_MS);
    const before = provider.refreshes();
    const found = await Promise.all(consoles.map((each) => each.read(cookies())));
    expect(provider.refreshes() - before).toBe(1);
    expect(new Set(found.map(refreshTokenOf)).size).toBe(1);
    expect(found.map((each) => each?.person.name)).toEqual(Array(3).fill('gil@example.org'));

    const secret = await api.get({
      ...{ group: '', version: 'v1', resource: 'secrets', namespace: 'default', name: 'bravo-renewals' },
    });
    const text = Object.values(secret?.data ?? {}).map((each) => Buffer.from(String(each), 'base64').toString());
    expect(text).toHaveLength(1);
    expect(text[0]).not.toContain(refreshTokenOf(found[0]));

    browser.keep(CONSOLE, found[1]?.setCookie ?? []);
    await clock.advance(ALMOST_OVER_MS);
    expect(await isRenewed(second, cookies())).toBeGreaterThan(0);
    await api.close();
  });

  it('replace one that died while it renewed; until then requests go on with the ID token that they have', async () => {
    const clock = new VirtualClock(systemClock.now());
    const renewals = memoryDocument();
    const shared = { keys: memoryDocument(), signOuts: memoryDocument(), renewals, clock };
    const { signIn } = startOidcConsole({ provider, sandbox, use: 'token', clock, shared });
    const { browser, cookies } = await signedIn(signIn, 'hal');
    const key = renewalKey(refreshTokenOf(await signIn.read(cookies())) ?? '');
    await clock.advance(ALMOST_OVER_MS);
    await renewals.update(() => new Map([[key, JSON.stringify({ holder: 'died', since: clock.now() })]]));
    const before = provider.refreshes();
    const looked = renewals.nextRead();
    const waiting = isRenewed(signIn, cookies());
    await looked;
    await clock.advance(5_000);
    expect(await waiting).toBe(0);
    await clock.advance(HOLDER_MS - 5_000);
    const found = await signIn.read(cookies());
    expect(provider.refreshes() - before).toBe(1);
    expect(found?.setCookie.length).toBeGreaterThan(0);

    browser.keep(CONSOLE, found?.setCookie ?? []);
    await clock.advance(ALMOST_OVER_MS);
    expect(await isRenewed(signIn, cookies())).toBeGreaterThan(0);
  });
});
