import type { APIRequestContext } from '@playwright/test';
import { expectAccessible } from '../../test/browser/looks';
import { saveObjectOf } from '../../test/browser/save-object';
import { expect, fetchObject, openPalette, test } from './fixtures';

const NAMESPACE = 'workloads';
const DEPLOYMENTS = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;
const WEB_PAGE = `/resources/apps/v1/deployments/${NAMESPACE}/web`;

const pods = (name: string, image = 'demo:1') => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name: 'main', image }], restartPolicy: 'Always' },
});

const MERGE = 'application/merge-patch+json';

async function send(request: APIRequestContext, path: string, data: object, patchType?: string) {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const options = { headers: { origin, 'content-type': patchType ?? 'application/json' }, data };
  const url = `/api/kube${path}`;
  const response = await (patchType === undefined ? request.post(url, options) : request.patch(url, options));
  expect(response.ok(), await response.text()).toBe(true);
}

const deployment = (name: string, metadata: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, ...metadata },
  spec: { replicas: 1, selector: { matchLabels: { app: name } }, template: pods(name) },
});

test.beforeAll(async ({ request }) => {
  await send(request, '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: NAMESPACE },
  });
  await send(request, DEPLOYMENTS, deployment('web'));
});

test('a Deployment is scaled, restarted, paused, resumed and taken back to an older revision', async ({
  page,
  request,
}) => {
  const web = async () =>
    (await fetchObject(request, `${DEPLOYMENTS}/web`)) as { spec?: Record<string, unknown> } | undefined;
  await page.goto(WEB_PAGE);
  await page.getByRole('button', { name: 'Scale', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Nothing else manages this Deployment');
  await dialog.getByLabel(/^Replicas/).fill('-1');
  await expect(dialog.locator('p').filter({ hasText: 'Enter a whole number from 0' })).toBeVisible();
  await dialog.getByLabel(/^Replicas/).fill('3');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Scale', exact: true }).click();
  await expect(page.getByText('Done: Scale Deployment web to 3')).toBeVisible();
  expect((await web())?.spec?.replicas).toBe(3);

  // The palette asks the same question as the button.
  await openPalette(page);
  await page.getByRole('combobox').fill('restart web');
  await page.getByRole('option', { name: /^Restart web/ }).click();
  await expect(dialog).toContainText('kubectl rollout restart');
  await dialog.getByRole('button', { name: 'Restart', exact: true }).click();
  await expect(page.getByText('Done: Restart: Deployment web')).toBeVisible();
  await page.getByRole('button', { name: 'Pause rollout' }).click();
  await dialog.getByRole('button', { name: 'Pause rollout' }).click();
  await expect(page.getByRole('button', { name: 'Resume rollout' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Restart', exact: true })).toHaveAccessibleDescription(/is paused/);
  await page.getByRole('button', { name: 'Resume rollout' }).click();
  await dialog.getByRole('button', { name: 'Resume rollout' }).click();
  await expect(page.getByRole('button', { name: 'Pause rollout' })).toBeVisible();

  await send(request, `${DEPLOYMENTS}/web`, { spec: { template: pods('web', 'demo:2') } }, MERGE);
  const history = page.getByRole('region', { name: 'Rollout history' });
  await expect(history.getByRole('row', { name: /demo:2/ })).toContainText('current');
  await history.getByRole('row', { name: /^1 / }).getByRole('button', { name: 'Compare' }).click();
  await expect(dialog.getByRole('region', { name: 'Revision 1' })).toContainText('image: demo:1');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Go back to revision 1' }).click();
  await expect(page.getByText(/Done: Deployment web back to revision 1/)).toBeVisible();
  await expect(history.getByRole('row', { name: /demo:1/ }).filter({ hasText: 'current' })).toBeVisible();
});

test('a CronJob runs now and is suspended, and its Job runs again', async ({ page, request }) => {
  const jobTemplate = { spec: { template: { spec: { ...pods('tick').spec, restartPolicy: 'Never' } } } };
  await send(request, `/apis/batch/v1/namespaces/${NAMESPACE}/cronjobs`, {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: { schedule: '0 0 1 1 *', jobTemplate },
  });
  await page.goto(`/resources/batch/v1/cronjobs/${NAMESPACE}/tick`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Run now' }).click();
  await dialog.getByLabel(/^Name of the new Job/).fill('tick-by-hand');
  await dialog.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByText('Done: Run now: CronJob tick')).toBeVisible();
  await page.getByRole('button', { name: 'Suspend' }).click();
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();

  await page.goto(`/resources/batch/v1/jobs/${NAMESPACE}/tick-by-hand`);
  await page.getByRole('button', { name: 'Run again' }).click();
  await dialog.getByLabel(/^Name of the new Job/).fill('tick-again');
  await dialog.getByRole('button', { name: 'Run again' }).click();
  await expect(page.getByText('Done: Run again: Job tick-by-hand')).toBeVisible();
  const again = (await fetchObject(request, `/apis/batch/v1/namespaces/${NAMESPACE}/jobs/tick-again`)) as
    | { metadata: { ownerReferences?: unknown } }
    | undefined;
  expect(again?.metadata.ownerReferences).toBe(undefined);
});

test('an object of Argo CD says so before it is changed, and gives the change as a pull request', async ({
  page,
  request,
  context,
}) => {
  const tracking = `shop:apps/Deployment:${NAMESPACE}/shop`;
  const object = deployment('shop', { annotations: { 'argocd.argoproj.io/tracking-id': tracking } });
  await send(request, `${DEPLOYMENTS}?fieldManager=argocd-controller`, object);
  await page.goto('/resources/apps/v1/deployments?filter=argo');
  await expect(page.getByRole('row', { name: /managed by Argo CD: shop/ })).toBeVisible();
  await page.getByRole('link', { name: 'shop', exact: true }).click();
  await expect(page.getByText('managed by Argo CD: shop')).toBeVisible();

  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Pause rollout' }).click();
  await expect(dialog).toContainText('does not set spec.paused');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Scale', exact: true }).click();
  await expect(dialog).toContainText(
    'Argo CD (Application shop) manages this object. Its next sync reverts the change',
  );
  await dialog.getByLabel(/^Replicas/).fill('4');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Export the change' }).click();
  await dialog.getByRole('menuitem', { name: 'Copy text of a pull request' }).click();
  await expect(page.getByText('Copied as pull request: Scale Deployment shop to 4')).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toContain('# Scale Deployment shop to 4');
  expect(text).toContain('-  replicas: 1\n+  replicas: 4');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'YAML', exact: true }).click();
  await page
    .locator('.cm-line')
    .filter({ hasText: /^ {2}replicas:/ })
    .click();
  await page.keyboard.press('End');
  await page.keyboard.type('0');
  await saveObjectOf(page);
  await expect(dialog).toContainText('spec.replicas');
  await expect(dialog).toContainText('Argo CD (Application shop)');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save anyway' }).click();
  await expect(page.getByText('Saved shop')).toBeVisible();
});

test('a Node is drained: what is held waits, what would be lost stays unless it is confirmed', async ({
  page,
  request,
}) => {
  const place = `/api/v1/namespaces/${NAMESPACE}/pods`;
  const owner = { apiVersion: 'v1', kind: 'Namespace', name: NAMESPACE, uid: await uidOf(request), controller: true };
  const pod = (name: string, spec: object, metadata: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name }, ...metadata },
    spec: { ...pods(name).spec, nodeName: 'e2e-node', ...spec },
  });
  await send(request, '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'e2e-node' } });
  await send(request, place, pod('bare', {}));
  await send(
    request,
    place,
    pod('cache', { volumes: [{ name: 'scratch', emptyDir: {} }] }, { ownerReferences: [owner] }),
  );

  await page.goto('/resources/core/v1/nodes/_/e2e-node');
  await page.getByRole('button', { name: 'Drain…' }).click();
  const dialog = page.getByRole('dialog');
  const rows = dialog.getByRole('region', { name: 'Pods of the Node' });
  await expect(rows.getByRole('row', { name: /bare/ })).toContainText('No controller starts it again');
  await expect(rows.getByRole('row', { name: /cache/ })).toContainText('The data of scratch (emptyDir) is lost');
  await expect(rows).toContainText('0 of 2 pods move');
  await expectAccessible(page);
  await dialog.getByLabel(/Delete the data of emptyDir volumes/).check();
  const drain = dialog.getByRole('button', { name: 'Drain Node' });
  await expect(drain).toHaveAccessibleDescription(/Type e2e-node/);
  await dialog.getByLabel('Type e2e-node to confirm').fill('e2e-node');
  await expect(drain).not.toHaveAttribute('aria-disabled');
  await drain.click();
  await expect(rows.getByRole('row', { name: /cache/ })).toContainText('Ending');
  // No kubelet runs on this Node: the test ends the pod in its place.
  await deleteNow(request, `${place}/cache`);
  await expect(dialog.getByRole('status')).toContainText('is drained: 1 pod was evicted');
  expect(await fetchObject(request, `${place}/bare`)).toBeDefined();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Uncordon' }).click();
  await dialog.getByRole('button', { name: 'Uncordon' }).click();
  await expect(page.getByRole('button', { name: 'Cordon', exact: true })).toBeVisible();
  await deleteNow(request, `${place}/bare`);
  await deleteNow(request, '/api/v1/nodes/e2e-node');
});

async function uidOf(request: APIRequestContext): Promise<string> {
  return (await fetchObject(request, `/api/v1/namespaces/${NAMESPACE}`))?.metadata.uid ?? '';
}

async function deleteNow(request: APIRequestContext, path: string): Promise<void> {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const response = await request.delete(`/api/kube${path}?gracePeriodSeconds=0`, { headers: { origin } });
  expect(response.ok(), await response.text()).toBe(true);
}
