import { expectAccessible } from '../../test/browser/looks';
import { expect, fetchObject, instanceKubePath, openPalette, planCompleted, test } from './fixtures';

test.beforeAll(async ({ request }) => {
  await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'deploy');
});

test.describe('the navigation on a narrow screen', () => {
  for (const width of [390, 320]) {
    test(`shows every entry at ${width} px, the current one marked`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/resources');
      const nav = page.getByRole('navigation', { name: 'Main' });
      for (const name of ['Overview', 'Instances', 'Operators', 'Install', 'Resources']) {
        await expect(nav.getByRole('link', { name })).toBeInViewport({ ratio: 1 });
      }
      await expect(nav.getByRole('link', { name: 'Resources' })).toHaveAttribute('aria-current', 'page');
    });
  }
});

test.describe('the command palette', () => {
  const open = async (page: import('@playwright/test').Page, words: string) => {
    await openPalette(page);
    await page.getByRole('combobox', { name: /^Find a page/ }).fill(words);
    return page.getByRole('listbox', { name: 'Found' });
  };

  test('finds a kind by its short name and opens it with Enter', async ({ page }) => {
    await page.goto('/');
    const found = await open(page, 'sts');
    await expect(found.getByRole('option', { name: /StatefulSet/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/resources/apps/v1/statefulsets');
  });

  test('installs an operator by name', async ({ page }) => {
    await page.goto('/');
    const found = await open(page, 'install etcd');
    await expect(found.getByRole('option').first()).toContainText('Install etcd');
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Instance name')).toBeVisible();
  });

  test('asks for confirmation before it runs a plan, and runs nothing when the user cancels', async ({
    page,
    request,
  }) => {
    const lastBackup = async () =>
      (await fetchObject(request, instanceKubePath('demo', 'postgres')))?.status?.planStatus?.backup;
    const before = await lastBackup();
    await page.goto('/');
    await open(page, 'back up postgres');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Back up postgres?' });
    await expect(dialog.getByRole('button', { name: 'Run backup' })).toBeVisible();
    await expect(page).toHaveURL(/\/instances\/demo\/postgres$/);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.locator('tr[data-plan="backup"]')).toHaveAttribute('data-status', before?.status ?? 'NEVER_RUN');
    expect(await lastBackup()).toEqual(before);
  });

  test('changes the theme', async ({ page }) => {
    await page.goto('/');
    await open(page, 'dark theme');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  });

  test('opens with a button on screens that are too narrow for the field', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto('/');
    await page.getByRole('button', { name: 'Find or do anything' }).click();
    await expect(page.getByRole('combobox', { name: /^Find a page/ })).toBeFocused();
  });
});

test.describe('help', () => {
  test('opens at ? beside the page with what the guide says about it, and not while somebody types', async ({
    page,
  }) => {
    await page.goto('/instances');
    await expect(page.locator('[data-connection="live"]')).toBeVisible();
    const panel = page.getByRole('dialog', { name: 'Help' });
    await page.getByRole('searchbox', { name: 'Filter' }).fill('');
    await page.keyboard.press('?');
    await expect(page.getByRole('searchbox', { name: 'Filter' })).toHaveValue('?');
    await expect(panel).toBeHidden();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await expect(panel.getByRole('heading', { name: 'Instances' })).toBeVisible();
    await expectAccessible(page);
    // A link of the guide stays in the panel.
    await panel.getByRole('button', { name: 'selected' }).click();
    await expect(panel.getByRole('heading', { name: 'Selecting rows' })).toBeVisible();
    // It follows the page.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Usage' }).click();
    await expect(panel.getByText('Guide: Usage')).toBeVisible();
    await panel.getByRole('tab', { name: 'Keyboard shortcuts' }).click();
    await expect(panel).toContainText('Ctrl K');
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
  });

  test('is a button of every page, and leads to the glossary and every page of the guide', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/');
    await page.getByRole('banner').getByRole('button', { name: 'Help' }).click();
    await expectAccessible(page);
    await page.getByRole('dialog', { name: 'Help' }).getByRole('link', { name: 'Help and glossary' }).click();
    await page.waitForURL('**/help');
    await expect(page.getByRole('region', { name: 'Glossary' })).toContainText('OperatorVersion');
    await page.getByRole('link', { name: 'Schedules', exact: true }).last().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Schedules' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Clock changes' })).toBeVisible();
    await expectAccessible(page);
  });
});

test('an operator is found by its application version alone', async ({ page }) => {
  await page.goto('/operators/etcd/3.5.21');
  await expect(page).toHaveURL(/\/operators\/etcd\/3\.5\.21-/);
  await expect(page.getByRole('heading', { level: 1, name: 'etcd' })).toBeVisible();
});
