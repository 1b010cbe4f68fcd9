import { expectAccessible } from '../../test/browser/looks';
import { createObject, expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';

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
