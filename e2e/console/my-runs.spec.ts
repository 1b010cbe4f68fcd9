import type { Page, Route } from '@playwright/test';
import { createObject, expect, fetchObject, planCompleted, test } from './fixtures';

const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';
const PLACE = { namespace: 'default', name: 'mine' };

const step = (name: string, task: string) => ({ name, tasks: [task] });
const plan = (...steps: object[]) => ({ strategy: 'serial', phases: [{ name: 'main', strategy: 'serial', steps }] });

/** Its plans `risky` and `late` fail a moment after their start. */
const SPEC = {
  version: '1.0',
  operator: { name: 'mine' },
  tasks: [
    { name: 'fails', kind: 'Dummy', spec: { wantErr: true, fatal: true } },
    { name: 'done', kind: 'Dummy', spec: { done: true } },
  ],
  plans: { deploy: plan(step('run', 'done')), risky: plan(step('run', 'fails')), late: plan(step('run', 'fails')) },
};

test.beforeAll(async ({ request }) => {
  // After a failure the next test runs in a new process.
  if ((await fetchObject(request, `${KUDO}/operators/mine`)) === undefined) {
    await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: 'mine' }, spec: {} });
    const metadata = { name: 'mine-1.0' };
    await createObject(request, `${KUDO}/operatorversions`, { kind: 'OperatorVersion', metadata, spec: SPEC });
  }
  if ((await fetchObject(request, `${KUDO}/instances/mine`)) !== undefined) return;
  const spec = { operatorVersion: { name: 'mine-1.0' } };
  await createObject(request, `${KUDO}/instances`, { kind: 'Instance', metadata: { name: 'mine' }, spec });
  await planCompleted(request, PLACE, 'deploy');
});

test.afterAll(async ({ request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${KUDO}/instances/mine`, { headers: { origin } });
});

/** The person turns to another window, or back. Playwright's pages always have the focus. */
async function look(page: Page, isLooking: boolean): Promise<void> {
  await page.evaluate((has) => {
    document.hasFocus = () => has;
    window.dispatchEvent(new Event(has ? 'focus' : 'blur'));
  }, isLooking);
}

const start = (page: Page, name: 'risky' | 'late') =>
  page
    .locator(`section[data-plan="${name}"]`)
    .getByRole('button', { name: name === 'risky' ? 'Risky' : 'Late', exact: true })
    .last()
    .click();

const iconOf = (page: Page) => page.evaluate(() => document.querySelector<HTMLLinkElement>('link[rel~="icon"]')?.href);

test('a run that I started and that failed while I looked elsewhere marks the tab until I look, and notifies me', async ({
  page,
}) => {
  // The browser's own notifications cannot be seen by a test.
  await page.addInitScript(() => {
    const shown: string[] = [];
    class Shown {
      static readonly permission = 'granted';
      static requestPermission = async () => 'granted';
      onclick = null;
      constructor(title: string) {
        shown.push(title);
      }
    }
    Object.assign(window, { shown, Notification: Shown });
  });
  const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown);
  await page.goto('/instances/default/mine/plans');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('button', { name: 'Browser notifications: off' }).click();
  await page.getByRole('menuitemradio', { name: 'Notify me when a run that I started needs me' }).click();
  await expect(page.getByRole('button', { name: 'Browser notifications: on' })).toBeVisible();
  await look(page, false);
  await start(page, 'risky');
  await expect(page).toHaveTitle(/^\(1\) /);
  expect(await iconOf(page)).toMatch(/icon-attention\.svg$/);
  expect(await shown()).toEqual(['Plan risky of mine failed']);
  await look(page, true);
  await expect(page).not.toHaveTitle(/^\(\d/);
  expect(await iconOf(page)).not.toMatch(/attention/);
  await look(page, false);
  await expect(page).not.toHaveTitle(/^\(\d/);
  expect(await shown()).toHaveLength(1);
});

test('a run is mine also when the page shows its end before the answer to its start comes', async ({ page }) => {
  await page.goto('/instances/default/mine/plans');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  const answered = new Promise<void>((resolve, reject) => {
    const holdUntilFailed = async (route: Route) => {
      const response = await route.fetch();
      await expect(page.locator('section[data-plan="late"]')).toContainText('Failed');
      await expect(page).not.toHaveTitle(/^\(\d/);
      await route.fulfill({ response });
    };
    void page.route('**/plans/late', (route) => holdUntilFailed(route).then(resolve, reject));
  });
  await look(page, false);
  await start(page, 'late');
  await answered;
  await expect(page).toHaveTitle(/^\(1\) /);
  // The answer must not hide what the page had shown before it.
  await expect(page.locator('main')).not.toContainText('starts soon');
});
