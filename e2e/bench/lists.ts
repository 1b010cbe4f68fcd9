import { type Browser, chromium, type Page } from 'playwright';
import { chromiumArgs, findChromium } from '@/test/programs/chromium.mjs';
import { startConsoleProcess } from '@/test/programs/console-process';
import { type Figure, figure, percentile } from './figure';
import { openList, padded, SEEDED, seedConfigMaps, seedInstances, usedHeapMb } from './lists/long-list';
import { writeToPixel } from './lists/write-to-pixel';

const FRAMES = 200;

/**
 * Long lists in a real browser, on the production build: 10,000 ConfigMaps and 10,000 Instances. For each the KB of the page, the
 * milliseconds from going there to the first row and to all rows, the frames while it is scrolled (as by a wheel, and ten rows a
 * frame with jumps), the filter, and the heap; for Instances also how long a write takes to the screen.
 */
export async function run(): Promise<Figure[]> {
  const server = await startConsoleProcess({ BRAVO_CONTROLLER: 'off' });
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...chromiumArgs] });
  try {
    await seedConfigMaps(server.base);
    await seedInstances(server.base);
    const maps = { name: 'configmaps', path: '/resources/core/v1/configmaps', all: SEEDED, filter: 'cm-09999' };
    const instances = { name: 'instances', path: '/instances', all: SEEDED, filter: 'in-00999' };
    const figures = [
      ...(await measure(browser, server.base, maps)),
      ...(await measure(browser, server.base, instances)),
    ];
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await openList(page, server.base, '/instances?sort=name', SEEDED);
    const others = Array.from({ length: 500 }, (_, at) => `in-${padded(at + 1)}`);
    const place = { namespace: 'many', probed: 'in-00000', others };
    return [...figures, ...(await writeToPixel(page, server.base, place))];
  } finally {
    await browser.close();
    await server.running.stop();
  }
}

interface Measured {
  readonly name: string;
  readonly path: string;
  readonly all: number;
  readonly filter: string;
}

async function measure(browser: Browser, base: string, { name, path, all, filter }: Measured): Promise<Figure[]> {
  // Once before: users rarely meet the first list of a fresh server.
  await openList(await browser.newPage(), base, path, all);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const opened = await openList(page, base, path, all);
  const wheel = await scroll(page, { px: 100, jumpPx: 100 });
  const frames = await scroll(page, { px: 400, jumpPx: 20_000 });
  const startedMs = performance.now();
  await page.locator('main input').first().fill(filter);
  await page.waitForFunction(() => Number(document.querySelector('table')?.getAttribute('aria-rowcount')) < 10);
  const filteredMs = performance.now() - startedMs;
  const heapMb = await usedHeapMb(page);
  await page.close();
  return [
    { name: `${name}-page`, value: opened.pageKb, unit: 'KB' },
    figure(`${name}-first-row-ms`, opened.firstMs, 'ms', { atMost: 1_000 }),
    figure(`${name}-all-rows-ms`, opened.allMs, 'ms', { atMost: 3_000 }),
    figure(`${name}-wheel-frame-p95-ms`, percentile(wheel, 95), 'ms', { atMost: 16.7 }),
    figure(`${name}-frame-p95-ms`, percentile(frames, 95), 'ms', { atMost: 16.7 }),
    figure(`${name}-frame-max-ms`, percentile(frames, 100), 'ms', { atMost: 50 }),
    { name: `${name}-filter-ms`, value: round(filteredMs), unit: 'ms' },
    figure(`${name}-heap-mb`, heapMb, 'MB', { atMost: 80 }),
  ];
}

/** How long each frame takes while the list scrolls this far a frame, every fiftieth time with a jump. */
function scroll(page: Page, by: { px: number; jumpPx: number }): Promise<number[]> {
  const how = { ...by, count: FRAMES };
  return page.evaluate(async ({ px, jumpPx, count }) => {
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const lengths: number[] = [];
    let last = await frame();
    for (let at = 0; at < count; at++) {
      window.scrollBy(0, at % 50 === 49 ? jumpPx : px);
      const now = await frame();
      lengths.push(now - last);
      last = now;
    }
    return lengths;
  }, how);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
