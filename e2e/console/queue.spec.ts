import { expectAccessible } from '../../test/browser/looks';
import { createObject, expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';

const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';
const PLACE = { namespace: 'default', name: 'queued' };

const plan = (task: string) => ({
  strategy: 'serial',
  phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'run', tasks: [task] }] }],
});

/** Its plan `long` waits for ever; the others are done at once. */
const SPEC = {
  version: '1.0',
  operator: { name: 'queued' },
  tasks: [
    { name: 'never', kind: 'Dummy', spec: { done: false } },
    { name: 'done', kind: 'Dummy', spec: { done: true } },
  ],
  plans: { deploy: plan('done'), long: plan('never'), backup: plan('done'), check: plan('done') },
};

test.beforeAll(async ({ request }) => {
  // After a failure the next test runs in a new process.
  if ((await fetchObject(request, `${KUDO}/operators/queued`)) === undefined) {
    await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: 'queued' }, spec: {} });
    await createObject(request, `${KUDO}/operatorversions`, {
      kind: 'OperatorVersion',
      metadata: { name: 'queued-1.0' },
      spec: SPEC,
    });
  }
  if ((await fetchObject(request, `${KUDO}/instances/queued`)) !== undefined) return;
  await createObject(request, `${KUDO}/instances`, {
    kind: 'Instance',
    metadata: { name: 'queued' },
    spec: { operatorVersion: { name: 'queued-1.0' } },
  });
  await planCompleted(request, PLACE, 'deploy');
});

test.afterAll(async ({ request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${instanceKubePath(PLACE.namespace, PLACE.name)}`, { headers: { origin } });
});

test('plans that are asked for while one runs wait in the queue, where they are moved and taken off', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/instances/default/queued/plans');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  const start = (name: string, title: string) =>
    page.locator(`section[data-plan="${name}"]`).getByRole('button', { name: title, exact: true }).last().click();
  await start('long', 'Long');
  await expect(page.locator('section[data-plan="long"][data-status="IN_PROGRESS"]')).toBeVisible();
  await start('backup', 'Back up');
  const queue = page.getByRole('region', { name: 'Queue' });
  await expect(queue.getByRole('listitem')).toHaveText([/backup/]);
  await start('check', 'Check');
  await expect(queue.getByRole('listitem')).toHaveText([/backup/, /check/]);
  await expect(queue).toContainText('The first one starts when plan long is complete.');
  await expectAccessible(page);
  await queue.getByRole('listitem').last().getByRole('button', { name: 'Copy as' }).click();
  await expectAccessible(page);
  await queue.getByRole('listitem').last().getByRole('menuitem', { name: 'Move up: bravo' }).click();
  await expect(page.getByText('Copied as bravo: move up, plan check of queued')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'bravo run queue move --instance queued --plan check --to 1 -n default',
  );
  await queue.getByRole('button', { name: 'Move check up' }).click();
  await expect(queue.getByRole('listitem')).toHaveText([/check/, /backup/]);
  await queue.getByRole('button', { name: 'Take check off the queue' }).click();
  await expect(queue.getByRole('listitem')).toHaveText([/backup/]);
  await page.getByRole('button', { name: 'Cancel run' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
  await expect(queue).toContainText('The queue is held because plan long failed.');
  await queue.getByRole('button', { name: 'Back up' }).click();
  await planCompleted(page.request, PLACE, 'backup');
  await expect(queue).toHaveCount(0);
});
