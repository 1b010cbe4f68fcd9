import type { APIRequestContext } from '@playwright/test';
import { violations } from '../../test/browser/looks';
import { expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';

const PLACE = { namespace: 'demo', name: 'hello' };
const SERVICE = '/api/v1/namespaces/demo/services/hello';
const BUDGET = '/apis/policy/v1/namespaces/demo/poddisruptionbudgets/hello';
const LEFTOVER = '/api/v1/namespaces/demo/configmaps/hello-left-over';

/** A change by another client. */
async function change(request: APIRequestContext, method: 'PATCH' | 'DELETE' | 'POST', path: string, data?: object) {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const response = await request.fetch(`/api/kube${path}`, {
    method,
    headers: { origin, 'content-type': type },
    ...(data === undefined ? {} : { data: JSON.stringify(data) }),
  });
  expect(response.ok(), await response.text()).toBe(true);
}

const selfHeal = (value: string | null) => ({ metadata: { annotations: { 'bravo.kudo.dev/self-heal': value } } });

test.beforeAll(async ({ request }) => {
  await planCompleted(request, PLACE, 'deploy');
  await change(request, 'PATCH', instanceKubePath(PLACE.namespace, PLACE.name), selfHeal('off'));
});

test.afterAll(async ({ request }) => {
  await change(request, 'PATCH', instanceKubePath(PLACE.namespace, PLACE.name), selfHeal(null));
});

test('objects that were changed outside of plans are listed at once, and restored by keyboard', async ({ page }) => {
  await page.goto('/instances/demo/hello');
  await expect(page.getByText('Self-heal', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Changed outside' })).toHaveCount(0);
  await change(page.request, 'PATCH', SERVICE, { spec: { ports: [{ name: 'http', port: 81 }] } });
  await change(page.request, 'DELETE', BUDGET);
  const card = page.getByRole('region', { name: 'Changed outside' });
  await expect(card.getByText('2 objects')).toBeVisible();
  await expect(card.getByText('spec.ports[0].port is 81, the last plan left 80')).toBeVisible();
  await expect(card.getByRole('listitem').filter({ hasText: 'PodDisruptionBudget hello' })).toContainText(
    'was deleted',
  );
  await expect(page.getByText('Changed outside: 2 objects')).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await page.getByRole('link', { name: 'Overview' }).first().click();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention.getByRole('listitem').filter({ hasText: 'hello' })).toContainText('Changed outside');
  await attention.getByRole('link', { name: 'See why: hello' }).click();
  await expect(card.getByText('2 objects')).toBeVisible();

  await page.getByRole('link', { name: 'Instances' }).first().click();
  const row = page.getByRole('row', { name: /hello/ });
  await expect(row).toContainText('Changed outside');
  await expect(row).toContainText('2 objects');
  // An Instance with drift is sorted before healthy ones, and moves back afterwards.
  await expect(page.getByRole('row').nth(1)).toContainText('hello');
  await page.getByRole('button', { name: 'Status' }).click();
  await expect(page.getByRole('row').last()).toContainText('hello');
  await page.getByRole('button', { name: '1 changed outside' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.goBack();

  await card.getByRole('button', { name: 'Restore PodDisruptionBudget hello' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Restored: PodDisruptionBudget hello')).toBeVisible();
  expect(await fetchObject(page.request, BUDGET)).toBeDefined();
  await card.getByRole('button', { name: 'Restore Service hello' }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByText('Healthy', { exact: true }).first()).toBeVisible();
  const service = (await fetchObject(page.request, SERVICE)) as { spec?: { ports?: { port: number }[] } } | undefined;
  expect(service?.spec?.ports?.map(({ port }) => port)).toEqual([80]);
});

test('leftover objects are listed, and removed only on request', async ({ page }) => {
  const uid = (await fetchObject(page.request, instanceKubePath(PLACE.namespace, PLACE.name)))?.metadata.uid ?? '';
  const metadata = {
    name: 'hello-left-over',
    labels: { heritage: 'kudo', 'kudo.dev/instance': 'hello' },
    annotations: {
      'kudo.dev/last-applied-configuration': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}',
    },
    ownerReferences: [{ apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'hello', uid, controller: true }],
  };
  const path = LEFTOVER.slice(0, LEFTOVER.lastIndexOf('/'));
  await change(page.request, 'POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  await page.goto('/instances/demo/hello');
  const card = page.getByRole('region', { name: 'Left over' });
  await expect(card.getByText('ConfigMap hello-left-over')).toBeVisible();
  await card.getByRole('button', { name: 'Remove…' }).click();
  const dialog = page.getByRole('dialog');
  const tick = dialog.getByRole('checkbox', { name: 'ConfigMap hello-left-over' });
  await expect(tick).toBeChecked();
  expect(await violations(page)).toEqual([]);
  await tick.focus();
  await page.keyboard.press('Space');
  await expect(dialog.getByRole('button', { name: 'Remove 0 objects' })).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Space');
  await dialog.getByRole('button', { name: 'Remove 1 object' }).click();
  await expect.poll(() => fetchObject(page.request, LEFTOVER)).toBeUndefined();
  await expect(card).toHaveCount(0);
});
