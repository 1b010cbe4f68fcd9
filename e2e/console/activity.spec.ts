import type { APIRequestContext } from '@playwright/test';
import { expectAccessible, expectFits } from '../../test/browser/looks';
import { expect, openPalette, planCompleted, test } from './fixtures';

const CANARY = 'canary-staple-battery';

async function change(request: APIRequestContext, path: string, data: object): Promise<number> {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  return (await request.post(path, { headers: { origin }, data })).status();
}

test.beforeAll(async ({ request }) => {
  const uid = await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'deploy');
  expect(uid).not.toBe('');
});

test('lists who did what, with filter, details, links and export', async ({ page, request }) => {
  expect(await change(request, '/api/instances/demo/postgres/plans/backup', { reason: CANARY })).toBe(202);
  await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'backup');
  expect(await change(request, '/api/instances/demo/none/parameters', { parameters: { A: CANARY }, seen: {} })).toBe(
    404,
  );
  await page.goto('/activity');
  const table = page.getByRole('table', { name: 'Activity' });
  // Other tests have started that plan too: the newest comes first.
  const own = page.getByRole('link', { name: 'postgres', exact: true });
  const backup = table.getByRole('row').filter({ hasText: 'started plan backup' }).filter({ has: own }).first();
  await expect(backup).toContainText('Done');
  await expect(backup.getByRole('link', { name: 'postgres' })).toHaveAttribute('href', '/instances/demo/postgres');
  const refused = table.getByRole('row').filter({ hasText: 'changed parameter A' });
  await expect(refused).toContainText('Refused');
  await expect(refused).toContainText('NotFound');

  await page.getByRole('button', { name: 'Refused' }).click();
  await expect(backup).toHaveCount(0);
  await expect(page).toHaveURL(/result=refused/);
  const csv = await request.get((await page.getByRole('link', { name: 'Export as CSV' }).getAttribute('href')) ?? '');
  expect(await csv.text()).toContain('changed parameter A');
  expect(await csv.text()).not.toContain('started plan backup');
  expect(await csv.text()).not.toContain(CANARY);
  await page.getByRole('button', { name: 'Refused' }).click();

  await page.getByRole('combobox', { name: 'Verb' }).selectOption('run');
  await expect(refused).toHaveCount(0);
  await backup.getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: 'started plan backup' });
  await expect(dialog).toContainText('HTTP 202');
  await expect(dialog).toContainText('this console');
  await expect(dialog).not.toContainText(CANARY);
  await expectAccessible(page);
  await dialog.getByRole('link', { name: /^postgres-backup-/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: /postgres-backup-/ })).toBeVisible();
});

test('shows what happens while it is open, also what another client did', async ({ page, request }) => {
  await page.goto('/activity?q=live-test');
  await expect(page.getByText('No entry matches the filter')).toBeVisible();
  await change(request, '/api/instances/demo/live-test/drift/restore', {});
  await expect(page.getByRole('row').filter({ hasText: 'reverted objects that drifted' })).toBeVisible();
});

test('draws few rows of 50,000 entries', async ({ page, request }) => {
  await change(request, '/api/instances/demo/some/drift/restore', {});
  const answer = await (await request.get('/api/activity')).json();
  const [entry] = answer.entries;
  const entries = Array.from({ length: 50_000 }, (_, index) => ({
    ...entry,
    id: `e-${index}`,
    summary: `entry ${index}`,
  }));
  const json = { ...answer, entries, total: entries.length, all: entries.length };
  await page.route('**/api/activity?*', (route) =>
    route.fulfill({ json: route.request().url().includes('seen=') ? { unchanged: true } : json }),
  );
  await page.goto('/activity');
  await expect(page.getByText('entry 0', { exact: true })).toBeVisible();
  expect(await page.getByRole('row').count()).toBeLessThan(200);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(page.getByText('entry 49999', { exact: true })).toBeVisible();
});

test('lists more when there is more than it begins with', async ({ page, request }) => {
  await change(request, '/api/instances/demo/some/drift/restore', {});
  const answer = await (await request.get('/api/activity')).json();
  const asked: (string | null)[] = [];
  await page.route('**/api/activity?*', (route) => {
    asked.push(new URL(route.request().url()).searchParams.get('limit'));
    return route.fulfill({ json: { ...answer, total: 12_345, all: 12_345 } });
  });
  await page.goto('/activity');
  await expect(page.getByText(/of 12,345 entries are listed/)).toBeVisible();
  await page.getByRole('button', { name: 'List more' }).click();
  await expect.poll(() => asked).toContain('4000');
});

test('says what is listed when nobody has changed anything, and in which replica', async ({ page, request }) => {
  const answer = await (await request.get('/api/activity')).json();
  let reply = { ...answer, entries: [], total: 0, all: 0 };
  await page.route('**/api/activity?*', (route) => route.fulfill({ json: reply }));
  await page.goto('/activity');
  await expect(page.getByText('Nobody has changed anything yet')).toBeVisible();
  await expectFits(page);
  reply = { ...answer, mode: 'stdout' };
  await page.reload();
  await expect(page.getByText(/this replica of the console since it started/)).toBeVisible();
});

test('is found by the palette', async ({ page }) => {
  await page.goto('/');
  await openPalette(page);
  await page.keyboard.type('audit');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible();
});
