import type { Page } from '@playwright/test';
import { expectAccessible } from '../../test/browser/looks';
import { saying } from '../../test/operators/destructive-operator';
import { apply, configMap, plan } from '../../test/operators/templates';
import type { ConsoleProcess } from '../../test/programs/console-process';
import { createObject, expect, fetchObject, planCompleted, test } from './fixtures';
import { startSecondConsole } from './second-console';

const NS = 'approvals';
const GROUP = `/apis/kudo.dev/v1beta1/namespaces/${NS}`;
const RBAC = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const APPROVALS = `/apis/bravo.kudo.dev/v1alpha1/namespaces/${NS}/planapprovals`;
const ONE = { namespace: NS, name: 'one' };

const SPEC = {
  operator: { name: 'marked' },
  version: '1.0.0',
  templates: { 'from.yaml': configMap('{{ .Name }}-from', '{from: "{{ .Params.FROM }}"}') },
  tasks: [apply('from', 'from.yaml'), { name: 'done', kind: 'Dummy', spec: { done: true } }],
  parameters: [{ name: 'FROM', default: 'latest', trigger: 'load' }],
  plans: { deploy: plan(['run', 'done']), load: plan(['load', 'from']) },
};

let bobs: ConsoleProcess;

test.beforeAll(async ({ request }) => {
  bobs = await startSecondConsole({ as: 'bob' });
  // After a failure the next test runs in a new process.
  if ((await fetchObject(request, `/api/v1/namespaces/${NS}`)) !== undefined) return;
  await createObject(request, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } });
  await createObject(request, RBAC, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'e2e-bob' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
  });
  await createObject(request, `${GROUP}/operators`, { kind: 'Operator', metadata: { name: 'marked' }, spec: {} });
  await createObject(request, `${GROUP}/operatorversions`, {
    kind: 'OperatorVersion',
    metadata: { name: 'marked-1.0.0', annotations: saying({ load: { parameters: ['FROM'], approval: true } }) },
    spec: SPEC,
  });
  await createObject(request, `${GROUP}/instances`, {
    kind: 'Instance',
    metadata: { name: 'one' },
    spec: { operatorVersion: { name: 'marked-1.0.0' } },
  });
  await planCompleted(request, ONE, 'deploy');
});
test.afterAll(async ({ request }) => {
  await bobs.running.stop();
  // A page that looks away counts what waits for its person.
  const deleted = await request.delete(`/api/kube${APPROVALS}`, { headers: { 'sec-fetch-site': 'same-origin' } });
  expect(deleted.ok()).toBe(true);
});

test('a person without the right to approve sees who asks, and why the buttons are disabled', async ({
  browser,
  request,
}) => {
  // A console is started for the third person.
  test.slow();
  const reading = { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] };
  await createObject(request, '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'e2e-carol' },
    rules: [reading],
  });
  await createObject(request, RBAC, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'e2e-carol' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'e2e-carol' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'carol' }],
  });
  await createObject(request, APPROVALS, {
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'PlanApproval',
    metadata: { name: 'for-carol' },
    spec: { instanceName: 'one', plan: 'load', parameters: { FROM: 'friday' } },
  });
  const carols = await startSecondConsole({ as: 'carol' });
  try {
    const page = await browser.newPage({ baseURL: carols.base });
    await page.goto(`${carols.base}/runs`);
    const waiting = page.getByRole('region', { name: 'Approvals' });
    for (const name of ['Approve', 'Reject']) {
      const sentence = new RegExp(`You may not patch planapprovals/status in namespace ${NS}`);
      await expect(waiting.getByRole('button', { name })).toHaveAccessibleDescription(sentence);
    }
    await expectAccessible(page);
    await page.close();
  } finally {
    await carols.running.stop();
  }
  const deleted = await request.delete(`/api/kube${APPROVALS}/for-carol`, {
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  expect(deleted.ok()).toBe(true);
});

/** The person turns to another window, or back. Playwright's pages always have the focus. */
async function look(page: Page, isLooking: boolean): Promise<void> {
  await page.evaluate((has) => {
    document.hasFocus = () => has;
    window.dispatchEvent(new Event(has ? 'focus' : 'blur'));
  }, isLooking);
}

test('a request marks the tab of who may approve it, and its decision the tab of who asked', async ({
  page,
  browser,
  request,
}) => {
  test.slow();
  const other = await browser.newPage({ baseURL: bobs.base });
  for (const each of [page, other]) {
    await each.goto(each === page ? '/instances' : `${bobs.base}/instances`);
    await expect(each.locator('[data-connection="live"]')).toBeVisible();
    await look(each, false);
  }
  await createObject(request, APPROVALS, {
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'PlanApproval',
    metadata: { name: 'noticed' },
    spec: { instanceName: 'one', plan: 'load', parameters: { FROM: 'sunday' } },
  });
  await expect(other).toHaveTitle(/^\(1\) /);
  await expect(page).not.toHaveTitle(/^\(\d/);
  await look(other, true);
  await expect(other).not.toHaveTitle(/^\(\d/);
  const rejected = await request.patch(`${bobs.base}/api/kube${APPROVALS}/noticed/status`, {
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/merge-patch+json' },
    data: { status: { rejectedBy: 'me' } },
  });
  expect(rejected.ok(), await rejected.text()).toBe(true);
  await expect(page).toHaveTitle(/^\(1\) /);
  await look(page, true);
  await expect(page).not.toHaveTitle(/^\(\d/);
  await other.close();
});

test('a plan starts when a second person has approved it, once', async ({ page, browser, request }) => {
  // A second console is started for the second person.
  test.slow();
  await page.goto(`/instances/${NS}/one/plans`);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  const load = page.getByRole('button', { name: 'Load', exact: true }).first();
  await load.click();
  const dialog = page.getByRole('dialog', { name: 'Load one?' });
  const run = dialog.getByRole('button', { name: 'Run load' });
  await dialog.locator('[data-parameter="FROM"] input').fill('monday');
  await expect(run).toHaveAttribute('aria-disabled', 'true');
  await expect(run).toHaveAccessibleDescription(/It needs the approval of a second person/);
  await dialog.getByLabel('Reason').fill('ticket 7');
  await dialog.getByRole('button', { name: 'Ask for approval' }).click();
  const line = dialog.locator('[data-approval]');
  await expect(line).toContainText('bravo-admin asks to start plan load');
  const approve = line.getByRole('button', { name: 'Approve' });
  await expect(approve).toHaveAccessibleDescription('You asked for it. A second person has to approve it.');
  const name = await line.getAttribute('data-approval');
  // What the button sends: a browser would complain about the refusal.
  const own = await request.patch(`/api/kube${APPROVALS}/${name}/status`, {
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/merge-patch+json' },
    data: { status: { approvedBy: 'me' } },
  });
  expect(await own.text()).toContain('was asked for by bravo-admin; a second person has to approve it');
  await expectAccessible(page);

  const other = await browser.newPage({ baseURL: bobs.base });
  await other.goto(`${bobs.base}/runs`);
  const waiting = other.getByRole('region', { name: 'Approvals' });
  await expect(waiting).toContainText(`bravo-admin asks to start plan load of ${NS}/one`);
  await expectAccessible(other);
  await waiting.getByRole('link', { name: `${NS}/one` }).click();
  const card = other.getByRole('region', { name: 'Approvals' });
  await expect(card).toContainText('asks to start plan load');
  await expect(card).toContainText('ticket 7. With values for FROM.');
  await expectAccessible(other);
  await other.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await card.getByRole('button', { name: 'Copy as' }).click();
  await expectAccessible(other);
  await other.getByRole('menuitem', { name: 'Approve: bravo' }).click();
  await expect(other.getByText(`Copied as bravo: approve ${name}`)).toBeVisible();
  expect(await other.evaluate(() => navigator.clipboard.readText())).toBe(`bravo approval approve ${name} -n ${NS}`);
  await card.getByRole('button', { name: 'Approve' }).click();
  await expect(card).toContainText('Approved by bob');
  await other.close();

  await expect(dialog).toContainText('Approved by bob');
  await run.click();
  await planCompleted(request, ONE, 'load');
  expect((await fetchObject(request, `/api/v1/namespaces/${NS}/configmaps/one-from`))?.data).toEqual({
    from: 'monday',
  });
  await expect(page.getByRole('region', { name: 'Approvals' })).toBeHidden();
  await load.click();
  await expect(run).toHaveAccessibleDescription(/It needs the approval of a second person/);
});

test('an edit and another version that start such a plan ask for the approval in their dialogs', async ({
  page,
  browser,
  request,
}) => {
  test.slow();
  const other = await browser.newPage({ baseURL: bobs.base });
  const approve = async (what: string) => {
    await other.goto(`${bobs.base}/runs`);
    const line = other.getByRole('region', { name: 'Approvals' }).getByRole('listitem').filter({ hasText: what });
    await line.getByRole('button', { name: 'Approve' }).click();
    await expect(line).toBeHidden();
  };
  await page.goto(`/instances/${NS}/one/parameters`);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.locator('[data-parameter="FROM"] input').fill('friday');
  // Apply without a review opens it.
  const bar = page.getByRole('region', { name: 'What applying does' });
  await bar.getByRole('button', { name: 'Apply', exact: true }).click();
  const review = page.getByRole('dialog', { name: 'Review 1 change of one' });
  const run = review.getByRole('button', { name: 'Apply and run load' });
  await expect(run).toHaveAccessibleDescription(/It needs the approval of a second person/);
  await review.getByLabel('Reason').fill('ticket 8');
  await review.getByRole('button', { name: 'Ask for approval' }).click();
  await expectAccessible(page);
  await approve('ticket 8');
  await expect(review).toContainText('Approved by bob');
  await run.click();
  await expect
    .poll(async () => (await fetchObject(request, `/api/v1/namespaces/${NS}/configmaps/one-from`))?.data)
    .toEqual({ from: 'friday' });

  await createObject(request, `${GROUP}/operatorversions`, {
    kind: 'OperatorVersion',
    metadata: { name: 'marked-2.0.0', annotations: saying({ deploy: { approval: true } }) },
    spec: { ...SPEC, version: '2.0.0' },
  });
  await page.goto(`/instances/${NS}/one`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: /version/i }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the version of one' });
  const upgrade = dialog.getByRole('button', { name: /^Upgrade/ });
  await expect(upgrade).toHaveAccessibleDescription(/It needs the approval of a second person/);
  await dialog.getByLabel('Reason').fill('ticket 9');
  await dialog.getByRole('button', { name: 'Ask for approval' }).click();
  await approve('ticket 9');
  await expect(dialog).toContainText('Approved by bob');
  await expectAccessible(page);
  const { planStatus } = (await fetchObject(request, `${GROUP}/instances/one`))?.status ?? {};
  await upgrade.click();
  await planCompleted(request, ONE, 'deploy', planStatus?.deploy?.uid);
  await other.close();
});
