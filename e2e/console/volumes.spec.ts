import { expectAccessible } from '../../test/browser/looks';
import { expect, planCompleted, test } from './fixtures';

test('an edit that deletes volumes is reviewed before it is applied', async ({ page, request }) => {
  await planCompleted(request, { namespace: 'demo', name: 'etcd' }, 'deploy');
  await page.goto('/instances/demo/etcd/parameters');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.locator('[data-parameter="size"] select').selectOption('1');
  const bar = page.getByRole('region', { name: 'What applying does' });
  await bar.getByRole('button', { name: 'Apply', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Review 1 change of etcd' });
  await expect(dialog).toContainText('2 volumes are deleted with their data');
  for (const claim of ['data-etcd-1 1Gi', 'data-etcd-2 1Gi']) await expect(dialog).toContainText(claim);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Back' }).click();
  await bar.getByRole('button', { name: 'Discard' }).click();
});
