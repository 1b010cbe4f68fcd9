import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible } from '../../test/browser/looks';
import { saying } from '../../test/operators/destructive-operator';
import { apply, configMap } from '../../test/operators/templates';
import { createObject, expect, fetchObject, instanceKubePath, planCompleted, test, writeStatus } from './fixtures';

const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';
const RUNS = '/apis/bravo.kudo.dev/v1alpha1/namespaces/default/planruns';

/** Its plan `long` waits in phase `one` for ever, and is done with phase `two` at once. */
test.beforeAll(async ({ request }) => {
  // After a failure the next test runs in a new process.
  if ((await fetchObject(request, `${KUDO}/operators/steered`)) === undefined) {
    await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: 'steered' }, spec: {} });
    const metadata = { name: 'steered-1.0', annotations: saying({ restore: { parameters: ['RESTORE_FROM'] } }) };
    await createObject(request, `${KUDO}/operatorversions`, { kind: 'OperatorVersion', metadata, spec: SPEC });
  }
  if ((await fetchObject(request, `${KUDO}/instances/steered`)) !== undefined) return;
  await createObject(request, `${KUDO}/instances`, {
    kind: 'Instance',
    metadata: { name: 'steered' },
    spec: { operatorVersion: { name: 'steered-1.0' } },
  });
  await planCompleted(request, PLACE, 'deploy');
});

const PLACE = { namespace: 'default', name: 'steered' };

const phase = (name: string, step: string, task: string) => ({
  name,
  strategy: 'serial',
  steps: [{ name: step, tasks: [task] }],
});

const SPEC = {
  version: '1.0',
  operator: { name: 'steered' },
  templates: { 'note.yaml': configMap('{{ .Name }}-note', '{size: "{{ .Params.SIZE }}"}') },
  tasks: [
    { name: 'never', kind: 'Dummy', spec: { done: false } },
    { name: 'done', kind: 'Dummy', spec: { done: true } },
    apply('note', 'note.yaml'),
  ],
  parameters: [
    { name: 'SIZE', default: 'small', trigger: 'deploy' },
    { name: 'RESTORE_FROM', default: 'latest', trigger: 'restore' },
  ],
  plans: {
    deploy: { strategy: 'serial', phases: [phase('main', 'run', 'note')] },
    long: { strategy: 'serial', phases: [phase('one', 'wait', 'never'), phase('two', 'end', 'done')] },
    steps: {
      strategy: 'serial',
      phases: [phase('first', 'begin', 'done'), phase('second', 'middle', 'note'), phase('third', 'finish', 'done')],
    },
    restore: { strategy: 'serial', phases: [phase('load', 'load', 'done')] },
  },
};

test.afterAll(async ({ request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${KUDO}/instances/steered`, { headers: { origin } });
});

/** Starts plan `long` from the Instance's page, as a person does, and waits until the page shows it. */
async function startLong(page: Page): Promise<void> {
  await page.goto('/instances/default/steered/plans');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.locator('section[data-plan="long"]').getByRole('button', { name: 'Long', exact: true }).last().click();
  await expect(page.locator('section[data-plan="long"]').getByText('Running').first()).toBeVisible();
}

async function openRun(page: Page, name: string, query = ''): Promise<void> {
  await page.goto(`/instances/default/steered/runs/${name}${query}`);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
}

const statusOf = async (request: APIRequestContext, name: string) =>
  ((await fetchObject(request, `${RUNS}/${name}`)) as { status?: { status?: string } } | undefined)?.status?.status;

const step = (page: Page, name: string) => page.locator(`li[data-step="${name}"]`);
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

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
  await expect(step(page, 'wait')).toContainText('Skipped: done by hand');
  await expect(page.getByText('Paused before step end of phase two.').first()).toBeVisible();
  await expect(step(page, 'end')).toHaveAttribute('data-status', 'PENDING');
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(step(page, 'end')).toHaveAttribute('data-status', 'COMPLETE');
  await expect(page).toHaveTitle('✓ Done – long – steered – Bravo');
  await expect(page.getByRole('region', { name: 'What people did' })).toContainText('Resumed');
  await expectAccessible(page);
});

test('a run is cancelled after a question that says what is half done, and is repeated', async ({ page, request }) => {
  await startLong(page);
  await openRun(page, 'steered-long-2');
  await page.getByRole('button', { name: 'Cancel run' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel run steered-long-2?' });
  await expect(dialog).toContainText('Half done: one / wait.');
  await expect(dialog).toContainText('1 step does not begin.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel run' }).click();
  await expect(page.getByText('Half done: one/wait').first()).toBeVisible();
  await expect.poll(() => statusOf(request, 'steered-long-2')).toBe('Cancelled');
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect(page).toHaveURL('/instances/default/steered/plans');
  await page.locator('tr[data-run="steered-long-3"]').getByRole('link', { name: 'steered-long-3' }).click();
  // The page that is left has this button and this text too.
  await expect(page).toHaveURL('/instances/default/steered/runs/steered-long-3');
  await expect(page.getByText('An earlier run is repeated')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
  await expect.poll(() => statusOf(request, 'steered-long-3')).toBe('Cancelled');
});

test('a plan is started with a reason and stops after a phase, then after another one', async ({ page }) => {
  await page.goto('/instances/default/steered/plans');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('button', { name: 'Steps with a reason or a stop' }).click();
  const dialog = page.getByRole('dialog', { name: 'Steps steered?' });
  await dialog.getByLabel('Reason').fill('look at it first');
  await dialog.getByLabel('Stop after').selectOption('first');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Run steps' }).click();
  await page.locator('tr[data-run="steered-steps-1"]').getByRole('link', { name: 'steered-steps-1' }).click();
  // The page before has the same buttons.
  await expect(page).toHaveURL(/\/runs\/steered-steps-1/);
  await expect(heading(page)).toContainText('steered-steps-1');
  await expect(page.getByText('“look at it first”')).toBeVisible();
  await expect(page.getByText('Stopped after phase first, before step middle of phase second.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Stop after a phase' }).click();
  const stop = page.getByRole('dialog', { name: 'Stop run steered-steps-1 after a phase?' });
  await expect(stop.getByRole('option', { name: 'phase first (complete)' })).toBeDisabled();
  await stop.getByLabel('Stop after').selectOption('second');
  await expect(stop.getByRole('button', { name: 'Copy as' })).toBeVisible();
  await expectAccessible(page);
  await stop.getByRole('button', { name: 'Stop there' }).click();
  await expect(page.getByText('Stopped after phase second, before step finish of phase third.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(step(page, 'finish')).toHaveAttribute('data-status', 'COMPLETE');
});

test('a run is steered from the page of its Instance', async ({ page, request }) => {
  await startLong(page);
  await page.goto('/instances/default/steered');
  await expect(page.getByRole('link', { name: 'Run steered-long-4' })).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel run' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel run steered-long-4?' });
  await expect(dialog).toContainText('Half done: one / wait.');
  await dialog.getByRole('button', { name: 'Cancel run' }).click();
  await expect.poll(() => statusOf(request, 'steered-long-4')).toBe('Cancelled');
});

test('an edit has a reason, and the page of its run has what changed and the objects, also in its address', async ({
  page,
  request,
}) => {
  await page.goto('/instances/default/steered/parameters');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.locator('[data-parameter="SIZE"] input').fill('large');
  await page.getByRole('region', { name: 'What applying does' }).getByRole('button', { name: 'Review' }).click();
  const review = page.getByRole('dialog', { name: 'Review 1 change of steered' });
  await review.getByLabel('Reason').fill('the sale begins');
  await expectAccessible(page);
  await review.getByRole('button', { name: 'Apply and run deploy' }).click();
  await page.goto('/instances/default/steered/plans');
  await page.locator('tr[data-run="steered-deploy-2"]').getByRole('link', { name: 'steered-deploy-2' }).click();
  await expect(page.getByText('“the sale begins”')).toBeVisible();
  // The review has shown what the run applied.
  const preview = async () =>
    ((await fetchObject(request, `${RUNS}/steered-deploy-2`)) as { status?: { preview?: object } } | undefined)?.status
      ?.preview;
  await expect.poll(preview).toMatchObject({ matches: true });
  await page.getByRole('tab', { name: 'Changes' }).click();
  await expect(page.locator('tr[data-parameter="SIZE"]')).toContainText('large');
  await page.getByRole('tab', { name: 'Changes' }).press('End');
  await expect(page.getByRole('tab', { name: 'Objects' })).toBeFocused();
  const object = page.getByRole('tabpanel').locator('li[data-change="changed"]');
  await expect(object).toContainText('ConfigMap steered-note');
  await object.getByText('What changed').click();
  await expect(object.locator('pre')).toContainText('size: large');
  await expect(page).toHaveURL(/view=objects$/);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Objects' })).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
});

test('steps are chosen with the arrow keys, and the address has the chosen one', async ({ page }) => {
  await openRun(page, 'steered-steps-1', '?step=first%2Fbegin');
  const panel = page.getByRole('region', { name: 'Step begin' });
  await expect(panel).toContainText('Done');
  await step(page, 'begin').getByRole('button').press('ArrowDown');
  await expect(step(page, 'middle').getByRole('button')).toBeFocused();
  await expect(page.getByRole('region', { name: 'Step middle' })).toContainText('ConfigMap steered-note');
  await expect(page).toHaveURL(/step=second%2Fmiddle$/);
  await page.keyboard.press('End');
  await expect(step(page, 'finish').getByRole('button')).toBeFocused();
});

test('the list of runs is filtered by text, status, plan and Instance, as the address says', async ({ page }) => {
  await page.goto('/runs?q=instance:steered&status=cancelled');
  await expect(page.locator('tr[data-run]')).toHaveCount(3);
  await page.getByRole('button', { name: /^Done/ }).click();
  await expect(page).toHaveURL(/status=COMPLETE/);
  await expect(page.locator('tr[data-run="steered-long-1"]')).toBeVisible();
  await page.getByRole('combobox', { name: 'Plan' }).selectOption('steps');
  await expect(page).toHaveURL(/plan=steps/);
  await expect(page.locator('tr[data-run]')).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Filter' }).fill('no such run');
  await expect(page.getByText('No run matches the filter')).toBeVisible();
  await page.goto('/runs?instance=steered');
  await expect(page.locator('tr[data-run]:not([data-run^="steered-"])')).toHaveCount(0);
  await page.getByRole('button', { name: 'Instance steered' }).click();
  await expect(page).toHaveURL('/runs');
});

test('a backup that is chosen from the list, and not the newest, is restored by the plan that asks for its name', async ({
  page,
  request,
}) => {
  const backup = { type: 'backup', name: 'steered-monday', size: 1_536, createdAt: '2026-01-05T03:00:00Z' };
  await page.goto('/instances/default/steered');
  await expect(page.getByRole('link', { name: 'Backups' })).toHaveCount(0);
  const newer = { ...backup, name: 'steered-tuesday', createdAt: '2026-01-06T03:00:00Z' };
  await writeStatus(request, `${RUNS}/steered-deploy-1`, { outputs: [{ ...backup, verified: true }, newer] });
  await page.getByRole('link', { name: 'Backups' }).click();
  const row = page.locator('tr[data-backup="steered-monday"]');
  await expect(row).toContainText('1.5 KiB');
  await expect(row).toContainText('Verified');
  await expect(page.locator('tr[data-backup]').first()).toContainText('steered-tuesday');
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Restore from steered-monday' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore steered?' });
  await expect(dialog.locator('[data-parameter="RESTORE_FROM"] select')).toHaveValue('steered-monday');
  await dialog.getByLabel(/^Type steered to confirm/).fill('steered');
  await dialog.getByRole('button', { name: 'Run restore' }).click();
  await planCompleted(request, PLACE, 'restore');
  const restored = await fetchObject(request, instanceKubePath('default', 'steered'));
  expect(restored?.spec?.parameters).toMatchObject({ RESTORE_FROM: 'steered-monday' });
});

test('the page of a run outlives its Instance, and says why it cannot be repeated', async ({ page, request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${KUDO}/instances/steered`, { headers: { origin } });
  await expect.poll(() => fetchObject(request, instanceKubePath('default', 'steered'))).toBeUndefined();
  await openRun(page, 'steered-long-2');
  await expect(heading(page)).toContainText('steered-long-2');
  await expect(page.getByRole('button', { name: 'Retry', exact: true })).toHaveAccessibleDescription(
    'Instance steered of this run does not exist any more.',
  );
});
