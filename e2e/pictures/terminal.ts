import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Page } from 'playwright';

/** Long outputs are cut: a picture shows how they begin. */
const LINES = 40;

/**
 * Takes a picture of commands and what they printed.
 *
 * @param parts command and output, in order
 */
export async function takeTerminal(
  page: Page,
  folder: string,
  file: string,
  parts: readonly (readonly [command: string, output: string])[],
): Promise<void> {
  const text = parts
    .map(([command, output]) => `$ ${command}\n${stripVTControlCharacters(output).trimEnd()}`)
    .join('\n');
  const lines = text.split('\n');
  const shown = lines.length > LINES ? [...lines.slice(0, LINES), '…'] : lines;
  await page.setContent('<body style="margin:0;background:#16181d"><pre id="screen"></pre></body>');
  await page.locator('#screen').evaluate((screen, content) => {
    screen.textContent = content;
    screen.style.cssText =
      'margin:0;padding:20px 24px;color:#e6e8ee;font:14px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere';
  }, shown.join('\n'));
  await page.locator('#screen').screenshot({ path: join(folder, `${file}.png`) });
}
