import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';

/** A window as the guide shows it. */
export const newContext = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({ viewport: { width: 1_200, height: 750 }, colorScheme: 'light' });

/** Once everything is loaded, and nothing moves. */
export async function takePicture(page: Page, folder: string, file: string): Promise<void> {
  const isWhole = () => document.querySelector('.animate-breathe') === null;
  await page.waitForFunction(isWhole, undefined, { timeout: 30_000 });
  if ((await page.locator('[data-connection]').count()) > 0) await page.locator('[data-connection="live"]').waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.screenshot({ path: join(folder, `${file}.png`), animations: 'disabled' });
}
