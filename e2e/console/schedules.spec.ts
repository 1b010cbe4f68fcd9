import { expectAccessible, expectFits } from '../../test/browser/looks';
import { saying } from '../../test/operators/destructive-operator';
import { simpleOperator } from '../../test/operators/simple-operator';
import { createObject, expect, fetchObject, planCompleted, test } from './fixtures';

const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';
const SCHEDULES = '/apis/bravo.kudo.dev/v1alpha1/namespaces/default/planschedules';
const PLACE = { namespace: 'default', name: 'timed' };
/** A slot is at most a minute away, and the plan takes a moment. */
const UNTIL_A_SLOT_MS = 75_000;

test.beforeAll(async ({ request }) => {
  // After a failure the next test runs in a new process.
  if ((await fetchObject(request, `${KUDO}/operators/timed`)) === undefined) {
    await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: 'timed' }, spec: {} });
    const metadata = {
      name: 'timed-1.0',
      annotations: saying({ backup: { parameters: ['BACKED'] }, hangs: { destructive: true } }),
    };
    const spec = { ...simpleOperator, version: '1.0', operator: { name: 'timed' } };
    await createObject(request, `${KUDO}/operatorversions`, { kind: 'OperatorVersion', metadata, spec });
  }
  if ((await fetchObject(request, `${KUDO}/instances/timed`)) !== undefined) return;
  await createObject(request, `${KUDO}/instances`, {
    kind: 'Instance',
    metadata: { name: 'timed' },
    spec: { operatorVersion: { name: 'timed-1.0' } },
  });
  await planCompleted(request, PLACE, 'deploy');
});

test.afterAll(async ({ request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${KUDO}/instances/timed`, { headers: { origin } });
});

test('a schedule is made by clicks, starts its plan, is edited, suspended and deleted', async ({ page, request }) => {
  await page.goto('/instances/default/timed/plans');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('region', { name: 'Schedules' }).getByRole('button', { name: 'New schedule' }).click();
  const form = page.getByRole('dialog', { name: 'New schedule' });
  await form.getByLabel(/^Plan/).selectOption('backup');
  await expect(form.getByLabel(/^Name/)).toHaveValue('timed-backup');
  const when = form.getByLabel(/^When/);
  await when.fill('every minute');
  await expect(when).toHaveAccessibleDescription(/is no cron expression/);
  await expect(form.getByRole('button', { name: 'Create schedule' })).toHaveAttribute('aria-disabled', 'true');
  await when.fill('* * * * *');
  await expect(when).toHaveAccessibleDescription('Every minute');
  await expect(form.getByRole('region', { name: 'The next five times' }).locator('[data-slot]')).toHaveCount(5);
  await form.locator('[data-parameter="BACKED"] input').fill('b');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Create schedule' }).click();
  await expect(form).toBeHidden();

  await page.locator('tr[data-schedule="timed-backup"]').getByRole('link', { name: 'timed-backup' }).first().click();
  await expect(page).toHaveURL('/schedules/default/timed-backup');
  const started = page.locator('tr[data-outcome="Started"]').first();
  await expect(started).toContainText('Done', { timeout: UNTIL_A_SLOT_MS });
  await expect(started.getByRole('link', { name: 'timed-backup-1' })).toBeVisible();
  await expectFits(page);
  const run = '/apis/bravo.kudo.dev/v1alpha1/namespaces/default/planruns/timed-backup-1';
  expect(await fetchObject(request, run)).toMatchObject({
    spec: { cause: 'Schedule', reason: 'schedule timed-backup' },
  });

  await page.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit schedule timed-backup' });
  await edit.getByLabel(/^When/).fill('30 2 * * *');
  await edit.getByText('Busy instance, missed times and blackouts').click();
  await edit.getByLabel('While a plan runs').selectOption('Wait');
  await edit.getByRole('button', { name: 'Add a blackout' }).click();
  await edit.getByRole('button', { name: 'Save schedule' }).click();
  await expect(edit).toBeHidden();
  await expect(page.getByText('Every day at 02:30')).toBeVisible();
  await page.getByRole('button', { name: 'Suspend' }).click();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  expect(await fetchObject(request, `${SCHEDULES}/timed-backup`)).toMatchObject({
    spec: {
      schedule: '30 2 * * *',
      concurrencyPolicy: 'Wait',
      suspend: true,
      parameters: { BACKED: 'b' },
      blackouts: [{ start: '0 18 * * 5', durationMinutes: 60 }],
    },
  });

  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete schedule timed-backup?' });
  await expectAccessible(page);
  await expect(dialog.getByRole('button', { name: 'Delete schedule' })).not.toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('button', { name: 'Delete schedule' }).click();
  await expect(page).toHaveURL('/schedules');
  expect(await fetchObject(request, `${SCHEDULES}/timed-backup`)).toBeUndefined();
});

test('the list and the calendar show what starts, with a filter in the address', async ({ page, request }) => {
  const object = (name: string, spec: object) => ({
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'PlanSchedule',
    metadata: { name },
    spec: { instanceName: 'timed', plan: 'backup', ...spec },
  });
  await createObject(request, SCHEDULES, object('early', { schedule: '30 2 * * *', timeZone: 'Asia/Tokyo' }));
  await createObject(request, SCHEDULES, object('off', { schedule: '0 3 1 * *', suspend: true }));
  await createObject(request, SCHEDULES, object('wrong', { schedule: '61 * * * *' }));
  await page.goto('/schedules?instance=timed');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await expect(page.locator('tr[data-schedule]')).toHaveCount(3);
  await expect(page.locator('tr[data-schedule="early"]')).toContainText('Every day at 02:30');
  await expect(page.locator('tr[data-schedule="wrong"]')).toContainText('is no cron expression');
  await page.getByRole('button', { name: /^Suspended/ }).click();
  await expect(page).toHaveURL(/state=suspended/);
  await expect(page.locator('tr[data-schedule]')).toHaveCount(1);
  await expectFits(page);
  await page.goto('/schedules?view=calendar&instance=timed');
  const days = page.getByRole('list', { name: 'The next 14 days' }).locator('> li');
  await expect(days).toHaveCount(14);
  await expect(days.nth(1)).toContainText('early');
  await expect(days.filter({ hasText: 'off' })).toHaveCount(0);
  await expectFits(page);
});

test('a destructive plan is scheduled only with the name of its instance typed', async ({ page, request }) => {
  await page.goto('/schedules');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('button', { name: 'New schedule' }).click();
  const form = page.getByRole('dialog', { name: 'New schedule' });
  await form.getByLabel(/^Instance/).selectOption('default/timed');
  await form.getByLabel(/^Plan/).selectOption('hangs');
  const create = form.getByRole('button', { name: 'Create schedule' });
  await expect(create).toHaveAttribute('aria-disabled', 'true');
  await form.getByLabel('Type timed to confirm').fill('timed');
  await expect(create).not.toHaveAttribute('aria-disabled', 'true');
  await create.click();
  await expect(form).toBeHidden();
  expect(await fetchObject(request, `${SCHEDULES}/timed-hangs`)).toMatchObject({
    spec: { plan: 'hangs', confirm: 'hangs/timed' },
  });
});

test('an instance without a backup of the age of its goal needs attention, and its tab says why', async ({
  page,
  request,
}) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const patch = async (path: string, data: object) => {
    const headers = { origin, 'content-type': 'application/merge-patch+json' };
    const response = await request.patch(`/api/kube${path}`, { headers, data });
    expect(response.ok(), await response.text()).toBe(true);
  };
  const outputs = ['one', 'two'].map((name, at) => ({
    type: 'backup',
    name,
    size: 1024 * (at + 1),
    createdAt: `2026-01-0${at + 1}T00:00:00Z`,
  }));
  const run = '/apis/bravo.kudo.dev/v1alpha1/namespaces/default/planruns/timed-deploy-1/status';
  await patch(run, { status: { outputs } });
  await patch(`${KUDO}/instances/timed`, { metadata: { annotations: { 'bravo.kudo.dev/backup-goal': '24h' } } });
  await page.goto('/');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention).toContainText('The last good backup, two, is');
  await attention.getByRole('link', { name: 'See why: timed' }).click();
  await expect(page).toHaveURL('/instances/default/timed/backups');
  const health = page.getByRole('region', { name: 'Backup health' });
  await expect(health).toContainText('Goal missed');
  await expect(health.getByRole('list', { name: 'Size of the last 2 backups' })).toContainText('2.0 KiB');
  await expectFits(page);
});

test('of very many schedules only those in view are drawn, and the last one is reached by scrolling', async ({
  page,
  request,
}) => {
  const names = Array.from({ length: 230 }, (_, at) => `many-${String(at).padStart(3, '0')}`);
  for (const name of names) {
    await createObject(request, SCHEDULES, {
      apiVersion: 'bravo.kudo.dev/v1alpha1',
      kind: 'PlanSchedule',
      metadata: { name, labels: { of: 'many' } },
      spec: { instanceName: 'many', plan: 'backup', schedule: '0 3 * * *', suspend: true },
    });
  }
  await page.goto('/schedules?instance=many');
  const rows = page.locator('tr[data-schedule]');
  await expect(page.locator('table')).toHaveAttribute('aria-rowcount', '231');
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(120);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(rows.last()).toHaveAttribute('aria-rowindex', '231');
  await expectAccessible(page);
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${SCHEDULES}?labelSelector=of%3Dmany`, { headers: { origin } });
});
