import type { Page } from '@playwright/test';
import { expectAccessible } from '../../test/browser/looks';
import { createObject, expect, fetchObject, test } from './fixtures';

const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';
const RUNS = '/apis/bravo.kudo.dev/v1alpha1/namespaces/default/planruns';

/** Its plan `long` waits in phase `one` for ever, and is done with phase `two` at once. */
test.beforeAll(async ({ request }) => {
  await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: 'steered' }, spec: {} });
  const phase = (name: string, step: string, task: string) => ({
    name,
    strategy: 'serial',
    steps: [{ name: step, tasks: [task] }],
  });
  await createObject(request, `${KUDO}/operatorversions`, {
    kind: 'OperatorVersion',
    metadata: { name: 'steered-1.0' },
    spec: {
      version: '1.0',
      operator: { name: 'steered' },
      tasks: [
        { name: 'never', kind: 'Dummy', spec: { done: false } },
        { name: 'done', kind: 'Dummy', spec: { done: true } },
      ],
      plans: {
        deploy: { strategy: 'serial', phases: [phase('main', 'run', 'done')] },
        long: { strategy: 'serial', phases: [phase('one', 'wait', 'never'), phase('two', 'end', 'done')] },
      },
    },
  });
  await createObject(request, `${KUDO}/instances`, {
    kind: 'Instance',
    metadata: { name: 'steered' },
    spec: { operatorVersion: { name: 'steered-1.0' } },
  });
});

test.afterAll(async ({ request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${KUDO}/instances/steered`, { headers: { origin } });
});

/** Starts plan `long` from the Instance's page, as a person does. */
async function startLong(page: Page): Promise<void> {
  await page.goto('/instances/default/steered/plans');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.locator('section[data-plan="long"]').getByRole('button', { name: 'Long', exact: true }).last().click();
}

const statusOf = async (page: Page, name: string) =>
  ((await fetchObject(page.request, `${RUNS}/${name}`)) as { status?: { status?: string } } | undefined)?.status
    ?.status;

test('a run is followed on its page, paused, a step skipped with a reason, and resumed', async ({ page }) => {
  await startLong(page);
  await page.goto('/runs');
  const row = page.locator('tr[data-run="steered-long-1"]');
  await expect(row).toContainText('Running');
  await row.getByRole('link', { name: 'steered-long-1' }).click();
  await expect(page).toHaveURL('/instances/default/steered/runs/steered-long-1');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  await page.getByRole('button', { name: 'Skip step wait' }).click();
  const dialog = page.getByRole('dialog', { name: 'Skip step wait?' });
  await expect(dialog.getByRole('button', { name: 'Skip step' })).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('done by hand');
  await dialog.getByRole('button', { name: 'Skip step' }).click();
  const step = (name: string) => page.locator(`li[data-step="${name}"]`);
  await expect(step('wait')).toContainText('Skipped: done by hand');
  await expect(page.getByText('Paused before step end of phase two.').first()).toBeVisible();
  await expect(step('end')).toHaveAttribute('data-status', 'PENDING');
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(step('end')).toHaveAttribute('data-status', 'COMPLETE');
  await expect(page.getByRole('heading', { name: /steered-long-1/ })).toContainText('Done');
  await expect(page.getByRole('region', { name: 'What people did' })).toContainText('Resumed');
  await expectAccessible(page);
});

test('a run is cancelled after a question, says what is half done, and is repeated', async ({ page }) => {
  await startLong(page);
  await page.goto('/instances/default/steered/runs/steered-long-2');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel run' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel run steered-long-2?' });
  await expect(dialog).toContainText('no other one begins');
  await dialog.getByRole('button', { name: 'Cancel run' }).click();
  await expect(page.getByText('Half done: one/wait').first()).toBeVisible();
  await expect.poll(() => statusOf(page, 'steered-long-2')).toBe('Cancelled');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page).toHaveURL('/instances/default/steered/plans');
  await page.getByRole('link', { name: 'steered-long-3' }).click();
  await expect(page.getByText('An earlier run is repeated')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
  await expect.poll(() => statusOf(page, 'steered-long-3')).toBe('Cancelled');
});

test('the list of runs is filtered by the address', async ({ page }) => {
  await page.goto('/runs?q=instance:steered&status=cancelled');
  await expect(page.locator('tr[data-run]')).toHaveCount(2);
  await page.getByRole('button', { name: /^Done/ }).click();
  await expect(page).toHaveURL(/status=COMPLETE/);
  await expect(page.locator('tr[data-run="steered-long-1"]')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Filter' }).fill('no such run');
  await expect(page.getByText('No run matches the filter')).toBeVisible();
});
