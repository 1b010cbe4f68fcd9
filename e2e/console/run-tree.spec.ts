import { expectAccessible } from '../../test/browser/looks';
import { createObject, expect, test, writeStatus } from './fixtures';

const RUNS = '/apis/bravo.kudo.dev/v1alpha1/namespaces/default/planruns';

test('of a run with a thousand steps only those in view are drawn, and the last is a key away', async ({
  page,
  request,
}) => {
  const step = (name: string) => page.locator(`li[data-step="${name}"]`);
  const steps = (at: number) =>
    Array.from({ length: 50 }, (_, number) => ({ name: `step-${at * 50 + number}`, status: 'COMPLETE' }));
  const phases = Array.from({ length: 20 }, (_, at) => ({ name: `phase-${at}`, status: 'COMPLETE', steps: steps(at) }));
  const name = 'huge-deploy-1';
  await createObject(request, RUNS, {
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'PlanRun',
    metadata: { name },
    spec: { instanceName: 'huge', plan: 'deploy', uid: 'huge' },
  });
  const times = { startedAt: '2026-01-05T03:00:00Z', finishedAt: '2026-01-05T03:10:00Z' };
  await writeStatus(request, `${RUNS}/${name}`, { status: 'COMPLETE', ...times, phases });
  await page.goto(`/instances/default/huge/runs/${name}?step=phase-0%2Fstep-0`);
  await expect(page.getByText('1000 of 1000 done')).toBeVisible();
  expect(await page.locator('li[data-step]').count()).toBeLessThan(120);
  await step('step-0').getByRole('button').press('End');
  await expect(step('step-999').getByRole('button')).toBeFocused();
  await expectAccessible(page);
});
