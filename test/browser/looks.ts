import { expect, type Page } from '@playwright/test';
import { axeViolations } from './axe';

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1440, 390];

/** Rules that check colours. All others check the document and its geometry, which no theme changes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** What axe finds on the current page, a line each. */
export async function violations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  const found = await axeViolations(
    page,
    rules === 'colours'
      ? { runOnly: { type: 'rule', values: COLOUR_RULES } }
      : // WCAG 2.5.3: who speaks to the computer says what is on the button. axe has this rule off by default.
        { rules: { 'label-content-name-mismatch': { enabled: true } } },
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** axe finds nothing in either theme; the page is not loaded again in between, and the second theme is checked for its colours only. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await settled(page);
    expect(await violations(page, colorScheme === SCHEMES[0] ? 'all' : 'colours'), colorScheme).toEqual([]);
  }
}

/** The same at both widths, and no horizontal scrolling. */
export async function expectFits(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `the page does not scroll sideways at ${width} px`).toBeLessThanOrEqual(0);
  }
}

/** Colours of the other theme fade in; axe would read intermediate colours. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  );
}
