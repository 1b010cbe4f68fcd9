import type { APIRequestContext, Page } from '@playwright/test';
import { violations } from '../../test/browser/looks';
import { createObject, expect, planCompleted, test } from './fixtures';

const PLACE = { namespace: 'demo', name: 'watched' };
const GROUP = '/apis/kudo.dev/v1beta1/namespaces/demo';

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Name }}"}
spec:
  replicas: 2
  selector: {matchLabels: {app: "{{ .Name }}"}}
  template:
    metadata: {labels: {app: "{{ .Name }}"}}
    spec: {containers: [{name: main, image: busybox, command: [sleep, "1000000"]}]}
`;

/** The check prints this line, and passes with exit code 0. */
function checks(line: string, exitCode: number): object {
  const lag = {
    name: 'replication',
    displayName: 'Replication',
    kind: 'exec',
    command: ['sh', '-c', `echo "${line}"; exit ${exitCode}`],
    mode: 'first',
    period: '5s',
    message: 'A replica is more than a minute behind its primary.',
  };
  const votes = { ...lag, name: 'votes', displayName: 'Votes', command: ['sh', '-c', 'echo "3 of 3 members vote"'] };
  return { metadata: { annotations: { 'bravo.kudo.dev/health-checks': JSON.stringify([lag, votes]) } } };
}

async function declare(request: APIRequestContext, line: string, exitCode: number): Promise<void> {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const response = await request.patch(`/api/kube${GROUP}/operatorversions/watched-1.0.0`, {
    headers: { origin, 'content-type': 'application/merge-patch+json' },
    data: JSON.stringify(checks(line, exitCode)),
  });
  expect(response.ok(), await response.text()).toBe(true);
}

test.beforeAll(async ({ request }) => {
  const step = { name: 'run', tasks: ['run'] };
  await createObject(request, `${GROUP}/operators`, { kind: 'Operator', metadata: { name: 'watched' }, spec: {} });
  await createObject(request, `${GROUP}/operatorversions`, {
    kind: 'OperatorVersion',
    metadata: { name: 'watched-1.0.0' },
    spec: {
      operator: { name: 'watched' },
      version: '1.0.0',
      templates: { 'web.yaml': DEPLOYMENT },
      tasks: [{ name: 'run', kind: 'Apply', spec: { resources: ['web.yaml'] } }],
      plans: { deploy: { strategy: 'serial', phases: [{ name: 'main', strategy: 'serial', steps: [step] }] } },
    },
  });
  await declare(request, 'replication lag 3 s', 0);
  const spec = { operatorVersion: { name: 'watched-1.0.0' } };
  await createObject(request, `${GROUP}/instances`, { kind: 'Instance', metadata: { name: 'watched' }, spec });
  await planCompleted(request, PLACE, 'deploy');
});

test.afterAll(async ({ request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${GROUP}/instances/watched`, { headers: { origin } });
});

async function hasNoAxeFindings(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}

test('a failing health check is shown with its text and pod, in lists too, and goes away when it passes', async ({
  page,
}) => {
  await page.goto('/instances/demo/watched');
  const card = page.getByRole('region', { name: 'Health' });
  await expect(card.getByText('2 of 2 checks pass')).toBeVisible();
  await expect(card.getByRole('listitem').filter({ hasText: 'Votes' })).toContainText('3 of 3 members vote');
  await expect(page.getByText('All objects of this instance are ready.')).toBeVisible();
  await hasNoAxeFindings(page);

  await declare(page.request, 'replication lag 95 s', 1);
  const lag = card.locator('[data-health-check=replication]');
  await expect(lag).toHaveAttribute('data-verdict', 'Failing');
  await expect(lag).toContainText('Failing');
  await expect(lag).toContainText('replication lag 95 s on watched-');
  await expect(lag).toContainText('A replica is more than a minute behind its primary.');
  await expect(card.getByText('1 of 2 checks pass')).toBeVisible();
  await expect(page.getByText(/Unhealthy: replication lag 95 s on watched-/)).toBeVisible();
  await expect(page.getByText('The instance is not healthy: Replication lag 95 s')).toBeVisible();
  await hasNoAxeFindings(page);

  await page.emulateMedia({ colorScheme: 'dark' });
  await hasNoAxeFindings(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 800 });
  await hasNoAxeFindings(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('link', { name: 'Overview' }).first().click();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention.getByRole('listitem').filter({ hasText: 'watched' })).toContainText('replication lag 95 s');
  await page.getByRole('link', { name: 'Instances' }).first().click();
  const row = page.getByRole('row', { name: /watched/ });
  await expect(row).toContainText('Unhealthy');
  await expect(row).toContainText('replication lag 95 s on watched-');

  await row.getByRole('link', { name: 'watched', exact: true }).click();
  await expect(page.getByText('HealthCheckFailed').first()).toBeVisible();
  await declare(page.request, 'replication lag 0 s', 0);
  await expect(lag).toHaveAttribute('data-verdict', 'Passing');
  await expect(card.getByText('2 of 2 checks pass')).toBeVisible();
});
