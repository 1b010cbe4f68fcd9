import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible } from '../../test/browser/looks';
import { createObject, expect, fetchObject, test } from './fixtures';

const NS = 'pods';
const PODS = `/api/v1/namespaces/${NS}/pods`;
const PAGE = `/resources/core/v1/pods/${NS}/web`;

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: NS },
  spec: {
    initContainers: [{ name: 'prepare', image: 'busybox:1.37', command: ['sh', '-c', 'echo prepared'] }],
    containers: [
      {
        name: 'app',
        image: 'busybox:1.37',
        command: ['sh', '-c', 'for i in $(seq 1 400); do echo "request $i took $((i % 7)) ms"; done; sleep infinity'],
        ports: [{ name: 'http', containerPort: 8080 }],
        resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '500m', memory: '128Mi' } },
        readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 5 },
        volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
      },
      { name: 'proxy', image: 'busybox:1.37', command: ['sh', '-c', 'echo the proxy listens; sleep infinity'] },
      { name: 'flaky', image: 'busybox:1.37', command: ['sh', '-c', 'echo it gives up; exit 3'] },
    ],
    volumes: [{ name: 'scratch', emptyDir: {} }],
  },
};

/** A metrics server's kind, as a definition: the page reads it as it reads the real one. */
const METRICS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'pods.metrics.k8s.io',
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/metrics' },
  },
  spec: {
    group: 'metrics.k8s.io',
    scope: 'Namespaced',
    names: { plural: 'pods', singular: 'pod', kind: 'PodMetrics', listKind: 'PodMetricsList' },
    versions: [
      {
        name: 'v1beta1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

async function prepare(request: APIRequestContext): Promise<void> {
  if ((await fetchObject(request, `/api/v1/namespaces/${NS}`)) !== undefined) return;
  await createObject(request, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } });
  // The service account of a new namespace may not be there yet.
  await expect(() => createObject(request, PODS, POD)).toPass();
  await expect.poll(async () => JSON.stringify(await fetchObject(request, `${PODS}/web`))).toContain('"exitCode":3');
}

async function remove(request: APIRequestContext, path: string): Promise<void> {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${path}`, { headers: { origin } });
}

const container = (page: Page, name: string) => page.locator(`[data-container=${name}]`);

test('the page of a pod says how each container is, what it uses and how it ended', async ({ page, request }) => {
  await prepare(request);
  await createObject(request, CRDS, METRICS);
  const usage = [{ name: 'app', usage: { cpu: '125m', memory: '120Mi' } }];
  await expect(async () => {
    await createObject(request, `/apis/metrics.k8s.io/v1beta1/namespaces/${NS}/pods`, {
      apiVersion: 'metrics.k8s.io/v1beta1',
      kind: 'PodMetrics',
      metadata: { name: 'web', namespace: NS },
      timestamp: '2026-11-29T00:00:00Z',
      window: '15s',
      containers: usage,
    });
  }).toPass();
  await page.goto(PAGE);
  const app = container(page, 'app');
  await expect(app).toContainText('Running');
  await expect(app).toContainText('CPU 100m – 500m; memory 64Mi – 128Mi');
  await expect(app).toContainText('readiness: GET :8080/ready every 5 s, 3 failures');
  await expect(app).toContainText('CPU 125m25 % of its limit');
  await expect(app).toContainText('memory 120Mi94 % of its limit');
  await expect(app.getByRole('button', { name: 'Copy the port-forward command of 8080' })).toBeVisible();
  await expect(container(page, 'flaky')).toContainText('exit code 3');
  await expect(container(page, 'flaky')).toContainText('The program ended with an error that it defines itself.');
  await expect(container(page, 'prepare')).toContainText('Completed');
  await expect(page.getByRole('region', { name: 'Volumes' })).toContainText('app: /scratch');
  await expectAccessible(page);
  await page.goto('/resources/core/v1/pods');
  const row = page.getByRole('row').filter({ hasText: NS }).filter({ hasText: 'web' });
  await expect(row).toContainText('125m');
  await expect(row).toContainText('120Mi');
  await expect(row.locator('[data-sparkline]')).toHaveCount(2);
  await remove(request, `${CRDS}/pods.metrics.k8s.io`);
});

test('logs of all containers are read together, searched, filtered and shown side by side', async ({
  page,
  request,
}) => {
  await prepare(request);
  await page.goto(`${PAGE}/logs?container=app,proxy`);
  const log = page.getByRole('region', { name: 'Log of web, containers app, proxy' });
  await expect(log).toContainText('the proxy listens');
  await expect(log).toContainText('request 400 took 1 ms');
  const find = page.getByRole('searchbox', { name: 'Find in lines' });
  await find.fill('request 12');
  await expect(page.getByText('11 lines', { exact: true }).last()).toBeVisible();
  await find.press('Enter');
  await expect(page.getByText('1 of 11 lines')).toBeVisible();
  await expect(log.locator('[aria-current]')).toContainText('request 12 took');
  await find.press('Shift+Enter');
  await expect(page.getByText('11 of 11 lines')).toBeVisible();
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await find.fill('request \\d\\d took');
  await expect(page.getByText('90 lines', { exact: true }).last()).toBeVisible();
  await find.fill('request (');
  await expect(page.getByText(/missing closing \)/)).toBeVisible();
  await find.fill('proxy|request 400');
  await page.getByRole('button', { name: 'Only matches' }).click();
  await expect(log.locator('[data-log-line]')).toHaveCount(2);
  await page.getByRole('button', { name: 'Timestamps' }).click();
  await expect(log.locator('[data-log-line]').first()).toContainText(/20\d\d-\d\d-\d\d \d\d:/);
  await page.getByRole('button', { name: 'Side by side' }).click();
  await expect(page.getByRole('region', { name: 'Log of web, container proxy' })).toContainText('the proxy listens');
  await expectAccessible(page);
  await page.goto(`${PAGE}/logs?container=flaky`);
  await page.getByRole('button', { name: 'Before restart' }).click();
  await expect(page.getByRole('region', { name: 'Log of web, container flaky' })).toContainText('it gives up');
});

test('a terminal is a shell in the container; a debug container gets one too', async ({ page, request }) => {
  await prepare(request);
  await page.goto(`${PAGE}/terminal?container=app`);
  await page.getByRole('button', { name: 'Open terminal' }).click();
  const screen = page.locator('[data-terminal]');
  await expect(page.getByText('Connected')).toBeVisible();
  await expect(screen).toContainText('/ #');
  await page.keyboard.type('echo $((6 * 7)) of $HOSTNAME; stty size\n');
  await expect(screen).toContainText('42 of web');
  await expect(screen).toContainText(/\d\d \d\d+/);
  await expectAccessible(page);
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Close', exact: true })).toBeFocused();
  await screen.click();
  await page.keyboard.type('exit 5\n');
  await expect(page.getByRole('status').getByText('The shell has ended with exit code 5.')).toBeVisible();
  await page.getByRole('button', { name: 'Connect again' }).click();
  await expect(page.getByText('Connected')).toBeVisible();

  await page.getByRole('button', { name: 'Debug container…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Target container')).toHaveValue('app');
  await dialog.getByRole('button', { name: 'Add container' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('combobox', { name: 'Container' })).toHaveValue('debug-1');
  await page.getByRole('button', { name: 'Open another one' }).click();
  await expect(page.getByRole('region', { name: /^Terminal in web, container debug-1/ })).toContainText('/ #');
  await page.goto('/activity');
  await expect(page.getByText('opened a terminal in container debug-1', { exact: false }).first()).toBeVisible();
  await remove(request, `/api/v1/namespaces/${NS}`);
});
