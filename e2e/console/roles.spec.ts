import { createObject, expect, test } from './fixtures';

const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';

test('the page of roles says who may do what, and finds a person', async ({ page, request }) => {
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'roles-spec' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'User', name: 'roles-spec-jo', apiGroup: 'rbac.authorization.k8s.io' }],
  };
  await createObject(request, BINDINGS, binding);
  await page.goto('/roles');
  await page.getByRole('searchbox', { name: 'Filter' }).fill('roles-spec-jo');
  const row = page.locator('[data-subject="roles-spec-jo"]');
  await expect(row).toContainText('everything with operators');
  const origin = new URL(page.url()).origin;
  await request.delete(`/api/kube${BINDINGS}/roles-spec`, { headers: { origin } });
});

test('the page of roles says what another user may do', async ({ page }) => {
  await page.goto('/roles');
  await page.getByRole('textbox', { name: 'User', exact: true }).fill('nobody-known');
  await page.getByRole('textbox', { name: 'Namespace', exact: true }).fill('demo');
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.locator('[data-checked="nobody-known"]')).toContainText('uninstall: no');
});
