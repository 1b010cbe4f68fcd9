import { expectAccessible } from '../../test/browser/looks';
import { apply, configMap } from '../../test/operators/templates';
import { createObject, expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';

const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';
const RUNS = '/apis/bravo.kudo.dev/v1alpha1/namespaces/default/planruns';
const PLACE = { namespace: 'default', name: 'undone' };

const SPEC = {
  version: '1.0',
  operator: { name: 'undone' },
  templates: { 'note.yaml': configMap('{{ .Name }}-note', '{size: "{{ .Params.SIZE }}"}') },
  tasks: [apply('note', 'note.yaml')],
  parameters: [{ name: 'SIZE', default: 'small' }],
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'write', tasks: ['note'] }] }],
    },
  },
};

test.beforeAll(async ({ request }) => {
  await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: 'undone' }, spec: {} });
  const version = { kind: 'OperatorVersion', metadata: { name: 'undone-1.0' }, spec: SPEC };
  await createObject(request, `${KUDO}/operatorversions`, version);
  await createObject(request, `${KUDO}/instances`, {
    kind: 'Instance',
    metadata: { name: 'undone' },
    spec: { operatorVersion: { name: 'undone-1.0' } },
  });
  await planCompleted(request, PLACE, 'deploy');
});

test.afterAll(async ({ request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${KUDO}/instances/undone`, { headers: { origin } });
});

test('a run is undone after its dialog has shown the values and the objects that change', async ({ page, request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const headers = { origin, 'content-type': 'application/merge-patch+json' };
  const data = { spec: { parameters: { SIZE: 'large' } } };
  expect(
    (await request.patch(`/api/kube${instanceKubePath(PLACE.namespace, PLACE.name)}`, { headers, data })).ok(),
  ).toBe(true);
  const run = async (name: string) =>
    (await fetchObject(request, `${RUNS}/${name}`)) as { spec?: object; status?: { status?: string } } | undefined;
  await expect.poll(async () => (await run('undone-deploy-2'))?.status?.status).toBe('COMPLETE');

  await page.goto('/instances/default/undone/runs/undone-deploy-1');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await page.goto('/instances/default/undone/runs/undone-deploy-2');
  await page.getByRole('button', { name: 'Undo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Undo run undone-deploy-2?' });
  await expect(dialog.locator('[data-parameter="SIZE"]')).toHaveText('SIZE"large" → default');
  await expect(dialog.getByRole('region', { name: 'What the plan does' })).toContainText('ConfigMap undone-note');
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('too large');
  await dialog.getByRole('button', { name: 'Undo run' }).click();
  await expect(page).toHaveURL('/instances/default/undone/plans');
  await page.locator('tr[data-run="undone-deploy-3"]').getByRole('link', { name: 'undone-deploy-3' }).click();
  await expect(page.getByText('“too large”')).toBeVisible();
  await expect(page.getByRole('link', { name: 'undone-deploy-2', exact: true })).toBeVisible();
  await expect.poll(async () => (await run('undone-deploy-3'))?.status?.status).toBe('COMPLETE');
  expect((await run('undone-deploy-3'))?.spec).toMatchObject({ cause: 'Parameters', undoOf: 'undone-deploy-2' });
  const note = await fetchObject(request, '/api/v1/namespaces/default/configmaps/undone-note');
  expect(note).toMatchObject({ data: { size: 'small' } });
});
