import type { APIRequestContext } from '@playwright/test';
import { violations } from '../../test/browser/looks';
import { createObject, expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';

const PLACE = { namespace: 'default', name: 'keeper' };
const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';
const SECRET = '/api/v1/namespaces/default/secrets/keeper-parameters';

const plan = {
  strategy: 'serial',
  phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'run', tasks: ['apply'] }] }],
};

async function originOf(request: APIRequestContext): Promise<string> {
  return new URL((await request.get('/api/health')).url()).origin;
}

test.beforeAll(async ({ request }) => {
  await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: 'keeper' }, spec: {} });
  await createObject(request, `${KUDO}/operatorversions`, {
    kind: 'OperatorVersion',
    metadata: { name: 'keeper-1.0' },
    spec: {
      version: '1.0',
      operator: { name: 'keeper' },
      parameters: [
        { name: 'PASSWORD', trigger: 'password' },
        { name: 'SIZE', default: '1' },
      ],
      templates: {
        'c.yaml':
          'apiVersion: v1\nkind: Secret\nmetadata: {name: keeper}\nstringData: {pw: "{{ .Params.PASSWORD }}"}\n',
      },
      tasks: [{ name: 'apply', kind: 'Apply', spec: { resources: ['c.yaml'] } }],
      plans: { deploy: plan, password: plan },
    },
  });
  await createObject(request, `${KUDO}/instances`, {
    kind: 'Instance',
    metadata: { name: 'keeper' },
    spec: { operatorVersion: { name: 'keeper-1.0' }, parameters: { PASSWORD: 'canary-first' } },
  });
  await planCompleted(request, PLACE, 'deploy');
});

test.afterAll(async ({ request }) => {
  const headers = { origin: await originOf(request) };
  await request.delete(`/api/kube${instanceKubePath(PLACE.namespace, PLACE.name)}`, { headers });
});

test('a secret value is moved into a Secret without a plan, and edited there', async ({ page, request }) => {
  await page.goto('/instances/default/keeper/parameters');
  await expect(page.getByText('A secret parameter is stored in the instance: PASSWORD')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Move to a Secret' }).click();
  await expect(page.getByText('PASSWORD moved to Secret keeper-parameters')).toBeVisible();
  await expect(
    page.getByText('The value is in Secret keeper-parameters, key PASSWORD. It is never shown.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Move to a Secret' })).toHaveCount(0);
  const moved = await fetchObject(request, instanceKubePath(PLACE.namespace, PLACE.name));
  expect(moved?.spec?.parameters ?? {}).toEqual({});
  expect((await fetchObject(request, SECRET))?.data).toEqual({ PASSWORD: btoa('canary-first') });
  expect(moved?.status?.planStatus?.password?.status).toBe('NEVER_RUN');

  const field = page.locator('[data-parameter="PASSWORD"]');
  await field.getByRole('button', { name: 'Replace' }).click();
  await field.locator('input').fill('canary-second');
  await expect(page.getByText('New secret values go into Secret keeper-parameters')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await planCompleted(request, PLACE, 'password');
  expect((await fetchObject(request, SECRET))?.data).toEqual({ PASSWORD: btoa('canary-second') });
  expect(await page.content()).not.toContain('canary-');
});
