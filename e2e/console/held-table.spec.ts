import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible } from '../../test/browser/looks';
import { expect, planCompleted, test } from './fixtures';

const CONFIG_MAPS = '/api/kube/api/v1/namespaces/demo/configmaps';

const originOf = async (request: APIRequestContext) => new URL((await request.get('/api/health')).url()).origin;

/** Creates an object with another client. */
async function create(request: APIRequestContext, name: string, data: object = {}) {
  const response = await request.post(CONFIG_MAPS, {
    headers: { origin: await originOf(request) },
    data: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data },
  });
  expect(response.ok(), await response.text()).toBe(true);
}

async function remove(request: APIRequestContext, name: string) {
  await request.delete(`${CONFIG_MAPS}/${name}`, { headers: { origin: await originOf(request) } });
}

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

test('no row moves under the pointer: new rows wait, deleted ones stay until it leaves', async ({ page, request }) => {
  await create(request, 'held-1');
  await create(request, 'held-2');
  await page.goto('/resources/core/v1/configmaps?filter=held-');
  await expect(row(page, 'held-2')).toBeVisible();
  await row(page, 'held-2').hover();
  const before = await row(page, 'held-2').boundingBox();

  await create(request, 'held-0');
  await expect(page.getByRole('button', { name: '+1 new' })).toBeVisible();
  await remove(request, 'held-1');
  await expect(row(page, 'held-1')).toContainText('deleted');
  await expect(row(page, 'held-0')).toHaveCount(0);
  expect(await row(page, 'held-2').boundingBox()).toEqual(before);
  await expectAccessible(page);

  // With a key: on its way to the button the mouse would leave the table.
  await page.getByRole('button', { name: '+1 new' }).press('Enter');
  await expect(row(page, 'held-0')).toBeVisible();
  await expect(row(page, 'held-1')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /new$/ })).toHaveCount(0);

  await create(request, 'held-3');
  await expect(page.getByRole('button', { name: '+1 new' })).toBeVisible();
  await expect(row(page, 'held-3')).toHaveCount(0);
  await page.getByRole('heading', { level: 1 }).hover();
  await expect(row(page, 'held-3')).toBeVisible();
});

test('changes within a row are shown while the pointer is in the table', async ({ page, request }) => {
  await create(request, 'pointed-at');
  await page.goto('/resources/core/v1/configmaps?filter=pointed-at');
  await row(page, 'pointed-at').hover();
  await expect(row(page, 'pointed-at').getByRole('cell', { name: '0', exact: true })).toBeVisible();
  const response = await request.patch(`${CONFIG_MAPS}/pointed-at`, {
    headers: { origin: await originOf(request), 'content-type': 'application/merge-patch+json' },
    data: JSON.stringify({ data: { a: '1' } }),
  });
  expect(response.ok(), await response.text()).toBe(true);
  await expect(row(page, 'pointed-at').getByRole('cell', { name: '1', exact: true })).toBeVisible();
});

test('the columns of a list are a part of its URL', async ({ page }) => {
  await page.goto('/resources/core/v1/pods');
  await page.getByRole('button', { name: /more columns?$/ }).click();
  await expect(page).toHaveURL(/columns=all/);
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Node', exact: true })).toBeVisible();
});

test('two filters that are chosen before the page has followed the first are both kept', async ({ page }) => {
  await page.goto('/instances');
  await page.waitForFunction(() => window.bravoEarly === undefined);
  const sorted = await page.getByRole('button', { name: 'Operator', exact: true }).elementHandle();
  // Both in one turn: between two actions of a person the page may not have been drawn either.
  await page
    .getByRole('button', { name: /^\d+ (healthy|not ready|running)$/ })
    .first()
    .evaluate((chip: HTMLElement, other) => [chip, other as HTMLElement | null].map((each) => each?.click()), sorted);
  await expect(page).toHaveURL(/status=[a-z-]+&sort=operator/);
});

test('one button shows the events that a filter hides', async ({ page, request }) => {
  await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'deploy');
  await page.goto('/instances/demo/postgres/events');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Find in events' }).fill('no-such-event');
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(page.getByText('PlanStarted').first()).toBeVisible();
});

test('columns stay hidden, moved and widened after a reload', async ({ page }) => {
  await page.goto('/instances');
  const heads = page.getByRole('columnheader');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).click();
  const dialog = page.getByRole('dialog', { name: 'Columns' });
  await dialog.getByRole('checkbox', { name: 'Namespace' }).uncheck();
  await dialog.getByRole('button', { name: 'Move Age to the front' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(heads).toHaveText(['Status', 'Name', 'Operator', 'Age', 'Active plan']);

  const edge = page.getByRole('separator', { name: 'Width of Name' });
  const before = Number(await edge.getAttribute('aria-valuenow'));
  await edge.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(edge).toHaveAttribute('aria-valuenow', `${before + 4}`);
  await page.reload();
  await expect(heads).toHaveText(['Status', 'Name', 'Operator', 'Age', 'Active plan']);
  await expect(edge).toHaveAttribute('aria-valuenow', `${before + 4}`);
});
