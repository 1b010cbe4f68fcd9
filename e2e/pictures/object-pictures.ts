import type { Page } from 'playwright';
import { takePicture } from './take';

/** Takes the pictures of the pages about single objects: the tree, a terminal, a form, the actions of a workload. */
export async function takeObjectPictures(page: Page, base: string, images: string): Promise<void> {
  await page.goto(`${base}/instances/demo/postgres/resources`);
  await page.getByRole('treeitem', { name: /Pod postgres-0/ }).click();
  await page.locator('[data-object-panel]').waitFor();
  await takePicture(page, images, 'resource-tree');
  await page.goto(`${base}/resources/core/v1/pods/demo/postgres-0/terminal`);
  await page.getByRole('button', { name: 'Open terminal' }).click();
  await page.getByText('Connected').waitFor();
  await page.keyboard.type('ps; echo $HOSTNAME\n');
  await page.locator('[data-terminal]').getByText('postgres-0').last().waitFor();
  await takePicture(page, images, 'terminal');
  await page.goto(`${base}/resources/create?group=apps&version=v1&plural=deployments&namespace=demo`);
  await page.locator('[data-object-form]').waitFor();
  await takePicture(page, images, 'form');
  await page.goto(`${base}/resources/apps/v1/statefulsets/demo/postgres`);
  await page.getByRole('button', { name: 'Restart' }).waitFor();
  await takePicture(page, images, 'workload');
}
