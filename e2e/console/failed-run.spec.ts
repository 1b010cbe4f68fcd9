import AxeBuilder from '@axe-core/playwright';
import { createObject, expect, instanceKubePath, test } from './fixtures';

const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';
const PAGE = '/instances/default/broken/runs/broken-deploy-1';
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
      containers: [{name: load, image: busybox, command: [sh, -c, "echo reading; echo table 7 is broken; exit 3"]}]
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

test('a run that failed is explained on its page, also when its pods are gone', async ({ page }) => {
  await page.goto(PAGE);
  const problem = page.getByRole('region', { name: 'Problem' });
  await expect(problem.getByRole('paragraph')).toContainText(HEADLINE);
  await expect(problem.getByRole('paragraph')).toContainText('Its log says: table 7 is broken.');
  await expect(problem.getByRole('paragraph')).toContainText('Then run plan deploy again.');
  await expect(problem.getByRole('definition').last()).toHaveText('table 7 is broken');
  await expect(problem.getByRole('region', { name: /^Last log lines of broken-load-/ })).toContainText('reading');
  expect((await new AxeBuilder({ page }).include('main').analyze()).violations).toEqual([]);
  const origin = new URL(page.url()).origin;
  const path = '/api/kube/apis/batch/v1/namespaces/default/jobs/broken-load?propagationPolicy=Foreground';
  expect((await page.request.delete(path, { headers: { origin } })).status()).toBe(200);
  const gone = async () => (await page.request.get(path)).status();
  await expect.poll(gone).toBe(404);
  await page.reload();
  await expect(problem.getByRole('paragraph')).toContainText(HEADLINE);
  await expect(problem.getByRole('definition').last()).toHaveText('table 7 is broken');
});
