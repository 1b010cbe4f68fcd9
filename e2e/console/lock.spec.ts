import type { Page } from '@playwright/test';
import { expectAccessible } from '../../test/browser/looks';
import { apply, configMap, plan } from '../../test/operators/templates';
import { createObject, expect, fetchObject, planCompleted, test } from './fixtures';

const NS = 'locks';
const GROUP = `/apis/kudo.dev/v1beta1/namespaces/${NS}`;

const SPEC = {
  operator: { name: 'held' },
  version: '1.0.0',
  templates: { 'state.yaml': configMap('{{ .Name }}-state', '{size: "{{ .Params.SIZE }}"}') },
  tasks: [apply('state', 'state.yaml'), { name: 'done', kind: 'Dummy', spec: { done: true } }],
  parameters: [{ name: 'SIZE', default: 'small', trigger: 'deploy' }],
  plans: { deploy: plan(['run', 'state']), save: plan(['save', 'done']) },
};

test.beforeAll(async ({ request }) => {
  // After a failure the next test runs in a new process.
  if ((await fetchObject(request, `/api/v1/namespaces/${NS}`)) !== undefined) return;
  await createObject(request, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } });
  await createObject(request, `${GROUP}/operators`, { kind: 'Operator', metadata: { name: 'held' }, spec: {} });
  await createObject(request, `${GROUP}/operatorversions`, {
    kind: 'OperatorVersion',
    metadata: { name: 'held-1.0.0' },
    spec: SPEC,
  });
  for (const name of ['one', 'two']) {
    await createObject(request, `${GROUP}/instances`, {
      kind: 'Instance',
      metadata: { name },
      spec: { operatorVersion: { name: 'held-1.0.0' } },
    });
    await planCompleted(request, { namespace: NS, name }, 'deploy');
  }
});

const WORDS =
  /^Instance locks\/\w+ is locked by .+ until .+: Black Friday\. Unlock it, or break the lock, at the top of its pages\.$/;
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).first();
const notice = (page: Page) => page.getByText(/^Locked by .+ until .+ UTC: Black Friday$/);

/** Opens the overview of an Instance and locks it for four hours. */
async function lock(page: Page, name: string): Promise<void> {
  await page.goto(`/instances/${NS}/${name}`);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Lock…' }).click();
  const dialog = page.getByRole('dialog', { name: `Lock ${name}` });
  await expect(dialog.getByRole('button', { name: 'Lock', exact: true })).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('Black Friday');
  await dialog.getByRole('button', { name: 'Lock', exact: true }).click();
  await expect(notice(page)).toBeVisible();
}

test('a locked Instance says who locked it on every page, and every button explains it', async ({ page, request }) => {
  await lock(page, 'one');
  await expect(save(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(save(page)).toHaveAccessibleDescription(WORDS);
  await expectAccessible(page);
  await page.goto(`/instances/${NS}/one/parameters`);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await expect(notice(page)).toBeVisible();
  await page.locator('[data-parameter="SIZE"] input').fill('large');
  const bar = page.getByRole('region', { name: 'What applying does' });
  await expect(bar).toContainText('Instance locks/one is locked by');
  await expect(bar.getByRole('button', { name: 'Apply', exact: true })).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(notice(page)).toBeHidden();
  await bar.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect
    .poll(async () => (await fetchObject(request, `/api/v1/namespaces/${NS}/configmaps/one-state`))?.data)
    .toEqual({ size: 'large' });
});

test('a lock is broken with a reason for one start, which the run keeps', async ({ page, request }) => {
  await lock(page, 'two');
  await page.getByRole('button', { name: 'Break the lock…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Break the lock of two?' });
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('disk full');
  await dialog.getByRole('button', { name: 'Break the lock', exact: true }).click();
  await expect(page.getByText('The next plan that you start breaks the lock: disk full')).toBeVisible();
  await save(page).click();
  await planCompleted(request, { namespace: NS, name: 'two' }, 'save');
  await expect(page.getByRole('button', { name: 'Break the lock…' })).toBeVisible();
  await expect(save(page)).toHaveAttribute('aria-disabled', 'true');
  await page.goto(`/instances/${NS}/two/runs/two-save-1`);
  await expect(page.getByRole('region', { name: 'What people did' })).toContainText(
    '(Black Friday) was broken: disk full',
  );
});
