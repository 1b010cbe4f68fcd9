import type { Page } from 'playwright';

/** Lets a page note when the text of its body names each probe (`probe-7`) for the first time. */
export async function watchForProbes(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: { [name: string]: number } = {};
    Object.assign(window, { seenProbes: seen });
    new MutationObserver(() => {
      for (const [name] of (document.body.textContent ?? '').matchAll(/probe-\d+(?=\D)/g)) seen[name] ??= Date.now();
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

/** When the page showed the probe, in milliseconds since the epoch. */
export async function seenAt(page: Page, name: string): Promise<number> {
  const seen = await page.waitForFunction(
    (wanted) => (window as unknown as { seenProbes: { [n: string]: number } }).seenProbes[wanted],
    name,
  );
  return (await seen.jsonValue()) ?? Number.NaN;
}
