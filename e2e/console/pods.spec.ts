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
  await remove(request, `${CRDS}/pods.metrics.k8s.io`);
  await remove(request, `/api/v1/namespaces/${NS}`);
});
