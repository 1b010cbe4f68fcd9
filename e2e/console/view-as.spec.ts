import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectFits } from '../../test/browser/looks';
import { type ConsoleProcess, startConsoleProcess } from '../../test/programs/console-process';

let served: ConsoleProcess;

test.beforeAll(async () => {
  test.setTimeout(200_000);
  served = await startConsoleProcess({ BRAVO_AUTH: 'token', KUBECONFIG: '' });
});
test.afterAll(async () => {
  await served?.running.stop();
});

async function openAs(page: Page, user: string, path: string): Promise<void> {
  await page.goto(served.base + path);
  const token = readFileSync(join(served.settings.BRAVO_DATA ?? '', 'users', `${user}.token`), 'utf8').trim();
  await page.getByRole('textbox', { name: 'Token' }).fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`**${path}`);
}

const viewAs = async (page: Page, user: string) => {
  await page.getByRole('textbox', { name: 'User', exact: true }).fill(user);
  await page.getByRole('button', { name: 'View as' }).click();
};

test('an administrator sees the console as another user, changes nothing, and stops', async ({ page }) => {
  await openAs(page, 'admin', '/roles');
  await viewAs(page, 'viewer');
  const banner = page.getByRole('region', { name: 'View as' });
  await expect(banner).toContainText('You see the console as viewer');
  await page.goto(`${served.base}/instances/demo/postgres`);
  await expect(page.getByText('You may view this instance, but not change it')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Signed in as admin' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(banner).toBeVisible();
  await expectFits(page);
  const write = await page.evaluate(async () => {
    const answer = await fetch('/api/kube/api/v1/namespaces/demo/configmaps', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'by-view' } }),
    });
    return { status: answer.status, problem: await answer.json() };
  });
  expect(write).toMatchObject({ status: 403, problem: { reason: 'ViewAs' } });
  await banner.getByRole('button', { name: 'Stop' }).click();
  await expect(banner).toBeHidden();
  await expect(page.getByText('You may view this instance, but not change it')).toBeHidden();
});

test('who may not impersonate a user does not see the console as that user', async ({ page }) => {
  await openAs(page, 'dev', '/roles');
  await viewAs(page, 'admin');
  await expect(page.getByText('that takes the right to impersonate users/admin')).toBeVisible();
  await expect(page.getByRole('region', { name: 'View as' })).toBeHidden();
});

test('the other tabs of the browser enter a view, and leave it, with the tab in which it begins and ends', async ({
  page,
  context,
}) => {
  await openAs(page, 'admin', '/roles');
  const other = await context.newPage();
  await other.goto(`${served.base}/instances`);
  await expect(other.locator('[data-connection="live"]')).toBeVisible();
  await viewAs(page, 'viewer');
  const banners = [page, other].map((tab) => tab.getByRole('region', { name: 'View as' }));
  for (const banner of banners) await expect(banner).toContainText('You see the console as viewer');
  await expect(other.locator('[data-connection="live"]')).toBeVisible();
  await banners[0]?.getByRole('button', { name: 'Stop' }).click();
  for (const banner of banners) await expect(banner).toBeHidden();
});

test('what somebody types in another tab is not thrown away when a view begins', async ({ page, context }) => {
  await openAs(page, 'admin', '/roles');
  const other = await context.newPage();
  await other.goto(`${served.base}/instances/demo/postgres/parameters`);
  await expect(other.locator('[data-connection="live"]')).toBeVisible();
  const field = other.locator('[data-parameter="MAX_CONNECTIONS"] input');
  await field.fill('123');
  await viewAs(page, 'viewer');
  const dialog = other.getByRole('dialog', { name: 'A view of another user has begun or ended' });
  await expect(dialog).toBeVisible();
  await expectAccessible(other);
  await expect(field).toHaveValue('123');
  await other.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(other.getByText('This page is not updated any more')).toBeVisible();
  await expect(field).toHaveValue('123');
  await other.getByRole('button', { name: 'Reload the page' }).click();
  await expect(other.getByRole('region', { name: 'View as' })).toBeVisible();
});
