import type { APIRequestContext } from '@playwright/test';
import { expectAccessible, expectFits } from '../../test/browser/looks';
import { pondFiles } from '../../test/operators/pond-files';
import { createObject, expect, fetchObject, instanceKubePath, openPalette, planCompleted, test } from './fixtures';

const CLUSTERS = '/apis/etcd.database.coreos.com/v1beta2/namespaces/demo/etcdclusters';
const PAGE = '/resources/etcd.database.coreos.com/v1beta2/etcdclusters/demo/orders';

test('a resource of an own kind is edited in its form, and its Instance says to whom it belongs', async ({
  page,
  request,
}) => {
  await createObject(request, CLUSTERS, {
    apiVersion: 'etcd.database.coreos.com/v1beta2',
    kind: 'EtcdCluster',
    metadata: { name: 'orders' },
    spec: { size: 1 },
  });
  const instance = { namespace: 'demo', name: 'orders' };
  await planCompleted(request, instance, 'deploy');

  await page.goto('/operators/etcd/3.5.21-1.2.0');
  await page.getByRole('link', { name: 'EtcdCluster' }).click();
  await expect(page).toHaveURL(/\/etcdclusters$/);
  await page.getByRole('link', { name: 'orders', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`${PAGE}$`));
  await page.getByRole('link', { name: 'Form' }).click();
  await page.locator('[data-parameter="size"] select').selectOption('3');
  await expect(page.getByText('1 change', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('EtcdCluster orders was changed')).toBeVisible();
  await planCompleted(request, instance, 'resize');
  expect((await fetchObject(request, instanceKubePath('demo', 'orders')))?.spec?.parameters?.size).toBe('3');

  await page.getByRole('link', { name: 'Open instance orders' }).click();
  await expect(page.getByRole('link', { name: 'EtcdCluster orders' })).toHaveAttribute('href', PAGE);
  await page.goto('/instances/demo/orders/parameters');
  const size = page.locator('[data-parameter="size"]');
  await expect(size).toContainText('EtcdCluster orders sets the value. Change it there.');
  await expect(size.locator('[data-locked="true"]')).toHaveValue('3');
  await expect(page.locator('[data-parameter="keep_backups"] [data-locked]')).toHaveCount(0);
});

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The operator `pond` with its Instance `lake` in the namespace demo; its kind has a rule in CEL. */
async function installPond(request: APIRequestContext): Promise<void> {
  const rule = `colour: string | validation="self != 'green'"`;
  const files = [...pondFiles()].map(([path, text]) => [path, text.replace('colour: string', rule)]);
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const data = { files: Object.fromEntries(files), namespace: 'demo', instance: 'lake', parameters: {} };
  const answer = await request.post('/api/workshop/install', { headers: { origin }, data });
  expect(answer.ok(), await answer.text()).toBe(true);
  await planCompleted(request, { namespace: 'demo', name: 'lake' }, 'deploy');
}

test('a resource of an own kind is created in the form of its operator, previewed, and shown until it is ready', async ({
  page,
  request,
}) => {
  await page.goto('/resources/etcd.database.coreos.com/v1beta2/etcdclusters');
  await page.getByRole('link', { name: 'New EtcdCluster' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'New EtcdCluster' })).toBeVisible();
  const where = page.getByRole('region', { name: 'Where' });
  await where.getByLabel('Namespace').selectOption('demo');
  await expect(page.getByText('etcd-3.5.21-1.2.0')).toBeVisible();
  // Names, groups and hints are those of the parameters of the operator.
  const size = page.locator('[data-parameter="size"]');
  await expect(size).toContainText('Members');
  await expect(size).toContainText('One, three, five or seven.');
  const create = page.getByRole('button', { name: 'Create' });
  await where.getByLabel('Name (required)').fill('Fresh');
  await expect(page.getByText('a lowercase RFC 1123 subdomain')).toBeVisible();
  await expect(create).toBeDisabled();
  await where.getByLabel('Name (required)').fill('fresh');
  await size.getByRole('combobox').selectOption('1');
  await expect(page.getByText('Becomes Instance fresh → plan deploy')).toBeVisible();
  await expectFits(page);
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByText('StatefulSet fresh')).toBeVisible();
  await expectAccessible(page);
  await create.click();
  await expect(page).toHaveURL(/\/etcdclusters\/demo\/fresh$/);
  await planCompleted(request, { namespace: 'demo', name: 'fresh' }, 'deploy');
  await expect(page.getByRole('link', { name: 'Open instance fresh' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Running');
  expect((await fetchObject(request, instanceKubePath('demo', 'fresh')))?.spec?.parameters).toMatchObject({
    size: '1',
  });
});

test('the form says at the field what the schema, a rule of the CRD and the operator refuse', async ({
  page,
  request,
}) => {
  await installPond(request);
  await page.goto('/');
  await openPalette(page);
  await page.getByRole('combobox', { name: /^Find a page/ }).fill('new pond');
  await expect(page.getByRole('option', { name: /New Pond/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('pond-0.1.0')).toBeVisible();
  const create = page.getByRole('button', { name: 'Create' });
  const field = (name: string) => page.locator(`[data-parameter="${name}"]`);
  await expect(field('size')).toContainText('How many fish there are.');
  await expect(field('colour').getByRole('textbox')).toHaveValue('grey');
  await field('size').getByRole('textbox').fill('12');
  await expect(field('size')).toContainText('should be less than or equal to 9');
  await field('size').getByRole('textbox').fill('4');
  await field('colour').getByRole('textbox').fill('green');
  await expect(field('colour')).toContainText("failed rule: self != 'green'");
  await expect(create).toBeDisabled();
  await expectAccessible(page);
  await field('colour').getByRole('textbox').fill('black');
  await expect(page.getByText('Fish cannot be black.')).toBeVisible();
  await expect(create).toBeEnabled();

  // A run that destroys data names the Instance whose data that is.
  await page.goto('/resources/pond.example.com/v1/drains/new?namespace=demo');
  await field('pond').getByRole('textbox').fill('lake');
  await expect(page.getByText('Runs plan drain of Instance lake')).toBeVisible();
  await expect(create).toBeDisabled();
  await page.getByLabel('Type lake to confirm').fill('lake');
  await create.click();
  await expect(page).toHaveURL(/\/drains\/demo\/drain$/);
  await planCompleted(request, { namespace: 'demo', name: 'lake' }, 'drain');
});

test('an install shows whose a CRD is and what its adoption changes, and adopts it when its name is typed', async ({
  page,
  request,
}) => {
  const name = 'etcdbackups.etcd.database.coreos.com';
  const path = `${CRDS}/${name}`;
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const headers = { origin };
  const crd = await (await request.get(`/api/kube${path}`)).json();
  const { 'bravo.kudo.dev/operator': operator, ...labels } = crd.metadata.labels;
  expect(operator).toBe('etcd');
  crd.metadata.labels = { ...labels, 'app.kubernetes.io/managed-by': 'Helm' };
  crd.metadata.annotations = { 'meta.helm.sh/release-name': 'etcd-operator', 'meta.helm.sh/release-namespace': 'db' };
  const { spec } = crd.spec.versions[0].schema.openAPIV3Schema.properties;
  delete spec.properties.backupPolicy;
  const answer = await request.put(`/api/kube${path}?fieldManager=helm`, { headers, data: crd });
  expect(answer.ok(), await answer.text()).toBe(true);

  await page.goto('/install?operator=etcd&version=3.5.21-1.2.0');
  const notice = page.getByRole('alert').filter({ hasText: 'A CRD belongs to somebody else' });
  await expect(notice).toContainText('Helm release etcd-operator in namespace db');
  await expect(notice).toContainText('helm');
  await notice.getByText('1 change').click();
  await expect(notice).toContainText('v1beta2: field .spec.backupPolicy is added');
  const install = page.getByRole('button', { name: 'Install', exact: true });
  await expect(install).toBeDisabled();
  await expectFits(page);
  const kinds = page.getByRole('checkbox', { name: /Install these kinds/ });
  await kinds.uncheck();
  await expect(notice).toHaveCount(0);
  await expect(install).toBeEnabled();
  await kinds.check();
  await page.getByLabel('Instance name').fill('adopting');
  await page.getByLabel(`Type ${name} to confirm`).fill(name);
  await expect(install).toBeEnabled();
  await install.click();
  await expect(page).toHaveURL(/\/instances\/[a-z]+\/adopting/);
  const after = await (await request.get(`/api/kube${path}`)).json();
  expect(after.metadata.labels['bravo.kudo.dev/operator']).toBe('etcd');
});
