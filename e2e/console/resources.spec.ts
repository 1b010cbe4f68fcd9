import { test as plain } from '@playwright/test';
import { confirmSave, saveObjectOf } from '../../test/browser/save-object';
import { expect, fetchObject, test } from './fixtures';

const CONFIG_MAPS = '/api/v1/namespaces/demo/configmaps';

/** A change by another client. */
async function putConfigMap(request: import('@playwright/test').APIRequestContext, name: string, data: object) {
  const base = new URL((await request.get('/api/health')).url()).origin;
  const response = await request.patch(`/api/kube${CONFIG_MAPS}/${name}?fieldManager=other&force=true`, {
    headers: { origin: base, 'content-type': 'application/apply-patch+yaml' },
    data: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }),
  });
  expect(response.ok(), await response.text()).toBe(true);
}

test('an object is created from YAML, found in its list, edited and deleted', async ({ page, request }) => {
  await page.goto('/resources/create?group=&version=v1&plural=configmaps&namespace=demo&view=yaml');
  const editor = page.getByRole('textbox', { name: 'YAML of the new objects' });
  await editor.fill(
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: from-yaml\n  namespace: demo\ndata:\n  size: 3\n',
  );
  await expect(page.getByRole('list', { name: 'Problems in the text' })).toContainText(
    'Line 7: `data.size` must be a string',
  );
  await editor.fill(
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: from-yaml\n  namespace: demo\ndata:\n  size: "3"\n',
  );
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByText('Valid: the API server accepted a dry run.')).toBeVisible();
  expect(await fetchObject(request, `${CONFIG_MAPS}/from-yaml`)).toBeUndefined();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByText('Created', { exact: true })).toBeVisible();
  expect((await fetchObject(request, `${CONFIG_MAPS}/from-yaml`))?.data).toEqual({ size: '3' });

  await page.goto('/resources/core/v1/configmaps');
  await page.getByRole('link', { name: 'from-yaml', exact: true }).click();
  await page.getByRole('link', { name: 'YAML', exact: true }).click();
  await page.getByText('"3"').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('colour: blue');
  await saveObjectOf(page);
  await expect(page.getByText('Saved from-yaml')).toBeVisible();
  expect((await fetchObject(request, `${CONFIG_MAPS}/from-yaml`))?.data).toEqual({ size: '3', colour: 'blue' });

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('No other object is deleted.')).toBeVisible();
  await dialog.getByLabel('Type from-yaml to confirm').fill('from-yaml');
  await dialog.getByRole('button', { name: 'Delete ConfigMap' }).click();
  await expect.poll(() => fetchObject(request, `${CONFIG_MAPS}/from-yaml`)).toBeUndefined();
  await expect(page.getByRole('link', { name: 'from-yaml', exact: true })).toHaveCount(0);
});

test('all problems of a pasted text are listed at once, with their lines, and marked in the editor', async ({
  page,
}) => {
  await page.goto('/resources/create?group=&version=v1&plural=configmaps&namespace=demo&view=yaml');
  // A kind whose schema the page has not read before.
  const deployment =
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: wrong\nspec:\n  replicas: two\n  paused: 3\n';
  await page.getByRole('textbox', { name: 'YAML of the new objects' }).fill(deployment);
  const problems = page.getByRole('list', { name: 'Problems in the text' });
  await expect(problems).toContainText('Line 6: `spec.replicas` must be an integer');
  await expect(problems).toContainText('Line 7: `spec.paused` must be true or false');
  await expect(problems).toContainText('Line 5: `spec.selector` is required');
  await expect(page.locator('.cm-lintRange-error')).not.toHaveCount(0);
  const check = page.getByRole('button', { name: 'Check', exact: true });
  await expect(check).toHaveAccessibleDescription(/^Line \d: `spec\.\w+`/);
});

test('a list shows what others change at once, in the columns of the kind', async ({ page, request }) => {
  await page.goto('/resources/core/v1/configmaps');
  await expect(page.getByRole('columnheader', { name: 'Data' })).toBeVisible();
  await putConfigMap(request, 'seen-live', { a: '1' });
  const row = page.getByRole('row', { name: /seen-live/ });
  await expect(row.getByRole('cell', { name: '1', exact: true })).toBeVisible();
  await putConfigMap(request, 'seen-live', { a: '1', b: '2' });
  await expect(row.getByRole('cell', { name: '2', exact: true })).toBeVisible();
});

test('two people edit one object: both versions are shown and nothing is lost', async ({ page, request }) => {
  await putConfigMap(request, 'contended', { colour: 'red' });
  await page.goto('/resources/core/v1/configmaps/demo/contended/yaml');
  await page.getByText('colour: red').click();
  await page.keyboard.press('End');
  await page.keyboard.type('dish');
  await putConfigMap(request, 'contended', { colour: 'green' });
  await expect(page.getByText('The object was changed by somebody else after you started to edit it')).toBeVisible();
  await page.getByRole('button', { name: 'Show both versions' }).click();
  await expect(page.getByRole('region', { name: 'Yours' })).toContainText('colour: reddish');
  await expect(page.getByRole('region', { name: /In the cluster/ })).toContainText('colour: green');
  await page.getByRole('button', { name: 'Overwrite with mine' }).click();
  await confirmSave(page);
  await expect
    .poll(async () => (await fetchObject(request, `${CONFIG_MAPS}/contended`))?.data)
    .toEqual({ colour: 'reddish' });
});

test('secret values are masked until the user reveals them, and an edit of the masked text keeps them', async ({
  page,
  request,
}) => {
  const base = new URL((await request.get('/api/health')).url()).origin;
  await request.post('/api/kube/api/v1/namespaces/demo/secrets', {
    headers: { origin: base },
    data: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'masked' }, data: { token: btoa('canary-4711') } },
  });
  await page.goto('/resources/core/v1/secrets/demo/masked');
  expect(await page.content()).not.toContain(btoa('canary-4711'));
  await expect(page.getByText('canary-4711')).toHaveCount(0);
  await page.getByRole('button', { name: 'Reveal values' }).click();
  await expect(page.getByText('canary-4711')).toBeVisible();
  await page.getByRole('button', { name: 'Hide values' }).click();
  await page.getByRole('link', { name: 'YAML', exact: true }).click();
  await page.getByText('type: Opaque').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('immutable: true');
  await saveObjectOf(page);
  await expect(page.getByText('Saved masked')).toBeVisible();
  expect((await fetchObject(request, '/api/v1/namespaces/demo/secrets/masked'))?.data).toEqual({
    token: btoa('canary-4711'),
  });
});

test('deleting a CRD says how many objects it also deletes and asks for its name', async ({ page, request }) => {
  const base = new URL((await request.get('/api/health')).url()).origin;
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boats.e2e.test' },
    spec: {
      group: 'e2e.test',
      scope: 'Namespaced',
      names: { plural: 'boats', singular: 'boat', kind: 'Boat' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
  const crds = '/api/kube/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await request.post(crds, { headers: { origin: base }, data: definition });
  const boats = '/api/kube/apis/e2e.test/v1/namespaces/demo/boats';
  for (const name of ['one', 'two']) {
    const data = { apiVersion: 'e2e.test/v1', kind: 'Boat', metadata: { name } };
    await expect.poll(async () => (await request.post(boats, { headers: { origin: base }, data })).status()).toBe(201);
  }
  await page.goto('/resources');
  await page.getByRole('link', { name: /^Boat boats/ }).click();
  await expect(page.getByRole('link', { name: 'two', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Definition', exact: true }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/Deleting this CRD also deletes 2 objects of kind Boat/)).toBeVisible();
  await dialog.getByLabel('Type boats.e2e.test to confirm').fill('boats.e2e.test');
  await dialog.getByRole('button', { name: 'Delete CustomResourceDefinition' }).click();
  await expect.poll(async () => (await request.get(`${crds}/boats.e2e.test`)).status()).toBe(404);
});

// The browser logs every answer with 422.
plain('a file that is not a package is refused with the reason', async ({ page }) => {
  await page.goto('/operators');
  const file = { name: 'broken.tgz', mimeType: 'application/gzip', buffer: Buffer.from('no archive') };
  await page.getByLabel('Package file').setInputFiles(file);
  await expect(page.getByText('Upload failed: broken.tgz')).toBeVisible();
});
