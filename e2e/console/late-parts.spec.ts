import { type Page, test as plain, type Route } from '@playwright/test';
import { expect, planCompleted } from './fixtures';

const PLACE = { namespace: 'demo', name: 'postgres' };

/** Opens the page of the Instance; from then on all other scripts, the first of which `use` needs, are answered by `answer`. */
async function openAndCut(
  page: Page,
  answer: (route: Route) => Promise<void>,
  use: (page: Page) => Promise<void> = changeVersion,
): Promise<void> {
  await page.goto('/instances/demo/postgres');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.route('**/_next/**/*.js', answer);
  const tried = page.waitForRequest('**/_next/**/*.js');
  await use(page);
  await tried;
}

async function changeVersion(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Change version…' }).click();
}

plain.beforeAll(async ({ request }) => {
  await planCompleted(request, PLACE, 'deploy');
});

plain('a dialog whose scripts cannot be loaded opens when the network is back', async ({ page }) => {
  await openAndCut(page, (route) => route.abort());
  await expect(page.getByRole('heading', { level: 1, name: 'postgres' })).toBeVisible();
  await page.unroute('**/_next/**/*.js');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(page.getByRole('dialog', { name: 'Change the version of postgres' })).toBeVisible();
});

const uses = [
  ['a page', changeVersion],
  ['the frame around a page', (page: Page) => page.keyboard.press('Control+k')],
] as const;

for (const [part, use] of uses)
  plain(`${part} of the version before the update of the console says so`, async ({ page }) => {
    await openAndCut(page, (route) => route.fulfill({ status: 404 }), use);
    await expect(page.getByText('The console has been updated')).toBeVisible();
    await page.unroute('**/_next/**/*.js');
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'postgres' })).toBeVisible();
  });
