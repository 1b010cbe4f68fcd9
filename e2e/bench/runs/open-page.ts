import type { Browser } from 'playwright';

/** A moment of a page: it is when the selector first finds an element. */
export interface Moment {
  readonly selector: string;
  /** Only an element whose attribute is a number of at least this. */
  readonly attribute?: { readonly name: string; readonly atLeast: number };
}

const WITHIN_MS = 120_000;

/**
 * Opens a page in a new context (nothing is cached) and resolves with the milliseconds from the start of the navigation to the frame
 * after each moment, by the page's own clock.
 *
 * @throws Error when a moment does not come within two minutes
 */
export async function openPage(browser: Browser, address: string, moments: readonly Moment[]): Promise<number[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(noteMoments, moments);
    await page.goto(address, { waitUntil: 'commit' });
    await page.waitForFunction(() => Reflect.get(window, 'allMoments') !== undefined, undefined, {
      timeout: WITHIN_MS,
    });
    return await page.evaluate(() => Reflect.get(window, 'allMoments') as number[]);
  } finally {
    await context.close();
  }
}

/** Runs in the page. */
function noteMoments(moments: readonly Moment[]): void {
  const seen: (number | undefined)[] = moments.map(() => undefined);
  const isThere = ({ selector, attribute }: Moment) => {
    const element = document.querySelector(selector);
    return (
      element !== null && (attribute === undefined || Number(element.getAttribute(attribute.name)) >= attribute.atLeast)
    );
  };
  const look = () => {
    for (const [at, moment] of moments.entries()) {
      if (seen[at] !== undefined || !isThere(moment)) continue;
      seen[at] = Number.NaN;
      requestAnimationFrame(() => {
        seen[at] = performance.now();
        if (seen.every((ms) => ms !== undefined && !Number.isNaN(ms))) Object.assign(window, { allMoments: seen });
      });
    }
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
}
