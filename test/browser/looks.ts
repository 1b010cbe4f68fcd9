import { expect, type Page } from '@playwright/test';
import { axeViolations } from './axe';

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1440, 390];

/** Rules that check colours. All others check the document and its geometry, which no theme changes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** What axe finds on the current page, a line each. Nothing moves meanwhile: axe would read intermediate colours. */
export async function violations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  await stopTransitions(page);
  await settled(page);
  const found = await axeViolations(
    page,
    rules === 'colours'
      ? { runOnly: { type: 'rule', values: COLOUR_RULES } }
      : // WCAG 2.5.3: who speaks to the computer says what is on the button. axe has this rule off by default.
        { rules: { 'label-content-name-mismatch': { enabled: true } } },
  );
  await allowTransitions(page);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** axe finds nothing in either theme; the page is not loaded again in between, and the second theme is checked for its colours only. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await stopTransitions(page);
    await page.emulateMedia({ colorScheme });
    expect(await violations(page, colorScheme === SCHEMES[0] ? 'all' : 'colours'), colorScheme).toEqual([]);
  }
}

/** With more contrast, too, axe finds nothing wrong with the colours of either theme. */
async function expectContrast(page: Page): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await stopTransitions(page);
    await page.emulateMedia({ colorScheme, contrast: 'more' });
    expect(await violations(page, 'colours'), `${colorScheme}, more contrast`).toEqual([]);
  }
  await page.emulateMedia({ contrast: null });
}

/** The same at both widths, at the wide one with more contrast as well, and no horizontal scrolling. */
export async function expectFits(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page);
    if (width === WIDTHS[0]) await expectContrast(page);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `the page does not scroll sideways at ${width} px`).toBeLessThanOrEqual(0);
  }
}

/** From now on colours change at once, also those that change already. A style sheet without an element is not a matter of the CSP. */
async function stopTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (document.adoptedStyleSheets.some(({ title }) => title === 'no transitions')) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after, ::backdrop { transition: none !important }');
    Object.defineProperty(sheet, 'title', { value: 'no transitions' });
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
}

async function allowTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(({ title }) => title !== 'no transitions');
  });
}

/** Animations that end have ended. */
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
