import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/** The script that puts axe into a page: 0.6 MB, so it is read once a process. */
const SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Runs axe on the whole document of a page, without frames, of which the console has none.
 *
 * A document gets the script once, not once a run, and only violations are described in full: each made a run several times as long.
 *
 * @param options of axe's `run`
 * @returns the violations; empty when axe finds nothing
 */
export async function axeViolations(page: Page, options: axe.RunOptions): Promise<axe.Result[]> {
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(SCRIPT);
  return page.evaluate(
    async (settings) => {
      if (window.axe === undefined) throw new Error('The page was left while axe was put into it.');
      return (await window.axe.run(document, settings)).violations;
    },
    { ...options, resultTypes: ['violations' as const] },
  );
}
