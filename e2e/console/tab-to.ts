import type { Page } from '@playwright/test';
import { expect } from './fixtures';

/** Presses Tab until the wanted control has the focus: no mouse, no shortcuts. */
export async function tabTo(
  page: Page,
  role: 'link' | 'button' | 'textbox' | 'combobox' | 'spinbutton' | 'searchbox' | 'tab' | 'treeitem',
  name: string | RegExp,
) {
  const wanted = page.getByRole(role, { name, exact: typeof name === 'string' }).first();
  await expect(wanted).toBeVisible();
  // To find it by its role takes as long as many presses, so it is found again only when it was drawn anew.
  let element = await wanted.elementHandle();
  for (let presses = 0; presses < 150; presses++) {
    if (!(await element?.evaluate(({ isConnected }) => isConnected))) element = await wanted.elementHandle();
    if (await element?.evaluate((control) => control === document.activeElement)) {
      await expect(wanted).toBeFocused();
      // A person does not press Enter while the button says what it waits for.
      await expect(wanted).not.toHaveAttribute('aria-disabled', 'true');
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`${role} ${name} cannot be reached with Tab.`);
}
