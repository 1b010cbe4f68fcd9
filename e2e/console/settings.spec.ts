import { expectAccessible } from '../../test/browser/looks';
import { expect, planCompleted, test } from './fixtures';

test('settings change themes, contrast, rows and times at once, and are there before the first picture of the next page', async ({
  page,
  request,
}) => {
  await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'deploy');
  await page.goto('/');
  await page.getByRole('button', { name: 'Theme: As the system' }).click();
  await page.getByRole('menuitem', { name: 'All settings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();

  const root = page.locator('html');
  await page.getByRole('radio', { name: 'Dark' }).check();
  await page.getByRole('radio', { name: 'More', exact: true }).check();
  await page.getByRole('radio', { name: /^Compact/ }).check();
  await page.getByRole('radio', { name: 'Another one' }).check();
  const zone = page.getByLabel('Name of the time zone');
  await zone.fill('Mars/Olympus');
  await expect(zone).toHaveAccessibleDescription(/does not know a time zone “Mars\/Olympus”/);
  await zone.fill('Asia/Kolkata');
  await expect(page.getByText(/Now it is .* UTC\+5:30/)).toBeVisible();
  await expect(root).toHaveAttribute('data-contrast', 'more');
  await expectAccessible(page);

  // What the server sends has all of it: nothing changes after the first picture.
  const html = await (await page.request.get('/instances')).text();
  expect(html).toMatch(/<html[^>]* data-theme="dark" data-contrast="more" data-density="compact"/);
  await page.goto('/instances');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  const row = page.getByRole('row', { name: /postgres/ }).first();
  expect((await row.boundingBox())?.height).toBeLessThan(40);
  await expect(row.locator('time').first()).toHaveAttribute('title', /UTC\+5:30$/);
});
