import type { Page } from 'playwright';
import { takePicture } from './take';

const live = (page: Page) => page.locator('[data-connection="live"]').waitFor();

/** Takes the pictures of what all pages have: finding, selecting, saving, help. */
export async function takeConsolePictures(page: Page, base: string, images: string): Promise<void> {
  await page.goto(base);
  await live(page);
  await page.getByRole('button', { name: 'Skip the tour' }).click();
  await page.getByRole('heading', { name: 'Capacity' }).waitFor();
  await page.getByText('All 3 instances are healthy.').waitFor();
  await takePicture(page, images, 'overview');
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await page.getByRole('dialog', { name: 'Help' }).getByText('Guide:').waitFor();
  await takePicture(page, images, 'help');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Find a page/ }).fill('scale postgres 3');
  await page
    .getByRole('option', { name: /^Scale postgres to 3/ })
    .first()
    .waitFor();
  await takePicture(page, images, 'palette');
  await page.keyboard.press('Escape');

  await page.goto(`${base}/resources/core/v1/pods`);
  await live(page);
  for (const name of ['postgres-0', 'etcd-0']) {
    await page.locator(`tr[data-key="demo/${name}"]`).getByRole('checkbox').check();
  }
  await takePicture(page, images, 'selection');

  await page.goto(`${base}/resources/apps/v1/statefulsets/demo/postgres/yaml`);
  await page
    .locator('.cm-line')
    .filter({ hasText: /^ {2}replicas: \d+$/ })
    .click();
  await page.keyboard.press('End');
  await page.keyboard.type('0');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('region', { name: 'After saving, by a dry run' }).waitFor();
  await takePicture(page, images, 'yaml-review');

  await page.goto(`${base}/resources/apiextensions.k8s.io/v1/customresourcedefinitions/_/instances.kudo.dev`);
  await page.getByRole('treeitem', { name: /^spec\b/ }).waitFor();
  await takePicture(page, images, 'definition');
}
