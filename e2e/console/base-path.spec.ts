import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type ConsoleProcess, startConsoleProcess } from '../../test/programs/console-process';
import { workerConsole } from '../../test/programs/worker-console';

const BASE = '/bravo';
const STAGING = `${BASE}/c/staging`;
/** The base path is a part of the built pages, which are kept in a folder of their own. */
const PAGES = { BRAVO_BASE_PATH: BASE, BRAVO_NEXT_DIR: 'dist/pages-below-bravo' };
let served: ConsoleProcess;

test.beforeAll(async ({ playwright }) => {
  // The pages are built once, and again when their sources have changed.
  test.setTimeout(900_000);
  served = await startConsoleProcess({ ...PAGES, KUBECONFIG: '' }, 800_000);
  const kubeconfig = readFileSync(join(workerConsole().folder, 'kubeconfig'), 'utf8');
  const api = await playwright.request.newContext({ extraHTTPHeaders: { origin: served.base } });
  const added = await api.post(`${served.base}${BASE}/api/clusters`, { data: { name: 'staging', kubeconfig } });
  expect(added.status(), await added.text()).toBe(201);
  await api.dispose();
});
test.afterAll(async () => {
  await served?.running.stop();
});

/** Opens a page, and collects the paths of everything that it asks for, with the status of each answer. */
async function openWatched(page: Page, path: string): Promise<{ readonly path: string; readonly status: number }[]> {
  const answers: { path: string; status: number }[] = [];
  page.on('response', (response) => {
    const url = new URL(response.url());
    if (url.origin === served.base) answers.push({ path: url.pathname, status: response.status() });
  });
  await page.goto(served.base + path);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  return answers;
}

test('a page of another cluster asks for nothing outside of the base path, and its links and stream name the cluster', async ({
  page,
}) => {
  const answers = await openWatched(page, `${STAGING}/instances`);
  await expect(page.locator('[data-instance="demo/postgres"]')).toBeVisible();
  expect(answers.filter(({ path, status }) => !path.startsWith(`${BASE}/`) || status >= 400)).toEqual([]);
  expect(answers.map(({ path }) => path)).toContain(`${STAGING}/api/live`);
  expect(answers.some(({ path }) => path.startsWith(`${BASE}/_next/`) && path.endsWith('.css'))).toBe(true);
  const links = await page
    .locator('a[href^="/"]')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((href) => href !== STAGING && !href.startsWith(`${STAGING}/`))).toEqual([]);
});

test('going on, a reload, and going back stay in the cluster below the base path', async ({ page }) => {
  await openWatched(page, `${STAGING}/instances`);
  await page.locator('[data-instance="demo/postgres"]').getByRole('link', { name: 'postgres', exact: true }).click();
  await expect(page).toHaveURL(`${served.base}${STAGING}/instances/demo/postgres`);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'postgres' })).toBeVisible();
  await page.goBack();
  await page.getByLabel('Filter', { exact: true }).fill('post');
  await expect(page).toHaveURL(`${served.base}${STAGING}/instances?q=post`);
});

test('the switcher leads to the home cluster and back', async ({ page }) => {
  await openWatched(page, `${STAGING}/runs`);
  await page.getByRole('button', { name: /^Cluster/ }).click();
  await page.getByRole('option', { name: /^sandbox/ }).click();
  await expect(page).toHaveURL(`${served.base}${BASE}/runs`);
  await page.getByRole('button', { name: /^Cluster/ }).click();
  await page.getByRole('option', { name: /^staging/ }).click();
  await expect(page).toHaveURL(`${served.base}${STAGING}/runs`);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
});

test('a page that does not exist says so, with a way back into the cluster', async ({ page }) => {
  const answer = await page.goto(`${served.base}${STAGING}/no-such-page`);
  expect(answer?.status()).toBe(404);
  const home = page.getByRole('main').getByRole('link').first();
  await home.click();
  await expect(page).toHaveURL(new RegExp(`^${served.base}${STAGING}`));
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
});

test('an unknown cluster and a path outside of the base path are not found', async ({ request }) => {
  const unknown = await request.get(`${served.base}${BASE}/c/nowhere/api/resources`);
  expect(unknown.status()).toBe(404);
  expect((await unknown.json()).message).toContain('This console knows sandbox, staging');
  expect((await request.get(`${served.base}/c/staging/instances`)).status()).toBe(404);
  expect((await request.get(`${served.base}/c/staging${BASE}/instances`)).status()).toBe(404);
});
