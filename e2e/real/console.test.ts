import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect as expectPage } from '@playwright/test';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { watchComplaints } from '@/test/browser/complaints';
import { type IsolatedChromium, startIsolatedChromium } from '@/test/browser/isolated-chromium';
import { expectAccessible, expectFits } from '@/test/browser/looks';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';

const CHECKSUM = "SELECT count(*), md5(string_agg(id || ':' || word, ',' ORDER BY id)) FROM words";
const see = expectPage.configure({ timeout: 90_000 });

/** A person installs a database, backs it up, loses it and restores it: a real server, a real browser. */
describe('postgres in the console', () => {
  let cluster: RealCluster;
  let chromium: IsolatedChromium;
  let page: Page;
  let complaints: readonly string[];
  let before = '';
  let backup = '';

  const sql = (text: string, database = 'app') =>
    cluster.exec('orders-0', 'psql', '-U', 'postgres', '-d', database, '-v', 'ON_ERROR_STOP=1', '-qAtc', text);
  const checksum = () => sql(CHECKSUM);
  const shown = (plan: string, status: string) =>
    see(page.locator(`div[data-plan="${plan}"][data-status="${status}"]`)).toBeVisible();
  const openTab = (name: string) =>
    page.getByRole('navigation', { name: 'Instance' }).getByRole('link', { name, exact: true }).click();

  beforeAll(async () => {
    cluster = await startRealCluster();
    const base = await cluster.startConsole();
    chromium = await startIsolatedChromium(Number(new URL(base).port));
    page = await chromium.browser.newPage({ baseURL: base, viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(60_000);
    complaints = watchComplaints(page);
  });
  // The folder is kept when a test fails.
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await page.screenshot({ path: join(tmpdir(), `${task.id}.png`) });
  });
  afterAll(async () => {
    await chromium?.close();
    await cluster?.stop();
  });

  it('is installed from the page Operators', async () => {
    await page.goto('/operators');
    const operator = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: 'postgres', exact: true }) });
    await operator.getByRole('link', { name: 'Install' }).click();
    await page.getByLabel('Instance name').fill('orders');
    await page.getByRole('button', { name: 'Preview' }).click();
    await see(page.getByText('StatefulSet orders', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await page.waitForURL('**/instances/default/orders**');
    await shown('deploy', 'COMPLETE');
  });

  it('is backed up by a button, and the log of the Job says what it wrote', async () => {
    await sql('CREATE TABLE words AS SELECT id, md5(id::text) AS word FROM generate_series(1, 10000) AS id');
    before = await checksum();
    expect(before).toMatch(/^10000\|/);
    await page.getByRole('button', { name: 'Back up' }).first().click();
    await shown('backup', 'IN_PROGRESS');
    await shown('backup', 'COMPLETE');
    await openTab('Logs');
    const pods = page.getByRole('combobox', { name: 'Pod' });
    const pod = await pods
      .locator('option', { hasText: /^orders-backup-/ })
      .first()
      .innerText();
    await pods.selectOption({ label: pod });
    const log = page.getByRole('region', { name: /^Log of orders-backup-/ });
    await see(log).toContainText(/wrote postgres-\d{8}T\d{6}Z \(\d+ bytes\) to the backup volume/);
    backup = /postgres-\d{8}T\d{6}Z/.exec(await log.innerText())?.[0] ?? '';
  });

  it('is restored by a button that asks for the backup and for the name', async () => {
    await sql('DROP DATABASE app WITH (FORCE)', 'template1');
    await expect(checksum()).rejects.toThrow('database "app" does not exist');
    await openTab('Overview');
    await page.getByRole('button', { name: 'Restore', exact: true }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Restore orders?' });
    await dialog.locator('[data-parameter="RESTORE_FROM"] select').selectOption({ label: 'Another name…' });
    await dialog.locator('[data-parameter="RESTORE_FROM"] input').fill(backup);
    await expectAccessible(page);
    await dialog.getByLabel(/^Type orders to confirm/).fill('orders');
    await dialog.getByRole('button', { name: 'Run restore' }).click();
    await shown('restore', 'COMPLETE');
    expect(await checksum()).toBe(before);
  });

  it('says why a restore from a backup that does not exist failed, and keeps the data', async () => {
    await page.getByRole('button', { name: 'Restore', exact: true }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Restore orders?' });
    await dialog.locator('[data-parameter="RESTORE_FROM"] select').selectOption({ label: 'Another name…' });
    await dialog.locator('[data-parameter="RESTORE_FROM"] input').fill('monday');
    await dialog.getByLabel(/^Type orders to confirm/).fill('orders');
    await dialog.getByRole('button', { name: 'Run restore' }).click();
    await shown('restore', 'FATAL_ERROR');
    const problem = page.getByRole('region', { name: 'Problem' });
    await see(problem).toContainText(
      `exited with code 42: "monday" is not the name of a backup. The backups are: ${backup}`,
    );
    await see(problem).toContainText(/Pod orders-restore-\w+, container \w+/);
    await see(problem).toContainText('PodFailurePolicy: ');
    await see(problem).toContainText('Then run plan restore again.');
    await expectFits(page);
    expect(await checksum()).toBe(before);
  });

  it('shows all of it without an error of the browser', () => {
    expect(complaints).toEqual([]);
  });
});
