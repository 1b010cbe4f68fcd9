import { readFile } from 'node:fs/promises';
import { tarFiles } from '../../server/packages/tar-files';
import { expectAccessible, expectFits } from '../../test/browser/looks';
import { expect, planCompleted, test } from './fixtures';

test.beforeAll(async ({ request }) => {
  const uid = await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'deploy');
  expect(uid).not.toBe('');
});

test('usage shows hours of instances by month, and gives them as CSV', async ({ page, request }) => {
  await expect
    .poll(async () => (await (await request.get('/api/usage?in=demo')).json()).rows.length, { timeout: 30_000 })
    .toBeGreaterThan(0);
  await page.goto('/usage');
  const table = page.getByRole('table', { name: 'Usage' });
  const row = table.getByRole('row').filter({ hasText: 'demo' }).filter({ hasText: 'postgres' });
  await expect(row.first()).toContainText('instance-hours');
  const month = await page.getByRole('combobox', { name: 'Month' }).inputValue();
  expect(month).toMatch(/^\d{4}-\d{2}$/);
  const csv = await request.get((await page.getByRole('link', { name: 'CSV' }).getAttribute('href')) ?? '');
  expect((await csv.text()).split('\r\n')[0]).toBe('month,namespace,operator,meter,unit,amount');
  expect((await request.get('/api/usage?month=2026-13')).status()).toBe(400);
  await expectFits(page);
  await expectAccessible(page);
});

test('the page of an instance downloads its diagnostics', async ({ page }) => {
  await page.goto('/instances/demo/postgres');
  await page.getByRole('button', { name: 'More actions' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Collect diagnostics' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('diagnostics-postgres.tgz');
  const files = await tarFiles('it', await readFile(await file.path()), { bytes: 1e8, files: 2_000 });
  expect([...files.keys()]).toContain('archive.yaml');
  expect([...files.keys()].some((path) => /^run_postgres-deploy-.*\.json$/.test(path))).toBe(true);
});
