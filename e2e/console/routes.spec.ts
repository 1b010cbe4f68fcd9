import { expectFits } from '../../test/browser/looks';
import { SCRIPT_GOALS, scriptKb } from '../../test/browser/script-size';
import { expect, planCompleted, test } from './fixtures';

const ROUTES = [
  '/',
  '/instances',
  '/instances/demo/postgres',
  '/instances/demo/postgres/parameters',
  '/instances/demo/postgres/plans',
  '/instances/demo/postgres/backups',
  '/instances/demo/postgres/runs/postgres-deploy-1',
  '/instances/demo/postgres/runs/no-such-run',
  '/instances/demo/postgres/runs/compare',
  '/runs',
  '/schedules',
  '/schedules/demo/no-such-schedule',
  '/instances/demo/postgres/resources',
  '/instances/demo/postgres/logs',
  '/instances/demo/postgres/events',
  '/instances/demo/postgres/yaml',
  '/operators',
  '/install',
  '/workshop',
  '/resources',
  '/resources/create',
  '/activity',
  '/usage',
  '/roles',
  '/help',
  '/help/runs',
  '/settings',
  '/status',
  '/clusters',
  '/instances?clusters=all',
  '/resources/core/v1/pods',
  '/resources/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/resources/apps/v1/statefulsets/demo/postgres',
  '/instances/demo/no-such-instance',
];

test.beforeAll(async ({ request }) => {
  await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'deploy');
});

for (const route of ROUTES) {
  test(`${route} is accessible, quiet and fits, in both themes and at both widths`, async ({ page }) => {
    await page.goto(route);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expectFits(page);
  });
}

test('the scripts of the list, of an instance and of a run do not grow', async ({ baseURL }) => {
  for (const [figure, { path, holds }] of Object.entries(SCRIPT_GOALS)) {
    expect.soft(await scriptKb(baseURL ?? '', path), `${figure} of ${path}`).toBeLessThanOrEqual(holds);
  }
});
