import { expectAccessible, expectFits } from '../../test/browser/looks';
import { simpleOperator } from '../../test/operators/simple-operator';
import { createObject, expect, fetchObject, planCompleted, test } from './fixtures';

const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';
const BRAVO = '/apis/bravo.kudo.dev/v1alpha1/namespaces/default';
const NAMES = ['fleet-a', 'fleet-b'];

test.beforeAll(async ({ request }) => {
  // After a failure the next test runs in a new process.
  const isThere = (await fetchObject(request, `${KUDO}/operators/fleet`)) !== undefined;
  if (!isThere) {
    await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: 'fleet' }, spec: {} });
  }
  for (const version of isThere ? [] : ['1.0.0', '1.1.0']) {
    const parameters = [
      ...(simpleOperator.parameters ?? []),
      { name: 'LEVEL', default: version },
      ...(version === '1.1.0' ? [{ name: 'ZONE', required: true }] : []),
    ];
    await createObject(request, `${KUDO}/operatorversions`, {
      kind: 'OperatorVersion',
      metadata: { name: `fleet-${version}` },
      spec: { ...simpleOperator, parameters, version, operator: { name: 'fleet' } },
    });
  }
  for (const name of NAMES) {
    if ((await fetchObject(request, `${KUDO}/instances/${name}`)) !== undefined) continue;
    await createObject(request, `${KUDO}/instances`, {
      kind: 'Instance',
      metadata: { name, labels: { 'kudo.dev/operator': 'fleet' } },
      spec: { operatorVersion: { name: 'fleet-1.0.0' } },
    });
    await planCompleted(request, { namespace: 'default', name }, 'deploy');
  }
});

test.afterAll(async ({ request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  for (const name of NAMES) await request.delete(`/api/kube${KUDO}/instances/${name}`, { headers: { origin } });
});

test('an outdated operator is found, its upgrade is planned, and moves both Instances in waves', async ({ page }) => {
  await page.goto('/operators');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('button', { name: /^Outdated, withdrawn/ }).click();
  await page.getByRole('link', { name: '2 outdated' }).click();
  await expect(page.getByRole('heading', { name: 'Upgrade fleet' })).toBeVisible();
  const plan = page.getByRole('region', { name: 'Upgrade of fleet-a' });
  await expect(plan.locator('[data-check="path"]')).toHaveAttribute('data-state', 'ok');
  await expect(plan.locator('[data-parameter="LEVEL"]')).toContainText('1.0.0');
  await expect(plan.locator('[data-parameter="ZONE"]')).toContainText('is required but has no value set');
  await page.getByLabel(/^ZONE/).fill('west');
  await expect(plan.locator('[data-check="parameters"]')).toHaveAttribute('data-state', 'ok');
  await expectAccessible(page);
  await expectFits(page);

  await page.getByLabel('Roll a wave with a failure back').check();
  await page.getByRole('button', { name: 'Upgrade 2 instances' }).click();
  const card = page.locator('[data-upgrade]').first();
  await expect(card.locator('[data-instance="fleet-a"]')).toHaveAttribute('data-state', 'Upgraded');
  await expect(card).toContainText('All 2 Instances are upgraded.');
  await expect(page.getByRole('button', { name: 'Upgrade 2 instances' })).toHaveAttribute('aria-disabled', 'true');
  await card.getByRole('button', { name: 'Roll back' }).click();
  await expect(card.locator('[data-instance="fleet-b"]')).toHaveAttribute('data-state', 'RolledBack');
  await expect(card).toContainText('Rolled back');
});

test('a channel is followed and suspended', async ({ page, request }) => {
  await page.goto('/operators/fleet/upgrade');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('button', { name: 'Follow a channel' }).click();
  const form = page.getByRole('dialog', { name: 'Follow a channel for fleet' });
  await form.getByLabel(/^Repository/).fill('http://127.0.0.1:9/packages');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Create subscription' }).click();
  await expect(form).toBeHidden();
  const item = page.locator('[data-subscription="fleet"]');
  await expect(item).toContainText('this machine');
  await item.getByRole('button', { name: 'Suspend' }).click();
  await expect(item.getByRole('button', { name: 'Resume' })).toBeVisible();
  expect(await fetchObject(request, `${BRAVO}/operatorsubscriptions/fleet`)).toMatchObject({
    spec: { operator: 'fleet', channel: 'stable', approval: 'Manual', suspend: true },
  });
});
