import type { APIRequestContext } from '@playwright/test';
import { expectAccessible } from '../../test/browser/looks';
import type { ConsoleProcess } from '../../test/programs/console-process';
import { expect, planCompleted, test } from './fixtures';
import { startSecondConsole } from './second-console';

const RBAC = '/api/kube/apis/rbac.authorization.k8s.io/v1';
let viewer: ConsoleProcess;

/** A user who may read everything and change nothing. */
async function makeViewer(request: APIRequestContext): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const metadata = { name: 'e2e-viewer' };
  await request.post(`${RBAC}/clusterroles`, {
    headers,
    data: { metadata, rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }] },
  });
  await request.post(`${RBAC}/clusterrolebindings`, {
    headers,
    data: {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'e2e-viewer' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jo' }],
    },
  });
}

const READING = ['get', 'list', 'watch'];

/** A user with permissions in one namespace who cannot list namespaces. */
async function makeNeighbour(
  request: APIRequestContext,
  user: string,
  rules: readonly { resources: readonly string[]; verbs: readonly string[] }[],
  namespace = 'demo',
): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const metadata = { name: `e2e-${user}`, namespace };
  const place = `${RBAC}/namespaces/${namespace}`;
  const data = { metadata, rules: rules.map((rule) => ({ apiGroups: ['kudo.dev'], ...rule })) };
  const made = await request.post(`${place}/roles`, { headers, data });
  // 409: after a failure the next test runs in a new process.
  expect([201, 409], `role of ${user}`).toContain(made.status());
  await request.post(`${place}/rolebindings`, {
    headers,
    data: {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    },
  });
}

test.beforeAll(async ({ request }) => {
  await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'deploy');
  await makeViewer(request);
  viewer = await startSecondConsole({ as: 'jo' });
});

test.afterAll(async () => {
  await viewer.running.stop();
});

test('buttons that the user may not use are disabled, and say which permission is missing', async ({ page }) => {
  await page.goto(`${viewer.base}/instances/demo/postgres`);
  await expect(page.getByText('You may view this instance, but not change it')).toBeVisible();
  const button = page.getByRole('button', { name: 'Back up' }).first();
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await expect(button).toHaveAccessibleDescription(/You may not patch instances in namespace demo/);
  await page.getByRole('button', { name: 'More actions' }).click();
  await expect(page.getByRole('menuitem', { name: 'Delete…' })).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await page.getByText('Ask an administrator of this cluster to apply this Role').click();
  await expect(page.getByRole('region', { name: 'The Role' })).toContainText('verbs: [patch]');
  await expectAccessible(page);
});

test('the API of the cluster refuses what the page does not offer', async ({ request }) => {
  const answer = await request.post(`${viewer.base}/api/instances/demo/postgres/plans/backup`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: {},
  });
  expect(answer.status()).toBe(403);
  expect(await answer.text()).toContain('jo');
});

test('a person who may only read cannot create or restore objects', async ({ page }) => {
  await page.goto(`${viewer.base}/resources/create`);
  const create = page.getByRole('button', { name: 'Create', exact: true });
  await expect(create).toHaveAccessibleDescription(/You may not create configmaps in namespace/);
  await expect(page.getByRole('button', { name: 'Check', exact: true })).toHaveAttribute('aria-disabled', 'true');
});

test('a person who may only read sees schedules, and cannot make, suspend or delete one', async ({ page, request }) => {
  await request.post('/api/kube/apis/bravo.kudo.dev/v1alpha1/namespaces/demo/planschedules', {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: {
      apiVersion: 'bravo.kudo.dev/v1alpha1',
      kind: 'PlanSchedule',
      metadata: { name: 'read-only' },
      spec: { instanceName: 'postgres', plan: 'backup', schedule: '0 3 1 1 *' },
    },
  });
  await page.goto(`${viewer.base}/schedules/demo/read-only`);
  for (const [name, verb] of Object.entries({ Suspend: 'patch', Edit: 'patch', Delete: 'delete' })) {
    const sentence = new RegExp(`You may not ${verb} planschedules in namespace demo`);
    await expect(page.getByRole('button', { name, exact: true })).toHaveAccessibleDescription(sentence);
  }
  await page.goto(`${viewer.base}/instances/demo/postgres/plans`);
  const create = page.getByRole('region', { name: 'Schedules' }).getByRole('button', { name: 'New schedule' });
  await expect(create).toHaveAccessibleDescription(/You may not create planschedules in namespace demo/);
});

test('a user who may not read the OperatorVersion cannot start plans', async ({ page, request }) => {
  await makeNeighbour(request, 'lee', [{ resources: ['instances'], verbs: [...READING, 'patch'] }]);
  const console_ = await startSecondConsole({ as: 'lee' });
  try {
    await page.goto(`${console_.base}/instances/demo/postgres`);
    await expect(page.getByText('You may not start plans or edit parameters of this instance')).toBeVisible();
    const deploy = page.getByRole('button', { name: 'Deploy', exact: true }).first();
    await expect(deploy).toHaveAttribute('aria-disabled', 'true');
    await expect(deploy).toHaveAccessibleDescription(/You may not get operatorversions in namespace demo/);
    await page.getByRole('button', { name: 'More actions' }).click();
    await expect(page.getByRole('menuitem', { name: 'Run deploy again' })).toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('Escape');
    await page.getByText('Ask an administrator of this cluster to apply this Role').click();
    await expect(page.getByRole('region', { name: 'The Role' })).toContainText('"operatorversions"');
    // Strategies and the number of parameters come from the OperatorVersion; the page does not guess them.
    await expect(page.getByRole('region', { name: 'Details' })).toContainText('2 set');
    await page.goto(`${console_.base}/instances/demo/postgres/plans`);
    await expect(page.locator('[data-phase="prepare"]').first()).toBeVisible();
    await expect(page.getByText('in parallel')).toHaveCount(0);
    await expectAccessible(page);
  } finally {
    await page.goto('about:blank');
    await console_.running.stop();
  }
});

/** The same permissions, so one console. */
test.describe('a user who may read the objects of kudo.dev in one namespace, and nothing else', () => {
  let reader: ConsoleProcess;

  test.beforeAll(async ({ request }) => {
    await makeNeighbour(request, 'noa', [{ resources: ['*'], verbs: READING }]);
    reader = await startSecondConsole({ as: 'noa', namespace: 'demo' });
  });
  test.afterAll(async () => {
    await reader.running.stop();
  });

  test('the page names the right that is missing to read the objects', async ({ page }) => {
    await page.goto(`${reader.base}/instances/demo/postgres`);
    const resources = page.getByRole('region', { name: 'Resources' });
    await expect(resources).toContainText('The objects of this instance cannot be read.');
    await expect(resources).toContainText('You may not list pods, statefulsets.apps, deployments.apps and');
    await expect(page.getByText('0 owned')).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Now' })).toContainText('its objects cannot be read here');
    await expect(page.getByText('All objects of this instance are ready')).toHaveCount(0);
    await page.goto(`${reader.base}/instances/demo/postgres/resources`);
    await expect(page.getByText('The objects of this instance cannot be read')).toBeVisible();
    await expectAccessible(page);
  });

  test('a user who may not list PlanRuns sees the last run of each plan, and why there are no earlier ones', async ({
    page,
  }) => {
    const why = 'because you may not list planruns.bravo.kudo.dev in namespace demo';
    await page.goto(`${reader.base}/instances/demo/postgres`);
    const last = page.getByRole('region', { name: /^Last (\d+ )?runs?$/ });
    await expect(last.getByRole('listitem').filter({ hasText: 'deploy: Done' })).not.toHaveCount(0);
    await expect(last).toContainText(why);
    await page.goto(`${reader.base}/instances/demo/postgres/plans`);
    await expect(page.getByRole('region', { name: /^Runs of plan / }).getByRole('row')).not.toHaveCount(0);
    await expect(page.getByText(why)).toBeVisible();
    await expectAccessible(page);
  });

  test('a user with permissions in the namespace of the kubeconfig starts there', async ({ page }) => {
    await page.goto(`${reader.base}/instances`);
    await expect(page.getByRole('link', { name: 'postgres' }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Namespace: demo' }).click();
    await page.getByRole('menuitemradio', { name: 'All namespaces' }).click();
    await expect(page.getByText('You may not read instances')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Namespace: all' })).toBeVisible();
  });
});

test('a user with the permission finds the buttons enabled', async ({ page }) => {
  await page.goto('/instances/demo/postgres');
  await expect(page.getByRole('button', { name: 'Back up' }).first()).not.toHaveAttribute('aria-disabled');
  await expect(page.getByText('You may view this instance')).toBeHidden();
});

test('a console without a controller says so, and names the controller that holds the lease', async ({ page }) => {
  await page.goto(`${viewer.base}/instances`);
  const banner = page.locator('[data-controller="off"]');
  await expect(banner).toContainText('This console does not run a controller');
  await expect(banner).toContainText('holds the lease bravo-controller');
  await page.goto('/instances');
  await expect(page.getByRole('heading', { level: 1, name: 'Instances' })).toBeVisible();
  await expect(page.locator('[data-controller]')).toHaveCount(0);
});

test('an install is disabled while a permission for one of its objects is missing', async ({ page, request }) => {
  const rules = [
    { resources: ['*'], verbs: READING },
    { resources: ['instances'], verbs: ['create'] },
  ];
  for (const namespace of ['default', 'demo']) await makeNeighbour(request, 'ida', rules, namespace);
  const console_ = await startSecondConsole({ as: 'ida', namespace: 'default' });
  try {
    await page.goto(`${console_.base}/install?operator=etcd`);
    const install = page.getByRole('button', { name: 'Install', exact: true });
    await expect(install).toHaveAccessibleDescription(/You may not create operators in namespace default/);
    const namespace = page.getByLabel('Namespace', { exact: true });
    await expect(namespace).toHaveValue('default');
    await expect(page.getByText('you may not list namespaces')).toBeVisible();
    await expectAccessible(page);
    await namespace.fill('demo');
    await expect(install).not.toHaveAttribute('aria-disabled');
  } finally {
    await page.goto('about:blank');
    await console_.running.stop();
  }
});

test('an install is off for a person who may not read OperatorVersions', async ({ page, request }) => {
  await makeNeighbour(request, 'tim', [{ resources: ['instances'], verbs: [...READING, 'create'] }]);
  const console_ = await startSecondConsole({ as: 'tim', namespace: 'demo' });
  try {
    await page.goto(`${console_.base}/install?operator=hello`);
    const install = page.getByRole('button', { name: 'Install', exact: true });
    await expect(install).toHaveAccessibleDescription(/You may not get operators in namespace demo/);
  } finally {
    await page.goto('about:blank');
    await console_.running.stop();
  }
});

test('a person with rights in one namespace names it and works there', async ({ page, request }) => {
  await makeNeighbour(request, 'kim', [{ resources: ['*'], verbs: READING }]);
  const neighbour = await startSecondConsole({ as: 'kim' });
  try {
    await page.goto(`${neighbour.base}/instances`);
    await expect(page.getByText('You may not read instances')).toBeVisible();
    await page.getByRole('button', { name: 'Enter a namespace…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enter the name of a namespace' });
    await expect(dialog.getByLabel('Namespace')).toBeFocused();
    await dialog.getByLabel('Namespace').fill('demo');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Show namespace' }).click();
    await expect(page.getByRole('link', { name: 'postgres' }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Namespace: demo' }).click();
    await expect(page.getByRole('menuitemradio', { name: 'demo' })).toBeVisible();
    await page.getByRole('menuitem', { name: 'Enter a namespace…' }).click();
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'postgres' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'postgres' })).toBeVisible();
    await page.goto(`${neighbour.base}/`);
    await expect(page.getByText('You may not read instances')).toBeHidden();
    await expectAccessible(page);
  } finally {
    // A page that is still open would log the end of its stream.
    await page.goto('about:blank');
    await neighbour.running.stop();
  }
});
