import { apply, configMap } from '../../test/operators/templates';
import { createObject, expect, fetchObject, instanceKubePath, openPalette, planCompleted, test } from './fixtures';
import { tabTo } from './tab-to';

/** Twelve tasks and more, without a mouse: what a person does in a day. */

test('an operator is installed, edited, backed up, watched and uninstalled with the keyboard alone', async ({
  page,
  request,
}) => {
  const PLACE = { namespace: 'demo', name: 'keys' };
  await page.goto('/install');
  await tabTo(page, 'link', 'postgres');
  await page.keyboard.press('Enter');
  await tabTo(page, 'textbox', 'Instance name');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('keys');
  await tabTo(page, 'button', 'Install');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/instances/demo/keys**');
  await planCompleted(request, PLACE, 'deploy');

  await tabTo(page, 'link', 'Parameters');
  await page.keyboard.press('Enter');
  await tabTo(page, 'textbox', /^Connections/);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('250');
  await tabTo(page, 'button', 'Review');
  await page.keyboard.press('Enter');
  await tabTo(page, 'button', 'Apply and run update');
  // What it waited for may have been shown there.
  await expect(page.getByRole('dialog').getByRole('tooltip')).toBeHidden();
  await page.keyboard.press('Enter');
  await planCompleted(request, PLACE, 'update');

  await page.goto('/instances/demo/keys');
  await tabTo(page, 'button', 'Back up');
  await page.keyboard.press('Enter');
  const said = page.locator('main [role="status"].sr-only').first();
  await expect(said).toContainText(/keys: (Starting|Queued|Backing up)/);
  await planCompleted(request, PLACE, 'backup');
  await expect(said).toHaveText('keys: Healthy');

  await tabTo(page, 'link', 'Plans & runs');
  await page.keyboard.press('Enter');
  await tabTo(page, 'button', /^Done in .* UTC$/);
  await expect(page.getByRole('region', { name: 'Runs of plan backup' }).getByRole('row')).not.toHaveCount(0);

  await tabTo(page, 'button', 'More actions');
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await tabTo(page, 'textbox', /keys/);
  await page.keyboard.type('keys');
  await expect(dialog.getByRole('button', { name: 'Delete keys' })).not.toHaveAttribute('aria-disabled');
  await page.keyboard.press('Enter');
  await expect.poll(() => fetchObject(request, instanceKubePath('demo', 'keys')), { timeout: 60_000 }).toBeUndefined();
});

const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';
const RUNS = '/apis/bravo.kudo.dev/v1alpha1/namespaces/default/planruns';

/** Its plan `long` waits for ever, until it is cancelled. */
const PIANO = {
  version: '1.0',
  operator: { name: 'piano' },
  templates: { 'note.yaml': configMap('{{ .Name }}-note', '{size: "1"}') },
  tasks: [{ name: 'never', kind: 'Dummy', spec: { done: false } }, apply('note', 'note.yaml')],
  parameters: [],
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'run', tasks: ['note'] }] }],
    },
    long: {
      strategy: 'serial',
      phases: [{ name: 'one', strategy: 'serial', steps: [{ name: 'wait', tasks: ['never'] }] }],
    },
  },
};

test('an Instance is found, opened, run, cancelled and looked into with the keyboard alone', async ({
  page,
  request,
}) => {
  await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: 'piano' }, spec: {} });
  await createObject(request, `${KUDO}/operatorversions`, {
    kind: 'OperatorVersion',
    metadata: { name: 'piano-1.0' },
    spec: PIANO,
  });
  await createObject(request, `${KUDO}/instances`, {
    kind: 'Instance',
    metadata: { name: 'piano' },
    spec: { operatorVersion: { name: 'piano-1.0' } },
  });
  await planCompleted(request, { namespace: 'default', name: 'piano' }, 'deploy');
  const uid = (await fetchObject(request, `${KUDO}/instances/piano`))?.metadata.uid;

  await test.step('the list is narrowed to a namespace, filtered, and the Instance opened', async () => {
    await page.goto('/instances');
    await expect(page.locator('[data-connection="live"]')).toBeVisible();
    await tabTo(page, 'button', /^Namespace: all/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    const wanted = page.getByRole('menuitemradio', { name: 'default', exact: true });
    for (
      let presses = 0;
      presses < 10 && !(await wanted.evaluate((entry) => entry === document.activeElement));
      presses++
    )
      await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('link', { name: 'postgres', exact: true })).toHaveCount(0);
    await tabTo(page, 'searchbox', /^Filter/);
    await page.keyboard.type('operator:piano');
    await expect(page.getByRole('link', { name: 'piano', exact: true })).toHaveCount(1);
    await tabTo(page, 'link', 'piano');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/instances/default/piano');
  });

  await test.step('a plan is started by the palette, its run opened and cancelled', async () => {
    await openPalette(page);
    await page.keyboard.type('long piano');
    await expect(page.getByRole('option').first()).toContainText('Long piano');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Long piano/ });
    await expect(dialog).toBeVisible();
    await tabTo(page, 'button', 'Run long');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await tabTo(page, 'link', /^Run piano-long-/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/runs/piano-long-1');
    await expect(page.locator('li[data-step="wait"]')).toHaveAttribute('data-status', 'IN_PROGRESS');
    await tabTo(page, 'button', 'Cancel run');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toContainText('Half done');
    // The button behind the dialog has the same name, and is out of reach.
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab');
      if (
        await page
          .locator('dialog[open] button[data-variant="destroy"]')
          .evaluate((each) => each === document.activeElement)
      )
        break;
    }
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await fetchObject(request, `${RUNS}/piano-long-1`))?.status)
      .toMatchObject({ status: 'Cancelled' });
    await expect(page).toHaveTitle(/Cancelled/);
  });

  await test.step('an object of the tree is opened in the panel and closed again', async () => {
    await page.goto('/instances/default/piano/resources');
    const line = page.locator('[role=treeitem][data-object="core/v1/configmaps@default=piano-note"]');
    await expect(line).toBeVisible();
    await tabTo(page, 'treeitem', /Instance piano/);
    await page.keyboard.type('configmap');
    await expect(line).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-panel-title]')).toHaveText('piano-note');
    await page.keyboard.press('Escape');
    await expect(line).toBeFocused();
  });

  await test.step('the guide about the page is opened beside it', async () => {
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Help' });
    await expect(help).toContainText('Resource tree');
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
  });

  await test.step('logs of a pod are followed', async () => {
    await page.goto('/instances/demo/postgres/logs');
    const log = page.getByRole('region', { name: /^Log of/ }).first();
    await expect(log).toBeVisible();
    await log.focus();
    await page.keyboard.press('End');
    await expect(page.getByRole('button', { name: 'Follow', exact: true })).toHaveCount(0);
  });

  await test.step('an object is created by its form', async () => {
    await page.goto('/resources/create?group=&version=v1&plural=configmaps&namespace=default');
    await tabTo(page, 'textbox', 'name');
    await page.keyboard.type('typed');
    await tabTo(page, 'button', 'Create');
    await page.keyboard.press('Enter');
    await expect.poll(() => fetchObject(request, '/api/v1/namespaces/default/configmaps/typed')).toBeDefined();
  });

  expect((await fetchObject(request, `${KUDO}/instances/piano`))?.metadata.uid).toBe(uid);
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${KUDO}/instances/piano`, { headers: { origin } });
});
