import { expectAccessible, violations } from '../../test/browser/looks';
import { createObject, expect, fetchObject, instanceKubePath, test } from './fixtures';

const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';
const PAGE = '/instances/default/broken/runs/broken-deploy-1';
const RUN = '/apis/bravo.kudo.dev/v1alpha1/namespaces/default/planruns/broken-deploy-2';
const HEADLINE =
  'Step load of phase main in plan deploy failed: Job broken-load failed: container load exited with code 3.';

const job = `apiVersion: batch/v1
kind: Job
metadata: {name: "{{ .Name }}-load"}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers: [{name: load, image: busybox, command: [sh, -c, "echo reading; echo table 7 is broken; exit {{ .Params.CODE }}"]}]
`;

test.beforeAll(async ({ request }) => {
  await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: 'broken' }, spec: {} });
  await createObject(request, `${KUDO}/operatorversions`, {
    kind: 'OperatorVersion',
    metadata: { name: 'broken-1.0' },
    spec: {
      version: '1.0',
      operator: { name: 'broken' },
      templates: { 'job.yaml': job },
      parameters: [{ name: 'CODE', default: '3' }],
      tasks: [{ name: 'load', kind: 'Apply', spec: { resources: ['job.yaml'] } }],
      plans: {
        deploy: {
          strategy: 'serial',
          phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'load', tasks: ['load'] }] }],
        },
      },
    },
  });
  await createObject(request, `${KUDO}/instances`, {
    kind: 'Instance',
    metadata: { name: 'broken' },
    spec: { operatorVersion: { name: 'broken-1.0' } },
  });
});

test.afterAll(async ({ request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${instanceKubePath('default', 'broken')}`, { headers: { origin } });
});

test('a failure is explained as soon as its pod can be read, without a reload', async ({ page }) => {
  let isReadable = false;
  const unread = { objects: [], pods: [], unhealthyPods: 0, claims: [], events: [] };
  await page.route('**/explain?*', (route) => (isReadable ? route.continue() : route.fulfill({ json: unread })));
  await page.goto('/instances/default/broken');
  await expect(page.getByRole('heading', { name: 'Failed: deploy' })).toBeVisible();
  const problem = page.getByRole('region', { name: 'Problem' });
  await expect(problem).toBeHidden();
  isReadable = true;
  await expect(problem).toContainText('Job broken-load failed: container load exited with code 3.');
});

test('a run that failed is explained on its page, also when its pods are gone', async ({ page }) => {
  await page.goto(PAGE);
  const problem = page.getByRole('region', { name: 'Problem' });
  await expect(problem.getByRole('paragraph')).toContainText(HEADLINE);
  await expect(problem.getByRole('paragraph')).toContainText('Its log says: table 7 is broken.');
  await expect(problem.getByRole('paragraph')).toContainText('Then run plan deploy again.');
  await expect(problem.getByRole('definition').last()).toHaveText('table 7 is broken');
  await expect(problem.getByRole('region', { name: /^Last log lines of broken-load-/ })).toContainText('reading');
  expect(await violations(page)).toEqual([]);
  const origin = new URL(page.url()).origin;
  const path = '/api/kube/apis/batch/v1/namespaces/default/jobs/broken-load?propagationPolicy=Foreground';
  expect((await page.request.delete(path, { headers: { origin } })).status()).toBe(200);
  const gone = async () => (await page.request.get(path)).status();
  await expect.poll(gone).toBe(404);
  await page.reload();
  await expect(problem.getByRole('paragraph')).toContainText(HEADLINE);
  await expect(problem.getByRole('definition').last()).toHaveText('table 7 is broken');
});

test('a run that failed is repeated with a changed parameter, from its page', async ({ page, request }) => {
  await page.goto(PAGE);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('button', { name: 'Retry with changes…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy broken?' });
  await dialog.getByLabel('Change a parameter').selectOption('CODE');
  await dialog.locator('[data-parameter="CODE"] input').fill('0');
  await dialog.getByLabel('Reason').fill('the table is fixed');
  await expect(dialog.getByRole('region', { name: 'What the plan does' })).toContainText('Job broken-load');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Run deploy' }).click();
  await page.locator('tr[data-run="broken-deploy-2"]').getByRole('link', { name: 'broken-deploy-2' }).click();
  await expect(page.getByText('An earlier run is repeated')).toBeVisible();
  await expect(page.getByText('“the table is fixed”')).toBeVisible();
  const run = async () =>
    (await fetchObject(request, RUN)) as
      | { spec?: object; status?: { status?: string; changes?: object[] } }
      | undefined;
  await expect.poll(async () => (await run())?.status?.status, { timeout: 60_000 }).toBe('COMPLETE');
  expect(await run()).toMatchObject({
    spec: { cause: 'Retry', retryOf: 'broken-deploy-1' },
    status: { changes: [{ name: 'CODE', after: '0' }], preview: { matches: true } },
  });
});
