import { expectFits } from '../../test/browser/looks';
import { createObject, expect, test } from './fixtures';

const DEFINITION = '/resources/apiextensions.k8s.io/v1/customresourcedefinitions/_/instances.kudo.dev';

test('a definition shows its fields by keyboard and search, and who uses it', async ({ page }) => {
  await page.goto(DEFINITION);
  const use = page.getByRole('region', { name: 'Who uses it' });
  await expect(use).toContainText('Deleting this CRD also deletes');
  const tree = page.getByRole('tree', { name: 'Fields of Instance' });
  await tree.getByRole('treeitem', { name: /^spec\b/ }).focus();
  await page.keyboard.press('ArrowRight');
  const details = page.getByRole('region', { name: 'Details of the field' });
  await expect(details).toContainText(/spec\.\w+/);
  await page.getByRole('searchbox', { name: 'Find a field of Instance' }).fill('operatorVersion');
  await expect(tree.getByRole('treeitem', { name: /^operatorVersion/ })).toBeVisible();
  await expectFits(page);
});

test('the fields of a built-in kind are explained', async ({ page }) => {
  await page.goto('/resources/apps/v1/deployments');
  await page.getByRole('link', { name: 'Fields', exact: true }).click();
  const tree = page.getByRole('tree', { name: 'Fields of Deployment' });
  await tree.getByRole('treeitem', { name: /^replicas/ }).click();
  await expect(page.getByRole('region', { name: 'Details of the field' })).toContainText('spec.replicas');
});

test('an API group without its Service is named with the reason, and what to do', async ({ page }) => {
  const collection = '/apis/apiregistration.k8s.io/v1/apiservices';
  const name = 'v1.gone.example.com';
  await createObject(page.request, collection, {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name },
    spec: {
      group: 'gone.example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      service: { namespace: 'default', name: 'gone' },
    },
  });
  try {
    await page.goto('/resources');
    const unavailable = page.getByRole('list', { name: 'Unavailable API groups' });
    await expect(unavailable).toContainText('ServiceNotFound');
    await expect(page.getByRole('link', { name: /^Deployment/ })).toBeVisible();
    await unavailable.getByRole('link', { name: 'Open APIService' }).click();
    await expect(page.getByText('Not available: ServiceNotFound')).toBeVisible();
    await expect(page.getByText(/Create Service gone in namespace default/)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Served by' })).toContainText('default/gone');
    await expectFits(page);
  } finally {
    const { origin } = new URL(page.url());
    await page.request.delete(`/api/kube${collection}/${name}`, { headers: { origin } });
  }
});
