import { type Page, test as plain, type Route } from '@playwright/test';
import { expect, planCompleted } from './fixtures';

const PLACE = { namespace: 'demo', name: 'postgres' };

/** Opens the page of the Instance; from then on all other scripts are answered by `answer`. */
async function openAndCut(page: Page, answer: (route: Route) => Promise<void>): Promise<void> {
  await page.goto('/instances/demo/postgres');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.route('**/_next/**/*.js', answer);
  await page.getByRole('button', { name: 'More actions' }).click();
  const tried = page.waitForRequest('**/_next/**/*.js');
  await page.getByRole('menuitem', { name: 'Change version…' }).click();
  await tried;
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

plain('a page of the version before the update of the console says so', async ({ page }) => {
  await openAndCut(page, (route) => route.fulfill({ status: 404 }));
  await expect(page.getByText('The console has been updated')).toBeVisible();
  await page.unroute('**/_next/**/*.js');
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'postgres' })).toBeVisible();
});
