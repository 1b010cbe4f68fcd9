import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible, expectFits } from '../../test/browser/looks';
import { apply, configMap, oneStep } from '../../test/operators/templates';
import {
  type AnyObject,
  createObject,
  expect,
  fetchObject,
  instanceKubePath,
  openPalette,
  planCompleted,
  test,
} from './fixtures';

const NAMESPACE = 'bulk';
const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;

async function post(request: APIRequestContext, path: string, data: object) {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const response = await request.post(`/api/kube${path}`, { headers: { origin }, data });
  expect(response.ok(), await response.text()).toBe(true);
}

/** Its one plan takes no time. */
const TIDE = oneStep([apply('note', 'note.yaml')], { templates: { 'note.yaml': configMap('{{ .Name }}-note') } });

const row = (page: Page, name: string) => page.locator(`tr[data-key="${NAMESPACE}/${name}"]`);
const box = (page: Page, name: string) => row(page, name).getByRole('checkbox');
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' });

test.beforeAll(async ({ request }) => {
  await post(request, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  for (const name of ['row-1', 'row-2', 'row-3', 'row-4']) {
    await post(request, CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: name } });
  }
});

/** Other tests of this worker count the rows of tables and the Instances. */
test.afterAll(async ({ request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const upgrades = `/api/kube/apis/bravo.kudo.dev/v1alpha1/namespaces/${NAMESPACE}/operatorupgrades`;
  const { items } = (await (await request.get(upgrades)).json()) as { items: readonly AnyObject[] };
  for (const { metadata } of items) await request.delete(`${upgrades}/${metadata.name}`, { headers: { origin } });
  for (const name of ['ebb', 'flood'])
    await request.delete(`/api/kube${instanceKubePath(NAMESPACE, name)}`, { headers: { origin } });
});

test('rows are selected by keyboard, then labelled, exported and deleted together', async ({ page, request }) => {
  await page.goto('/resources/core/v1/configmaps?filter=row-');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await box(page, 'row-1').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(bar(page)).toContainText('3 selected');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(bar(page)).toContainText('2 selected');
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+a');
  await expect(bar(page)).toContainText('4 selected');
  await page.getByRole('checkbox', { name: 'Select row-4' }).click();

  await bar(page).getByRole('button', { name: 'Label' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Labels/).fill('team=shop bad!');
  await expect(dialog.locator('p').filter({ hasText: '“bad!” is no label' })).toBeVisible();
  await dialog.getByLabel(/^Labels/).fill('team=shop');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('3 of 3: 3 done');
  await dialog.getByRole('button', { name: 'Done' }).click();
  const labels = async (name: string) =>
    ((await fetchObject(request, `${CONFIG_MAPS}/${name}`))?.metadata as { labels?: object } | undefined)?.labels;
  expect(await labels('row-1')).toEqual({ team: 'shop' });
  expect(await labels('row-4')).toBeUndefined();

  await bar(page).getByRole('button', { name: 'Export' }).click();
  await dialog.getByRole('button', { name: 'Read the objects' }).click();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save the file' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  expect(text.match(/^---$/gm)).toHaveLength(3);
  expect(text).not.toMatch(/managedFields|resourceVersion/);
  await page.keyboard.press('Escape');

  // Another object of the same name, and one that is gone: neither is deleted by what was selected.
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${CONFIG_MAPS}/row-3`, { headers: { origin } });
  await expect(bar(page)).toContainText('row-3 no longer exists');
  await bar(page).getByRole('button', { name: 'Delete' }).click();
  await expect(dialog).toContainText('No other object is deleted.');
  await expectAccessible(page);
  await dialog.getByLabel(/Type 2 to confirm/).fill('2');
  await dialog.getByRole('button', { name: 'Delete 2 ConfigMaps' }).click();
  await expect(dialog.getByRole('status')).toHaveText('2 of 2: 2 done');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(row(page, 'row-1')).toHaveCount(0);
  expect(await fetchObject(request, `${CONFIG_MAPS}/row-4`)).toBeDefined();
  await box(page, 'row-4').check();
  await expectFits(page);
});

test('the palette leads to a dialog with its values filled in; views and favourites come back', async ({
  page,
  request,
}) => {
  await post(request, `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'finder' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'finder' } },
      template: { metadata: { labels: { app: 'finder' } }, spec: { containers: [{ name: 'main', image: 'demo:1' }] } },
    },
  });
  const find = async (words: string) => {
    await openPalette(page);
    await page.getByRole('combobox', { name: /^Find a page/ }).fill(words);
  };
  await page.goto('/resources/core/v1/configmaps?filter=row-&columns=all');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('button', { name: 'Views' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the view').fill('Rows of bulk');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Rows of bulk', exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await find('scale finder 3');
  await expect(page.getByRole('option', { name: /^Scale finder to 3/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel(/^Replicas/)).toHaveValue('3');
  await page.keyboard.press('Escape');
  const deployment = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/finder`;
  expect((await fetchObject(request, deployment))?.spec?.replicas).toBe(1);
  await page.getByRole('button', { name: 'Favourite' }).click();
  await expect(page.getByRole('button', { name: 'Favourite' })).toHaveAttribute('aria-pressed', 'true');

  await page.goto('/');
  const card = page.getByRole('region', { name: 'Favourites and recent' });
  await expect(card.getByRole('link', { name: 'finder' })).toBeVisible();
  await expectFits(page);
  await card.getByRole('link', { name: 'Rows of bulk' }).click();
  await expect(page).toHaveURL(/filter=row-&columns=all/);
  await find('delete finder');
  await expect(page.getByRole('option').first()).toContainText('Delete finder…');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Type finder to confirm');
});

test('a plan runs on selected Instances in waves, and its progress is below the list', async ({ page, request }) => {
  const KUDO = `/apis/kudo.dev/v1beta1/namespaces/${NAMESPACE}`;
  const spec = { operator: { name: 'tide' }, version: '1.0', parameters: [], ...TIDE };
  await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: 'tide' }, spec: {} });
  const version = { kind: 'OperatorVersion', metadata: { name: 'tide-1.0' }, spec };
  await createObject(request, `${KUDO}/operatorversions`, version);
  for (const name of ['ebb', 'flood']) {
    const instance = { kind: 'Instance', metadata: { name }, spec: { operatorVersion: { name: 'tide-1.0' } } };
    await createObject(request, `${KUDO}/instances`, instance);
    await planCompleted(request, { namespace: NAMESPACE, name }, 'deploy');
  }
  await page.goto('/instances?q=operator:tide');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select ebb' }).check();
  await page.getByRole('checkbox', { name: 'Select flood' }).check();
  await page.getByRole('button', { name: 'Run a plan' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Plan', { exact: true }).selectOption('deploy');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Run deploy' }).click();
  await expect(dialog).toBeHidden();
  const waves = page.getByRole('region', { name: 'Plans in waves' });
  await expect(waves).toContainText('2 of 2 done');
  await expect(waves.locator('[data-instance="flood"]')).toContainText('Done');
  await expectFits(page);
});
