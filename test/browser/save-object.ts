import { expect, type Page } from '@playwright/test';

/** Saves the edited object of the page, and confirms what the review of the save shows. */
export async function saveObjectOf(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await confirmSave(page);
}

/** Presses the button that saves in the review of a save. */
export async function confirmSave(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Save / });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: /^(Save|Take over and save)$/ }).click();
}
