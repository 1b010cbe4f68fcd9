import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible } from '../../test/browser/looks';
import { saying } from '../../test/operators/destructive-operator';
import { apply, job, plan, remove, task } from '../../test/operators/templates';
import { createObject, expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';
import { startSecondConsole } from './second-console';

const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';
const WITH = { namespace: 'default', name: 'shedding' };
const WITHOUT = { namespace: 'default', name: 'hoarding' };

/** A Job that says what it made or deleted. */
const output = (type: string, name: string) =>
  job(
    `{{ .Name }}-${type}`,
    `printf '{\\"outputs\\":[{\\"type\\":\\"${type}\\",\\"name\\":\\"%s\\"}]}' '${name}' >/dev/termination-log`,
  );

const SPEC = {
  operator: { name: 'shedding' },
  version: '1.0.0',
  templates: {
    'backup.yaml': output('backup', '{{ .Params.MADE }}'),
    'delete.yaml': output('backup-deleted', '{{ .Params.DELETE_BACKUP }}'),
  },
  tasks: [
    task('done', 'Dummy', { done: true }),
    remove('clear', 'backup.yaml'),
    apply('save', 'backup.yaml'),
    apply('delete', 'delete.yaml'),
  ],
  parameters: [{ name: 'MADE', default: 'none', trigger: 'backup' }, { name: 'DELETE_BACKUP' }],
  plans: {
    deploy: plan(['run', 'done']),
    backup: plan(['clear', 'clear'], ['save', 'save']),
    'delete-backup': plan(['delete', 'delete']),
  },
};

const OLD = { backup: { parameters: ['MADE'], backups: 'create' } };

const NEW = {
  ...OLD,
  'delete-backup': {
    displayName: 'Delete a backup',
    confirm: 'The backup cannot be brought back.',
    parameters: ['DELETE_BACKUP'],
    destructive: true,
    backups: 'delete',
  },
};

/** An operator in two versions: only the second one has a plan that says that it deletes backups. */
test.beforeAll(async ({ request }) => {
  if ((await fetchObject(request, `${KUDO}/operators/shedding`)) === undefined) {
    await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: 'shedding' }, spec: {} });
    for (const metadata of [
      { name: 'shedding-0.9', annotations: saying(OLD) },
      { name: 'shedding-1.0', annotations: saying(NEW) },
    ]) {
      await createObject(request, `${KUDO}/operatorversions`, { kind: 'OperatorVersion', metadata, spec: SPEC });
    }
  }
  await install(request, WITH.name, 'shedding-1.0');
  await install(request, WITHOUT.name, 'shedding-0.9');
});

test.afterAll(async ({ request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  for (const { namespace, name } of [WITH, WITHOUT]) {
    await request.delete(`/api/kube${instanceKubePath(namespace, name)}`, { headers: { origin } });
  }
});

async function install(request: APIRequestContext, name: string, version: string): Promise<void> {
  if ((await fetchObject(request, `${KUDO}/instances/${name}`)) !== undefined) return;
  await createObject(request, `${KUDO}/instances`, {
    kind: 'Instance',
    metadata: { name },
    spec: { operatorVersion: { name: version } },
  });
  await planCompleted(request, { namespace: 'default', name }, 'deploy');
}

async function backUp(page: Page, { namespace, name }: typeof WITH, made: string): Promise<void> {
  const answer = await page.request.post(`/api/instances/${namespace}/${name}/plans/backup`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { parameters: { MADE: made } },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  await page.goto(`/instances/${namespace}/${name}/backups`);
  await expect(page.locator(`tr[data-backup="${made}"]`)).toBeVisible();
}

test('one of two backups is deleted from the list by the plan of the operator, and the other one and the runs stay', async ({
  page,
  request,
}) => {
  await backUp(page, WITH, 'monday');
  await backUp(page, WITH, 'tuesday');
  await expect(page.locator('tr[data-backup]')).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Delete monday' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete a backup: shedding' });
  await expect(dialog).toContainText('The backup cannot be brought back.');
  await expect(dialog.locator('[data-parameter="DELETE_BACKUP"] select')).toHaveValue('monday');
  const start = dialog.getByRole('button', { name: 'Run delete-backup' });
  await expect(start).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel(/^Reason/).fill('ticket 7');
  await dialog.getByLabel(/^Type shedding to confirm/).fill('shedding');
  await start.click();
  await expect(page.locator('tr[data-backup]')).toHaveCount(1);
  await expect(page.locator('tr[data-backup="tuesday"]')).toBeVisible();
  await page.goto('/instances/default/shedding/runs/shedding-delete-backup-1');
  await expect(page.getByRole('main')).toContainText('ticket 7');
  for (const run of ['backup-1', 'backup-2']) {
    const path = `/apis/bravo.kudo.dev/v1alpha1/namespaces/default/planruns/shedding-${run}`;
    expect(await fetchObject(request, path), run).toBeDefined();
  }
});

test('without a plan that deletes one backup the button says so', async ({ page }) => {
  await backUp(page, WITHOUT, 'monday');
  await expect(page.getByRole('button', { name: 'Delete monday' })).toHaveAccessibleDescription(
    'Version shedding-0.9 has no plan that deletes one backup.',
  );
});

test('a person who may only read sees which permission a deletion needs', async ({ page, request }) => {
  await backUp(page, WITH, 'wednesday');
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const rbac = `/apis/${apiVersion}`;
  const metadata = { name: 'backup-reader' };
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }];
  await createObject(request, `${rbac}/clusterroles`, { apiVersion, kind: 'ClusterRole', metadata, rules });
  await createObject(request, `${rbac}/clusterrolebindings`, {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ada' }],
  });
  const reader = await startSecondConsole({ as: 'ada' });
  try {
    await page.goto(`${reader.base}/instances/default/shedding/backups`);
    await expect(page.getByRole('button', { name: 'Delete wednesday' })).toHaveAccessibleDescription(
      /You may not patch instances in namespace default/,
    );
  } finally {
    // A page that is open would complain that its console is gone.
    await page.goto('about:blank');
    await reader.running.stop();
  }
});
