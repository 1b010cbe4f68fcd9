import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from '../../test/browser/looks';
import { bravoProcess } from '../../test/programs/bravo-process';
import { type Running, startNode, temporaryFolder } from '../../test/programs/process';
import { workerConsole } from '../../test/programs/worker-console';
import { expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';

const folder = temporaryFolder('package-walk');
const path = (...parts: string[]) => join(folder, ...parts);
const SPACE = 'shop';

/** The third version has it in its plan, and a parameter without a value. */
const MIGRATION = `apiVersion: batch/v1
kind: Job
metadata: {name: "{{ .Name }}-migrate", annotations: {zone: "{{ .Params.ZONE }}"}}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers: [{name: migrate, image: "registry.example.org/migrate:1", command: [sh, -c, "exit 3"]}]
`;

// Each step needs those before it.
test.describe.configure({ mode: 'serial', timeout: 300_000 });

let served: Running;
let url: string;

/** The command line, on the cluster of this worker's console. */
const bravo = (...words: string[]) =>
  bravoProcess([...words, '--home', path('home')], {
    KUBECONFIG: join(workerConsole().folder, 'kubeconfig'),
    COSIGN_PASSWORD: '',
  });

function edit(file: string, change: (text: string) => string): void {
  const before = readFileSync(path(file), 'utf8');
  const after = change(before);
  expect(after, file).not.toBe(before);
  writeFileSync(path(file), after);
}

/** Signs what is in the folder of the repository, and lists it. */
async function publish(version: string): Promise<void> {
  await bravo('package', 'sign', path('repo', `web-1.27.0_${version}.tgz`), '--key', path('own.key'));
  await bravo('repo', 'index', path('repo'), '--url', url, '-w');
}

test.beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../test/charts/web'), path('chart'), { recursive: true });
  mkdirSync(path('repo'));
  await bravo('package', 'keys', '--prefix', path('own'));
  served = startNode(['bin/bravo', 'repo', 'serve', path('repo'), '--port', '0']);
  url = /at (http:\S+)\. Add/.exec(await served.printed('Add it with'))?.[1] ?? '';
});

test.afterAll(async ({ request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  for (const name of ['one', 'two', 'web'])
    await request.delete(`/api/kube${instanceKubePath(SPACE, name)}`, { headers: { origin } });
  await request.delete('/api/repositories/walk', { headers: { origin } });
  await served?.stop();
});

const valid = (page: Page) => page.getByText('The package is valid.');
const card = (page: Page) => page.locator('[data-upgrade]').first();
const subscription = (page: Page) => page.locator('[data-subscription="web"]');

test('a package that was made from a chart is edited, run in the sandbox, and downloaded', async ({ page }) => {
  await bravo('package', 'from-chart', path('chart'), '-o', path('operator'));
  await bravo('package', 'create', path('operator'), '-d', folder);
  await page.goto('/workshop');
  await page.getByLabel('Package as .tgz').setInputFiles(path('web-1.27.0_1.4.2.tgz'));
  await expect(valid(page)).toBeVisible();
  await page.getByRole('treeitem').and(page.locator('[data-file="templates/configmap.yaml"]')).click();
  await page.locator('.cm-line', { hasText: 'kind: ConfigMap' }).first().click();
  await page.keyboard.press('End');
  await page.keyboard.type('\n# {{ .Params.BANNER }}');
  const problem = page.getByRole('list', { name: 'Problems of the package' }).getByRole('listitem');
  await problem
    .filter({ hasText: 'parameter "BANNER"' })
    .getByRole('button', { name: /^Quick fix/ })
    .click();
  await expect(valid(page)).toBeVisible();

  await page.getByRole('button', { name: 'Run in the sandbox' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name of the new namespace' }).fill(SPACE);
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('link', { name: 'Open the instance' }).click();
  await expect(page).toHaveURL(/\/instances\/shop\/web/);
  await planCompleted(page.request, { namespace: SPACE, name: 'web' }, 'deploy');
  await page.goBack();
  await expect(valid(page)).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download .tgz' }).click();
  await (await saved).saveAs(path('repo', 'web-1.27.0_1.4.2.tgz'));
});

test('it is published with a signature, found in its repository, and installed', async ({ page }) => {
  await publish('1.4.2');
  await page.goto('/repositories');
  await page.getByRole('button', { name: 'Add repository' }).click();
  await page.getByRole('textbox', { name: /^Name/ }).fill('walk');
  await page.getByRole('textbox', { name: /^Address/ }).fill(url);
  await page.getByLabel('Public keys').fill(readFileSync(path('own.pub'), 'utf8'));
  await page.getByRole('button', { name: 'Test' }).click();
  await expect(page.getByRole('list', { name: 'Checks' })).toContainText('web is signed by key');
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .locator('tr[data-package="walk/web/1.4.2"]')
    .getByRole('button', { name: /^Details/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add to the catalogue' }).click();
  await expect(page).toHaveURL('/operators/web/1.27.0-1.4.2');

  for (const name of ['one', 'two']) {
    await page.goto('/install');
    await page.getByRole('link', { name: 'web', exact: true }).click();
    await page.getByRole('combobox', { name: 'Namespace' }).selectOption(SPACE);
    await page.getByLabel('Instance name').fill(name);
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect(page.locator('summary', { hasText: /^Deployment / }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await page.waitForURL(`**/instances/${SPACE}/${name}**`);
    await planCompleted(page.request, { namespace: SPACE, name }, 'deploy');
  }
});

test('its channel is followed, and a new version is approved and moves all Instances in waves', async ({ page }) => {
  const origin = new URL((await page.request.get('/api/health')).url()).origin;
  await page.request.delete(`/api/kube${instanceKubePath(SPACE, 'web')}`, { headers: { origin } });
  await page.goto('/operators/web/upgrade');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('button', { name: 'Follow a channel' }).click();
  const form = page.getByRole('dialog', { name: 'Follow a channel for web' });
  await form.getByLabel(/^Repository/).fill(url);
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Create subscription' }).click();
  await expect(form).toBeHidden();
  await expect(subscription(page)).toContainText('web-1.27.0-1.4.2');

  edit('chart/Chart.yaml', (text) => text.replace('version: 1.4.2', 'version: 1.5.0'));
  edit('chart/values.yaml', (text) => text.replace('replicaCount: 1', 'replicaCount: 2'));
  await bravo('package', 'from-chart', path('chart'), '-o', path('operator'), '-w');
  await bravo('package', 'create', path('operator'), '-d', path('repo'));
  await publish('1.5.0');
  await subscription(page).getByRole('button', { name: 'Check now' }).click();
  await subscription(page).getByRole('button', { name: 'Approve web-1.27.0-1.5.0' }).click();
  await expect(card(page)).toContainText('All 2 Instances are upgraded.');
  await expect(card(page).locator('[data-instance="one"]')).toHaveAttribute('data-state', 'Upgraded');
  for (const name of ['one', 'two']) {
    const deployment = `/apis/apps/v1/namespaces/${SPACE}/deployments/${name}-web`;
    expect((await fetchObject(page.request, deployment))?.spec?.replicas).toBe(2);
  }
});

test('an upgrade that fails is planned, pauses, takes its wave back, and is taken back as a whole', async ({
  page,
}) => {
  writeFileSync(path('operator/templates/migrate.yaml'), MIGRATION);
  edit('operator/operator.yaml', (text) =>
    text
      .replace('operatorVersion: 1.5.0', 'operatorVersion: 1.6.0')
      .replace('tasks:\n', 'tasks:\n  - name: migrate\n    kind: Apply\n    spec: {resources: [migrate.yaml]}\n')
      .replace(
        'plans:\n',
        'plans:\n  upgrade:\n    strategy: serial\n    phases: [{name: main, strategy: serial, steps: [{name: migrate, tasks: [migrate]}]}]\n',
      ),
  );
  edit('operator/params.yaml', (text) =>
    text.replace('parameters:\n', 'parameters:\n  - {name: ZONE, required: true}\n'),
  );
  await bravo('package', 'create', path('operator'), '-d', path('repo'));
  await publish('1.6.0');
  await page.goto('/operators/web/upgrade');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await subscription(page).getByRole('button', { name: 'Check now' }).click();
  await expect(subscription(page)).toContainText('waits for an approval');
  await page.goto('/operators');
  await page.getByRole('button', { name: /^Outdated, withdrawn/ }).click();
  await page.getByRole('link', { name: '2 outdated' }).click();
  await expect(page.getByRole('heading', { name: 'Upgrade web' })).toBeVisible();
  await page.getByLabel('Versions from').selectOption({ label: 'subscription web, channel stable' });
  const plan = page.getByRole('region', { name: 'Upgrade of one' });
  await expect(plan.locator('[data-check="path"]')).toHaveAttribute('data-state', 'ok');
  await expect(plan.locator('[data-parameter="ZONE"]')).toContainText('is required but has no value set');
  await page.getByLabel(/^ZONE/).fill('west');
  await expect(plan.locator('[data-check="parameters"]')).toHaveAttribute('data-state', 'ok');
  await expectFits(page);

  await page.getByLabel('Roll a wave with a failure back').check();
  await page.getByRole('button', { name: 'Upgrade 2 instances' }).click();
  const failed = page.locator('[data-upgrade]').filter({ hasText: 'web-1.27.0-1.6.0' });
  await expect(failed).toContainText('Paused');
  await expect(failed.locator('[data-instance="one"]')).toHaveAttribute('data-state', 'RolledBack');
  // The exit code of the pod is said too when the watch of pods is not behind the one of Jobs.
  await expect(failed.locator('[data-instance="one"]')).toContainText('Job one-migrate: failed: BackoffLimitExceeded');
  await expect(failed.locator('[data-instance="two"]')).toHaveAttribute('data-state', 'Waiting');
  await expectAccessible(page);
  await failed.getByRole('button', { name: 'Cancel' }).click();
  await expect(failed).toContainText('Cancelled');
  const done = page.locator('[data-upgrade]').filter({ has: page.getByText('web-1.27.0-1.5.0', { exact: true }) });
  await done.getByRole('button', { name: 'Roll back' }).click();
  await expect(done.locator('[data-instance="two"]')).toHaveAttribute('data-state', 'RolledBack');
  await subscription(page).getByRole('button', { name: 'Suspend' }).click();
  await expect(subscription(page).getByRole('button', { name: 'Resume' })).toBeVisible();
  await expect(subscription(page).getByRole('button', { name: 'Check now' })).toHaveAttribute('aria-disabled', 'true');
});
