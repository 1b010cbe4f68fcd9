import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from '../../test/browser/looks';
import { type ConsoleProcess, startConsoleProcess } from '../../test/programs/console-process';
import { startTcpProxy, type TcpProxy } from '../../test/programs/tcp-proxy';
import { expect, openPalette, planCompleted, test } from './fixtures';

let other: ConsoleProcess;
let line: TcpProxy;
let kubeconfig: string;

/** The sandbox of a second console is the other cluster; the line to it can hang. */
test.beforeAll(async ({ request }) => {
  await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'deploy');
  other = await startConsoleProcess();
  line = await startTcpProxy(Number(other.settings.BRAVO_SANDBOX_PORT));
  kubeconfig = readFileSync(join(other.settings.BRAVO_DATA ?? '', 'kubeconfig'), 'utf8').replace(
    /127\.0\.0\.1:\d+/,
    `127.0.0.1:${line.port}`,
  );
});

test.afterAll(async () => {
  await line.close();
  await other.running.stop();
});

const row = (page: Page, cluster: string) => page.locator(`tr[data-cluster="${cluster}"]`);

async function fillForm(page: Page, name: string, text: string) {
  await page.goto('/clusters');
  await page.getByRole('button', { name: 'Add cluster' }).click();
  await page.getByRole('textbox', { name: /^Name/ }).fill(name);
  await page.getByLabel(/^Kubeconfig \(required\)/).fill(text);
}

test('with one cluster the page says so, and the frame has no switcher', async ({ page }) => {
  await page.goto('/clusters');
  await expect(row(page, 'sandbox')).toContainText('Ready');
  await expect(page.getByText('This console shows one cluster')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Cluster/ })).toHaveCount(0);
  await expectFits(page);
});

test('a kubeconfig that would start a program is refused, and the sentence says what to use', async ({ page }) => {
  await fillForm(page, 'staging', kubeconfig.replace(/token: .*/, 'exec: { command: id, apiVersion: v1 }'));
  await page.getByRole('button', { name: 'Test' }).click();
  await expect(page.getByRole('dialog')).toContainText('Use a token of a ServiceAccount instead.');
  await expect(page.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel(/^Kubeconfig \(required\)/).fill('kind: Pod');
  await expect(page.getByRole('dialog')).toContainText('This is not a kubeconfig');
  await expectAccessible(page);
});

test('a cluster is tested, added, and shown beside the home cluster', async ({ page }) => {
  await fillForm(page, 'staging', kubeconfig);
  await page.getByRole('button', { name: 'Test' }).click();
  await expect(page.getByRole('list', { name: 'Checks' })).toContainText('Kubernetes v');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(row(page, 'staging')).toContainText('Ready');
  await expectFits(page);
});

test('the switcher leads to the same part of the other cluster', async ({ page }) => {
  await page.goto('/instances/demo/postgres/parameters');
  await page.getByRole('button', { name: /^Cluster/ }).click();
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(2);
  await expectAccessible(page);
  await page.keyboard.type('stag');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/c/staging/instances');
  await expect(page.getByRole('button', { name: /^Cluster/ })).toContainText('staging');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.locator('[data-instance="demo/postgres"]').getByRole('link').click();
  await expect(page).toHaveURL('/c/staging/instances/demo/postgres');
  await page.goBack();
  await page.getByRole('button', { name: /^Cluster/ }).click();
  await page.getByRole('option', { name: /^sandbox/ }).click();
  await expect(page).toHaveURL('/instances');
});

test('what a person types about an instance stays in its cluster, where another one has the same name', async ({
  page,
}) => {
  const field = page.locator('[data-parameter="MAX_CONNECTIONS"] input');
  const open = async (prefix: string) => {
    await page.goto(`${prefix}/instances/demo/postgres/parameters`);
    await expect(page.locator('[data-connection="live"]')).toBeVisible();
    return field.inputValue();
  };
  const stored = await open('');
  await field.fill('222');
  const discard = page.getByRole('button', { name: 'Discard' });
  await expect(discard).not.toHaveAttribute('aria-disabled', 'true');
  expect(await open('/c/staging')).toBe(stored);
  await expect(discard).toHaveAttribute('aria-disabled', 'true');
  expect(await open('')).toBe('222');
  await discard.click();
});

test('the chosen namespace is of one cluster', async ({ page }) => {
  await page.goto('/c/staging/instances');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('button', { name: /^Namespace: / }).click();
  await page.getByRole('menuitemradio', { name: 'default', exact: true }).click();
  await expect(page.locator('[data-instance="demo/postgres"]')).toBeHidden();
  await page.goto('/instances');
  await expect(page.locator('[data-instance="demo/postgres"]')).toBeVisible();
  await page.goto('/c/staging/instances');
  await expect(page.locator('[data-instance="demo/postgres"]')).toBeHidden();
  await page.context().clearCookies();
});

test('the palette finds an instance of the other cluster', async ({ page }) => {
  await page.goto('/runs');
  await expect(page.getByRole('button', { name: /^Cluster/ })).toBeVisible();
  await openPalette(page);
  await page.keyboard.type('postgres');
  await page.getByRole('option', { name: /cluster staging/ }).click();
  await expect(page).toHaveURL('/c/staging/instances/demo/postgres');
});

test('the list of all clusters has the rows of each, with links that lead there', async ({ page }) => {
  await page.goto('/instances');
  await page.getByRole('link', { name: 'All 2 clusters' }).click();
  await expect(page).toHaveURL('/instances?clusters=all');
  await expect(page.locator('tr[data-instance="demo/postgres"]')).toHaveCount(2);
  await expectFits(page);
  await page.getByLabel('Filter', { exact: true }).fill('cluster:staging postgres');
  await expect(page.locator('tr[data-instance]')).toHaveCount(1);
  await page.getByRole('link', { name: 'postgres', exact: true }).click();
  await expect(page).toHaveURL('/c/staging/instances/demo/postgres');
});

test('a cluster that hangs holds up neither the other rows nor the other pages', async ({ page }) => {
  line.hang();
  await page.goto('/instances?clusters=all');
  await expect(page.locator('tr[data-instance="demo/postgres"][data-cluster="sandbox"]')).toBeVisible({
    timeout: 5_000,
  });
  await page.goto('/clusters');
  await expect(row(page, 'staging')).toContainText('Unreachable');
  await expect(row(page, 'sandbox')).toContainText('Ready');
  await page.goto('/instances');
  await expect(page.locator('[data-instance="demo/postgres"]')).toBeVisible({ timeout: 5_000 });
  line.restore();
});

test('a cluster is removed after a question, and nothing in it changes', async ({ page, request }) => {
  await page.goto('/clusters');
  await page.getByRole('button', { name: 'Remove staging' }).click();
  await expect(page.getByRole('dialog')).toContainText('Nothing in staging is changed');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove cluster' }).click();
  await expect(row(page, 'staging')).toHaveCount(0);
  expect((await request.get('/c/staging/api/resources')).status()).toBe(404);
  const still = await request.get(`${other.base}/api/kube/apis/kudo.dev/v1beta1/namespaces/demo/instances/postgres`);
  expect(still.status()).toBe(200);
});
