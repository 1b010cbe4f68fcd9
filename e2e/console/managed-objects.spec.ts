import type { APIRequestContext } from '@playwright/test';
import { expectAccessible } from '../../test/browser/looks';
import { saveObjectOf } from '../../test/browser/save-object';
import { expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';

const PLACE = { namespace: 'demo', name: 'hello' };
const DEPLOYMENT = '/apis/apps/v1/namespaces/demo/deployments/hello';

test.beforeAll(async ({ request }) => {
  await planCompleted(request, PLACE, 'deploy');
});

test('a change that self-heal reverts is named before it is saved, and stays while self-heal is paused', async ({
  page,
  request,
}) => {
  const replicas = async () => (await fetchObject(request, DEPLOYMENT))?.spec?.replicas;
  const before = await replicas();
  await page.goto('/resources/apps/v1/deployments/demo/hello/yaml');
  await expect(page.getByText('(operator hello) manages this object.')).toBeVisible();
  await page
    .locator('.cm-line')
    .filter({ hasText: /^ {2}replicas:/ })
    .click();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('4');
  await saveObjectOf(page);
  const dialog = page.getByRole('dialog', { name: 'Self-heal reverts this change' });
  await expect(dialog.getByRole('link', { name: 'Instance hello' })).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveText(
    /^spec\.replicas is set by parameter REPLICAS \(deployment\.yaml, line \d+\)$/,
  );
  await expect(dialog.getByRole('link', { name: 'Open parameters' })).toHaveAttribute(
    'href',
    '/instances/demo/hello/parameters',
  );
  await expectAccessible(page);
  expect(await replicas()).toBe(before);

  await dialog.getByRole('button', { name: 'Pause self-heal and save' }).click();
  await expect(page.getByText('Saved hello')).toBeVisible();
  expect(await replicas()).toBe(4);
  const annotations = async () => (await fetchObject(request, instanceKubePath('demo', 'hello')))?.metadata.annotations;
  expect((await annotations())?.['bravo.kudo.dev/self-heal']).toBe('off');
  await expect(page.getByText('Self-heal of Instance hello is paused')).toBeVisible();

  await page.goto('/instances/demo/hello');
  await expect(page.getByText('Self-heal of Instance hello is paused')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Changed outside' })).toContainText('spec.replicas');
  await page.route(`**${instanceKubePath('demo', 'hello')}?fieldManager=*`, async (route) => {
    await annotate(request);
    await route.continue();
  });
  await page.getByRole('button', { name: 'Resume self-heal' }).click();
  await expect(page.getByText('Self-heal of Instance hello is paused')).toBeHidden();
  await expect.poll(replicas).toBe(before);
  expect((await annotations())?.['bravo.kudo.dev/self-heal']).toBeUndefined();
});

test('deleting an object that self-heal creates again says so', async ({ page }) => {
  await page.goto('/resources/apps/v1/deployments/demo/hello');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Its self-heal creates the object again within seconds.');
});

test('an object that no Instance manages is saved without a question', async ({ page }) => {
  await page.goto('/resources/core/v1/configmaps/default/kube-root-ca.crt/yaml');
  await expect(page.getByRole('textbox', { name: 'YAML of kube-root-ca.crt' })).toBeVisible();
  await expect(page.getByText('manages this object.')).toHaveCount(0);
});

/** Another write of the Instance between the read and the write of the page, as the controller makes them. */
async function annotate(request: APIRequestContext): Promise<void> {
  const response = await request.patch(`/api/kube${instanceKubePath('demo', 'hello')}`, {
    headers: {
      origin: new URL((await request.get('/api/health')).url()).origin,
      'content-type': 'application/merge-patch+json',
    },
    data: { metadata: { annotations: { 'example.com/seen': 'yes' } } },
  });
  expect(response.ok(), await response.text()).toBe(true);
}
