import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../test/browser/looks';
import { type ConsoleProcess, startConsoleProcess } from '../../test/programs/console-process';
import { startOidcProvider, type TestProvider } from '../../test/programs/oidc-provider';
import { freePort } from '../../test/programs/process';

/** An answer 401 is an error in the browser's log, so these tests do not use the fixture that forbids such messages. */
let byToken: ConsoleProcess;
let byProvider: ConsoleProcess;
let provider: TestProvider;

test.beforeAll(async () => {
  test.setTimeout(400_000);
  byToken = await startConsoleProcess({ BRAVO_AUTH: 'token', KUBECONFIG: '' });
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  // A minute before its end a token is renewed: these are renewed five seconds after they were made.
  provider = await startOidcProvider({ console: base, idTokenSeconds: 65 });
  byProvider = await startConsoleProcess({
    PORT: String(port),
    KUBECONFIG: '',
    BRAVO_AUTH: 'oidc',
    BRAVO_URL: base,
    BRAVO_OIDC_ISSUER: provider.issuer,
    BRAVO_OIDC_CLIENT_ID: provider.clientId,
    BRAVO_OIDC_USERNAME_CLAIM: 'email',
  });
});

test.afterAll(async () => {
  await Promise.all([byToken?.running.stop(), byProvider?.running.stop(), provider?.close()]);
});

const tokenOf = (user: string) =>
  readFileSync(join(byToken.settings.BRAVO_DATA ?? '', 'users', `${user}.token`), 'utf8').trim();

async function signInWithToken(page: Page, user: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Token' }).fill(tokenOf(user));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signInAtProvider(page: Page, account: string): Promise<void> {
  await page.getByRole('link', { name: /^Sign in with/ }).click();
  await page.locator('input[name=login]').fill(account);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.locator('button[type=submit]').click();
}

test('a person signs in with a token, goes on where they wanted to go, and signs out', async ({ page }) => {
  await page.goto(`${byToken.base}/instances/demo/postgres`);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Token' }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('The API server does not accept this token')).toBeVisible();
  await signInWithToken(page, 'viewer');
  await page.waitForURL('**/instances/demo/postgres');
  await expect(page.getByText('You may view this instance, but not change it')).toBeVisible();
  expect(await page.evaluate(() => document.cookie)).not.toContain('bravo=');
  await page.getByRole('button', { name: 'Signed in as viewer' }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.waitForURL('**/sign-in');
  await page.goto(`${byToken.base}/instances`);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('a token that is pasted before the scripts of the page run is kept, and does not get into the address', async ({
  page,
}) => {
  let run = () => {};
  const held = new Promise<void>((resolve) => {
    run = resolve;
  });
  await page.route('**/_next/**/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${byToken.base}/sign-in`, { waitUntil: 'commit' });
  const field = page.getByRole('textbox', { name: 'Token' });
  await field.fill(tokenOf('viewer'));
  await field.press('Enter');
  const button = page.getByRole('button', { name: 'Sign in', exact: true });
  await expect(page).toHaveURL(`${byToken.base}/sign-in`);
  await expect(button).toBeDisabled();
  run();
  await button.click();
  await expect(page.getByRole('button', { name: 'Signed in as viewer' })).toBeVisible();
});

test('a draft survives the end of the session, and is applied after the next sign-in', async ({ page, context }) => {
  await page.goto(`${byToken.base}/instances/demo/postgres/parameters`);
  await signInWithToken(page, 'dev');
  const field = page.locator('[data-parameter="MAX_CONNECTIONS"] input');
  await field.fill('123');
  await context.clearCookies();
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    dialog.getByRole('button', { name: 'Sign in again' }).click(),
  ]);
  await signInWithToken(tab, 'dev');
  await expect(dialog).toBeHidden();
  await expect(field).toHaveValue('123');
  const answer = await page.request.get(`${byToken.base}/api/auth/me`);
  expect(await answer.json()).toEqual({ user: 'dev' });
  // Somebody else who signs in in this tab does not get it.
  await page.getByRole('button', { name: 'Signed in as dev' }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.waitForURL('**/sign-in');
  await page.goto(`${byToken.base}/instances/demo/postgres/parameters`);
  await signInWithToken(page, 'admin');
  await expect(field).toHaveValue(/^\d+$/);
  await expect(field).not.toHaveValue('123');
});

test('a person signs in at the provider, gets other groups without signing in again, and signs out there', async ({
  page,
}) => {
  provider.setGroups('ann', ['devs']);
  await page.goto(`${byProvider.base}/resources`);
  await signInAtProvider(page, 'ann');
  await page.waitForURL('**/resources');
  await expect(page.getByRole('button', { name: 'Signed in as ann@example.org' })).toBeVisible();
  const groups = async () => {
    const answer = await page.request.post(
      `${byProvider.base}/api/kube/apis/authentication.k8s.io/v1/selfsubjectreviews`,
      {
        headers: { origin: byProvider.base },
        data: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      },
    );
    return answer.text();
  };
  expect(await groups()).toContain('"devs"');
  provider.setGroups('ann', ['ops']);
  await expect.poll(groups, { timeout: 30_000 }).toContain('"ops"');
  await page.getByRole('button', { name: 'Signed in as ann@example.org' }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.waitForURL(`${provider.issuer}/**`);
  await page.locator('button[value=yes]').click();
  await page.waitForURL(`${byProvider.base}/sign-in**`);
});
