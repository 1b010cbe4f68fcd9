import type { APIRequestContext } from '@playwright/test';
import { expectAccessible } from '../../test/browser/looks';
import { saying } from '../../test/operators/destructive-operator';
import { apply, configMap, deployment, plan, remove } from '../../test/operators/templates';
import { createObject, expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';

const NS = 'dialogs';
const claim = (name: string, size: string) =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: "{{ .Name }}-${name}"}\n` +
  `spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: ${size}}}}\n`;

const SAID = {
  wipe: {
    displayName: 'Wipe the data',
    description: 'Deletes the volume with the data.',
    icon: 'trash-2',
    confirm: 'All rows of the database are deleted.',
    destructive: true,
  },
  resize: { displayName: 'Change the size', parameters: ['SIZE'] },
  guarded: {
    preconditions: [{ expression: 'has(objects.key)', message: 'Create a ConfigMap with the key first.' }],
    objects: [{ name: 'key', apiVersion: 'v1', kind: 'ConfigMap', objectName: '{{ .Name }}-key' }],
  },
};

/** An operator with a data volume, a backup volume and a Deployment. */
const SPEC = {
  operator: { name: 'shop' },
  version: '1.0.0',
  templates: {
    'data.yaml': claim('data', '2Gi'),
    'backups.yaml': claim('backups', '3Gi'),
    'web.yaml': deployment('{{ .Name }}', { replicas: '{{ .Params.SIZE }}' }),
    'from.yaml': configMap('{{ .Name }}-from', '{from: "{{ .Params.FROM }}"}'),
  },
  tasks: [
    apply('volumes', 'data.yaml', 'backups.yaml'),
    apply('web', 'web.yaml'),
    apply('from', 'from.yaml'),
    remove('drop', 'data.yaml'),
  ],
  parameters: [
    { name: 'SIZE', default: '1', trigger: 'resize', 'value-type': 'integer', displayName: 'Size' },
    { name: 'FROM', default: 'latest', trigger: 'wipe' },
  ],
  plans: {
    deploy: plan(['volumes', 'volumes'], ['web', 'web']),
    wipe: plan(['drop', 'drop'], ['note', 'from']),
    resize: plan(['web', 'web']),
    guarded: plan(['note', 'from']),
  },
};

const place = (name: string) => ({ namespace: NS, name });
const claimPath = (name: string) => `/api/v1/namespaces/${NS}/persistentvolumeclaims/${name}`;
const wiped = (request: APIRequestContext, name: string) =>
  fetchObject(request, `/api/v1/namespaces/${NS}/configmaps/${name}-from`);

test.beforeAll(async ({ request }) => {
  // After a failure the next test runs in a new process.
  if ((await fetchObject(request, `/api/v1/namespaces/${NS}`)) !== undefined) return;
  const group = `/apis/kudo.dev/v1beta1/namespaces/${NS}`;
  await createObject(request, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } });
  await createObject(request, `${group}/operators`, { kind: 'Operator', metadata: { name: 'shop' }, spec: {} });
  const metadata = { name: 'shop-1.0.0', annotations: saying(SAID) };
  await createObject(request, `${group}/operatorversions`, { kind: 'OperatorVersion', metadata, spec: SPEC });
  for (const name of ['one', 'two', 'three']) {
    await createObject(request, `${group}/instances`, {
      kind: 'Instance',
      metadata: { name, labels: { 'kudo.dev/operator': 'shop' } },
      spec: { operatorVersion: { name: 'shop-1.0.0' } },
    });
    await planCompleted(request, place(name), 'deploy');
  }
});

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 390],
] as const) {
  test(`the dialog of a destructive plan names the volumes, and is accessible (${colorScheme}, ${width} px)`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/instances/${NS}/one`);
    await page.locator('header, main').getByRole('button', { name: 'Wipe the data' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Wipe the data: one' });
    await expect(dialog).toContainText('Deletes the volume with the data.');
    await expect(dialog).toContainText('All rows of the database are deleted.');
    const effects = dialog.getByRole('region', { name: 'What the plan does' });
    await expect(effects).toContainText('1 volume is deleted with its data');
    await expect(effects).toContainText('one-data 2Gi');
    await expect(effects).toContainText('1 volume stays');
    await expect(effects).toContainText('one-backups 3Gi');
    await expect(effects).toContainText('ConfigMap one-from');
    await expect(dialog.getByRole('button', { name: 'Run wipe' })).toHaveAttribute('aria-disabled', 'true');
    const overflow = await dialog.evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });
}

test('a destructive plan cannot be started in the first two seconds, also when the name is typed', async ({ page }) => {
  await page.clock.install();
  await page.goto(`/instances/${NS}/two`);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  const wipe = page.getByRole('button', { name: 'Wipe the data' }).first();
  // The code of the dialog is loaded when it is opened for the first time.
  await wipe.click();
  const dialog = page.getByRole('dialog', { name: 'Wipe the data: two' });
  await expect(dialog).toContainText('two-data 2Gi');
  await page.keyboard.press('Escape');
  await page.clock.pauseAt(Date.now() + 1_000);
  await wipe.click();
  await dialog.getByLabel(/^Type two to confirm/).fill('two');
  const run = dialog.getByRole('button', { name: 'Run wipe' });
  // The preview comes from the server, and the page shows it with timers of this clock: a few milliseconds of it at a time.
  await expect(async () => {
    await page.clock.runFor(20);
    await expect(run).toHaveAccessibleDescription('The button is enabled in 2 seconds.', { timeout: 500 });
  }).toPass();
  await page.clock.runFor(800);
  await page.keyboard.press('Enter');
  await expect(run).toHaveAccessibleDescription('The button is enabled in 2 seconds.');
  await page.clock.runFor(1_200);
  await expect(run).not.toHaveAttribute('aria-disabled');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('a destructive plan starts by keyboard when the name of the Instance is typed, once', async ({
  page,
  request,
}) => {
  await page.goto(`/instances/${NS}/one`);
  await page.getByRole('button', { name: 'Wipe the data' }).first().focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Wipe the data: one' });
  await expect(dialog).toContainText('one-data 2Gi');
  await dialog.getByLabel(/^Type one to confirm/).fill('two');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await dialog.getByLabel(/^Type one to confirm/).fill('one');
  await expect(dialog.getByRole('button', { name: 'Run wipe' })).not.toHaveAttribute('aria-disabled');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Wipe the data: plan wipe started')).toBeVisible();
  await planCompleted(request, place('one'), 'wipe');
  expect(await fetchObject(request, claimPath('one-data'))).toBeUndefined();
  expect(await fetchObject(request, claimPath('one-backups'))).toBeDefined();
  const after = await fetchObject(request, instanceKubePath(NS, 'one'));
  expect(after?.metadata.annotations).not.toHaveProperty(['bravo.kudo.dev/confirm']);
});

test('an edit that starts a destructive plan is reviewed, and asks for the name', async ({ page, request }) => {
  await page.goto(`/instances/${NS}/two/parameters`);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.locator('[data-parameter="FROM"] input').fill('monday');
  const bar = page.getByRole('region', { name: 'What applying does' });
  await bar.getByRole('button', { name: 'Apply', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Review 1 change of two' });
  await expect(dialog).toContainText('All rows of the database are deleted.');
  await expect(dialog).toContainText('two-data 2Gi');
  const applyAndRun = dialog.getByRole('button', { name: 'Apply and run wipe' });
  await expect(applyAndRun).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page);
  await dialog.getByLabel(/^Type two to confirm/).fill('two');
  await applyAndRun.click();
  await planCompleted(request, place('two'), 'wipe');
  expect((await wiped(request, 'two'))?.data).toEqual({ from: 'monday' });
});

test('a plan asks for its parameters, and shows what they change before it starts', async ({ page, request }) => {
  await page.goto(`/instances/${NS}/three`);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('button', { name: 'Change the size' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Change the size: three' });
  await dialog.locator('[data-parameter="SIZE"] input').fill('3');
  await expect(dialog.getByRole('region', { name: 'What the plan does' })).toContainText(
    'Deployment three goes from 1 to 3 pods.',
  );
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Run resize' }).click();
  await planCompleted(request, place('three'), 'resize');
  const web = await fetchObject(request, `/apis/apps/v1/namespaces/${NS}/deployments/three`);
  expect(web?.spec?.replicas).toBe(3);
});

test('a plan whose precondition does not hold says what is missing', async ({ page, request }) => {
  await page.goto(`/instances/${NS}/three`);
  await page.getByRole('button', { name: 'Guarded' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Guarded three?' });
  await expect(dialog).toContainText('Plan "guarded" cannot start. Create a ConfigMap with the key first.');
  await expect(dialog.getByRole('button', { name: 'Run guarded' })).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await createObject(request, `/api/v1/namespaces/${NS}/configmaps`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'three-key' },
  });
  await page.getByRole('button', { name: 'Guarded' }).first().click();
  await dialog.getByRole('button', { name: 'Run guarded' }).click();
  await planCompleted(request, place('three'), 'guarded');
});
