import AxeBuilder from '@axe-core/playwright';
import { expect, planCompleted, test } from './fixtures';

const ROUTES = [
  '/',
  '/instances',
  '/instances/demo/postgres',
  '/instances/demo/postgres/parameters',
  '/instances/demo/postgres/plans',
  '/instances/demo/postgres/resources',
  '/instances/demo/postgres/logs',
  '/instances/demo/postgres/events',
  '/instances/demo/postgres/yaml',
  '/operators',
  '/install',
  '/resources',
  '/resources/create',
  '/resources/core/v1/pods',
  '/resources/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/resources/apps/v1/statefulsets/demo/postgres',
  '/instances/demo/no-such-instance',
];

test.beforeAll(async ({ request }) => {
  await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'deploy');
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 390]) {
    test.describe(`every route, ${colorScheme}, ${width} px wide`, () => {
      test.use({ colorScheme, viewport: { width, height: 900 } });

      for (const route of ROUTES) {
        test(`${route} is accessible, quiet and fits`, async ({ page }) => {
          await page.goto(route);
          await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
          const { violations } = await new AxeBuilder({ page }).analyze();
          expect(
            violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
          ).toEqual([]);
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          expect(overflow, 'the page does not scroll sideways').toBeLessThanOrEqual(0);
        });
      }
    });
  }
}
