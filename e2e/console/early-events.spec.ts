import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';

/** Opens a page whose scripts do not arrive before the returned function is called. */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/_next/**/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  return release;
}

test('a field that is filled before the scripts of the page run keeps its text, and the page knows of it', async ({
  page,
}) => {
  const release = await openWithoutScripts(page, '/instances/demo/postgres/parameters');
  const field = page.locator('[data-parameter="MAX_CONNECTIONS"] input');
  await field.fill('12');
  await field.press('End');
  await field.press('3');
  release();
  await expect(page.getByRole('button', { name: 'Review' })).not.toHaveAttribute('aria-disabled', 'true');
  await expect(field).toHaveValue('123');
  await page.reload();
  await expect(field).toHaveValue('123');
});

test('a button that is clicked before the scripts of the page run acts once', async ({ page }) => {
  const release = await openWithoutScripts(page, '/instances/demo/postgres');
  await page
    .getByRole('button', { name: /^Theme|^Appearance/ })
    .first()
    .click();
  release();
  // The page places the menu and moves the focus into it, which the browser alone does not.
  await expect(page.getByRole('menu').locator(':focus')).toBeVisible();
  await page.waitForFunction(() => window.bravoEarly === undefined);
  await expect(page.getByRole('menu').locator(':focus')).toBeVisible();
});

test('a key that goes through a list before the scripts of the page run acts', async ({ page }) => {
  const release = await openWithoutScripts(page, '/instances/demo/postgres/runs/postgres-deploy-1');
  const steps = page.locator('li[data-step] button');
  await steps.first().press('End');
  release();
  await expect(steps.last()).toBeFocused();
  await expect(steps.last()).toHaveAttribute('aria-current', 'true');
});

test('keys that select rows before the scripts of the page run act in their order', async ({ page }) => {
  const release = await openWithoutScripts(page, '/resources/core/v1/namespaces');
  const box = page.locator('tr[data-row] .select-cell input').first();
  await box.press('Space');
  await box.press('Shift+ArrowDown');
  await box.press('Shift+ArrowDown');
  release();
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('3 selected');
});

test('a link that is clicked before the scripts of the page run is followed', async ({ page }) => {
  const release = await openWithoutScripts(page, '/instances');
  await page.getByRole('link', { name: 'Operators', exact: true }).first().click();
  release();
  await expect(page).toHaveURL('/operators');
});
