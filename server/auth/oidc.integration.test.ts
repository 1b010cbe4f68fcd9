import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '@/server/sandbox/sandbox';
import { CookieBrowser, startOidcProvider, type TestProvider } from '@/test/programs/oidc-provider';
import { CONSOLE, signedIn, startOidcConsole, startOidcSandbox } from './oidc-fixture';
import type { SignIn } from './sign-in';

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

const startSignIn = (use: 'token' | 'impersonate') => startOidcConsole({ provider, sandbox, use });

async function selfReview(signIn: SignIn, cookies: string): Promise<{ username: string; groups: string[] }> {
  const found = await signIn.read(cookies);
  const person = found && signIn.personIn(found, signIn.persons);
  const review = await person?.api.create(
    { group: 'authentication.k8s.io', version: 'v1', resource: 'selfsubjectreviews' },
    { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} },
  );
  const { userInfo } = (review?.status ?? {}) as { userInfo: { username: string; groups: string[] } };
  return userInfo;
}

describe.each(['token', 'impersonate'] as const)('OIDC, BRAVO_OIDC_MODE=%s', (use) => {
  it('signs in through the provider, and the API server sees user and groups', async () => {
    provider.setGroups('ann', ['devs']);
    const { signIn } = startSignIn(use);
    const { to, cookies } = await signedIn(signIn, 'ann');
    expect(to).toBe('/runs');
    expect(await selfReview(signIn, cookies())).toMatchObject({
      username: 'ann@example.org',
      groups: expect.arrayContaining(['oidc:devs', 'system:authenticated']),
    });
  });

  it('renews the token before it ends, once for all requests, and with it the groups', async () => {
    provider.setGroups('bob', ['devs']);
    const { signIn, clock } = startSignIn(use);
    const { browser, cookies } = await signedIn(signIn, 'bob');
    const before = await signIn.read(cookies());
    provider.setGroups('bob', ['ops']);
    await clock.advance(245_000);
    const refreshes = provider.refreshes();
    const found = await Promise.all([1, 2, 3].map(() => signIn.read(cookies())));
    expect(provider.refreshes() - refreshes).toBe(1);
    expect(found.map((each) => each?.person.groups.filter((group) => group.startsWith('oidc:')))).toEqual([
      ['oidc:ops'],
      ['oidc:ops'],
      ['oidc:ops'],
    ]);
    const identities = [found[0], before].map((each) => each && signIn.personIn(each, signIn.persons).identity);
    expect(identities[0]).not.toBe(identities[1]);
    browser.keep(CONSOLE, found[0]?.setCookie ?? []);
    expect((await selfReview(signIn, cookies())).groups).toContain('oidc:ops');
  });

  it('ends the session when the provider no longer renews it', async () => {
    const { signIn, clock } = startSignIn(use);
    const { browser, cookies } = await signedIn(signIn, 'cy');
    const old = cookies();
    await clock.advance(245_000);
    browser.keep(CONSOLE, (await signIn.read(old))?.setCookie ?? []);
    // The provider takes a refresh token that is used twice for stolen, and withdraws the grant.
    await clock.advance(61_000);
    expect(await signIn.read(old)).toBeUndefined();
    await clock.advance(240_000);
    expect(await signIn.read(cookies())).toBeUndefined();
  });

  it('signs out here and leads to the page of the provider for that, without a token in the URL', async () => {
    const { signIn } = startSignIn(use);
    const { cookies } = await signedIn(signIn, 'dee');
    const before = cookies();
    const { to, setCookie } = await signIn.signOut(before, 'here');
    expect(to).toContain(`${provider.issuer}/session/end?`);
    expect(to).toContain(encodeURIComponent(`${CONSOLE}/sign-in`));
    expect(to).not.toMatch(/eyJ/);
    expect(setCookie.every((line) => line.includes('Max-Age=0'))).toBe(true);
    expect(await signIn.read(before)).toBeUndefined();
  });
});

describe('a renewal while the API server does not answer', () => {
  it('keeps the person, and does not lose the refresh token that the provider has rotated', async () => {
    let isDown = false;
    const { signIn, clock } = startOidcConsole({ provider, sandbox, use: 'token', isDown: () => isDown });
    const { browser, cookies } = await signedIn(signIn, 'ida');
    await clock.advance(250_000);
    isDown = true;
    const found = await signIn.read(cookies());
    expect(found?.person.name).toBe('ida@example.org');
    browser.keep(CONSOLE, found?.setCookie ?? []);
    isDown = false;
    await clock.advance(250_000);
    expect((await selfReview(signIn, cookies())).username).toBe('ida@example.org');
  });
});

describe('the callback', () => {
  it('is refused in a browser that did not begin the sign-in, and for a state of another sign-in', async () => {
    const { signIn } = startSignIn('token');
    const { back, cookies } = await signedIn(signIn, 'eve');
    const search = new URL(back).search;
    expect(await signIn.finishProvider(search, undefined)).toMatchObject({ to: '/sign-in?problem=expired' });
    expect(await signIn.finishProvider(search, cookies())).toMatchObject({ to: '/sign-in?problem=expired' });
    const other = await signIn.provider.begin('/');
    const browser = new CookieBrowser();
    browser.keep(CONSOLE, other?.setCookie ?? []);
    const crossed = await signIn.finishProvider(search, browser.cookies(CONSOLE));
    expect(crossed).toMatchObject({ to: '/sign-in?problem=provider' });
    expect(crossed.setCookie.every((line) => line.includes('Max-Age=0'))).toBe(true);
  });

  it('never leads to another site', async () => {
    const { signIn } = startSignIn('token');
    for (const to of ['//evil.test', '/\\evil.test', 'https://evil.test']) {
      expect((await signedIn(signIn, 'fay', to)).to).toBe('/');
    }
  });
});
