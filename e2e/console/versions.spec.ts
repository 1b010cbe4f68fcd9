import { expectAccessible } from '../../test/browser/looks';
import { expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';

const PLACE = { namespace: 'versions', name: 'orders' };

test('a version of the catalogue is installed with the change, which shows objects and new parameters first', async ({
  page,
  request,
}) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const catalogue = (await (await request.get('/api/packages')).json()) as {
    packages: { name: string; key: string }[];
  };
  const keys = catalogue.packages.filter(({ name }) => name === 'postgres').map(({ key }) => key);
  const oldest = keys.at(-1) ?? '';
  const wish = { namespace: PLACE.namespace, instance: PLACE.name, parameters: {} };
  const made = await request.post(`/api/packages/postgres/${oldest}/install`, { headers: { origin }, data: wish });
  expect(made.ok(), await made.text()).toBe(true);
  const deployed = await planCompleted(request, PLACE, 'deploy');

  await page.goto('/instances/versions/orders');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Change version…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the version of orders' });
  await expect(dialog.getByLabel('Version', { exact: true })).toContainText('not installed yet');
  const what = dialog.getByRole('region', { name: 'What the change does' });
  await expect(what).toContainText(`Created first, with your permissions: OperatorVersion postgres-${keys[0]}`);
  await expect(what.getByText('ConfigMap orders-settings')).toBeVisible();
  await dialog.locator('[data-parameter="SLOW_QUERY_MS"] input').fill('2500');
  await what.getByText('ConfigMap orders-settings').click();
  await expect(what).toContainText('log_min_duration_statement = 2500');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /^Upgrade/ }).click();
  await expect(page.getByText(/^Version changed/)).toBeVisible();
  await expect
    .poll(async () => (await fetchObject(request, instanceKubePath('versions', 'orders')))?.spec)
    .toMatchObject({ operatorVersion: { name: `postgres-${keys[0]}` }, parameters: { SLOW_QUERY_MS: '2500' } });
  expect(deployed).not.toBe('');
});
