import { violations } from '../../test/browser/looks';
import { createObject, expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';

const PLACE = { namespace: 'default', name: 'stuck' };
const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';
const LINE = 'Stalled. Fix the cause, or start another plan to replace this one.';

const plan = (task: string) => ({
  strategy: 'serial',
  phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'run', tasks: [task] }] }],
});

/** Its deploy plan fails at every reconcile and is retried for ever; its backup completes at once. */
test.beforeAll(async ({ request }) => {
  await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: 'stuck' }, spec: {} });
  await createObject(request, `${KUDO}/operatorversions`, {
    kind: 'OperatorVersion',
    metadata: { name: 'stuck-1.0' },
    spec: {
      version: '1.0',
      operator: { name: 'stuck' },
      tasks: [
        { name: 'errs', kind: 'Dummy', spec: { wantErr: true } },
        { name: 'done', kind: 'Dummy', spec: { done: true } },
      ],
      plans: { deploy: plan('errs'), backup: plan('done') },
    },
  });
  await createObject(request, `${KUDO}/instances`, {
    kind: 'Instance',
    metadata: { name: 'stuck' },
    spec: { operatorVersion: { name: 'stuck-1.0' } },
  });
});

test.afterAll(async ({ request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${instanceKubePath(PLACE.namespace, PLACE.name)}`, { headers: { origin } });
});

test('a stalled plan is marked, and another plan replaces it at the press of a button', async ({ page }) => {
  await page.goto('/instances/default/stuck');
  const backup = page.getByRole('button', { name: 'Back up' }).first();
  await expect(page.getByText(LINE)).toHaveCount(0);
  // Five errors in a row, and half a minute.
  await expect(page.getByText(LINE)).toBeVisible({ timeout: 90_000 });
  expect(await violations(page)).toEqual([]);
  await backup.click();
  await planCompleted(page.request, PLACE, 'backup');
  await expect(page.getByText(LINE)).toHaveCount(0);
  const instance = await fetchObject(page.request, instanceKubePath(PLACE.namespace, PLACE.name));
  expect(instance?.status?.planStatus?.deploy?.status).toBe('FATAL_ERROR');
});
