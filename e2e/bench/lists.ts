import { type Browser, chromium, type Page } from 'playwright';
import { chromiumArgs, findChromium } from '@/test/programs/chromium.mjs';
import { startConsoleProcess } from '@/test/programs/console-process';
import { type Figure, figure, percentile } from './figure';
import { writeToPixel } from './lists/write-to-pixel';

const CONFIG_MAPS = 10_000;
const INSTANCES = 10_000;
const PARALLEL = 16;
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
    await seed(server.base);
    const maps = { name: 'configmaps', path: '/resources/core/v1/configmaps', all: CONFIG_MAPS, filter: 'cm-09999' };
    const instances = { name: 'instances', path: '/instances', all: INSTANCES, filter: 'in-00999' };
    const figures = [
      ...(await measure(browser, server.base, maps)),
      ...(await measure(browser, server.base, instances)),
    ];
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await open(page, server.base, '/instances?sort=name', INSTANCES);
    const others = Array.from({ length: 500 }, (_, at) => `in-${padded(at + 1)}`);
    const place = { namespace: 'many', probed: 'in-00000', others };
    return [...figures, ...(await writeToPixel(page, server.base, place))];
  } finally {
    await browser.close();
    await server.running.stop();
  }
}

async function seed(base: string): Promise<void> {
  await post(base, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'many' } });
  await inParallel(CONFIG_MAPS, (at) =>
    post(base, '/api/v1/namespaces/many/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `cm-${padded(at)}` },
      data: { key: `value ${at}`, text: 'x'.repeat(300) },
    }),
  );
  await inParallel(INSTANCES, (at) =>
    post(base, '/apis/kudo.dev/v1beta1/namespaces/many/instances', {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name: `in-${padded(at)}`, labels: { 'kudo.dev/operator': 'hello' } },
      spec: { operatorVersion: { name: 'hello-1.37.0-1.0.0', namespace: 'demo' } },
    }),
  );
}

interface Measured {
  readonly name: string;
  readonly path: string;
  readonly all: number;
  readonly filter: string;
}

async function measure(browser: Browser, base: string, { name, path, all, filter }: Measured): Promise<Figure[]> {
  // Once before: users rarely meet the first list of a fresh server.
  await open(await browser.newPage(), base, path, all);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const opened = await open(page, base, path, all);
  const wheel = await scroll(page, { px: 100, jumpPx: 100 });
  const frames = await scroll(page, { px: 400, jumpPx: 20_000 });
  const startedMs = performance.now();
  await page.locator('main input').first().fill(filter);
  await page.waitForFunction(() => Number(document.querySelector('table')?.getAttribute('aria-rowcount')) < 10);
  const filteredMs = performance.now() - startedMs;
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await page.close();
  return [
    { name: `${name}-page`, value: opened.pageKb, unit: 'KB' },
    figure(`${name}-first-row-ms`, opened.firstMs, 'ms', { atMost: 1_000 }),
    figure(`${name}-all-rows-ms`, opened.allMs, 'ms', { atMost: 3_000 }),
    figure(`${name}-wheel-frame-p95-ms`, percentile(wheel, 95), 'ms', { atMost: 16.7 }),
    figure(`${name}-frame-p95-ms`, percentile(frames, 95), 'ms', { atMost: 16.7 }),
    figure(`${name}-frame-max-ms`, percentile(frames, 100), 'ms', { atMost: 50 }),
    { name: `${name}-filter-ms`, value: round(filteredMs), unit: 'ms' },
    figure(`${name}-heap-mb`, usedSize / 1e6, 'MB', { atMost: 80 }),
  ];
}

async function open(page: Page, base: string, path: string, all: number) {
  const startedMs = performance.now();
  const response = await page.goto(base + path, { waitUntil: 'commit' });
  await page.locator('tbody a').first().waitFor();
  const firstMs = round(performance.now() - startedMs);
  await page.waitForFunction(
    (wanted) => Number(document.querySelector('table')?.getAttribute('aria-rowcount')) > wanted,
    all,
  );
  const allMs = round(performance.now() - startedMs);
  return { firstMs, allMs, pageKb: round(((await response?.body())?.length ?? 0) / 1_024) };
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

async function post(base: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${base}/api/kube${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
}

async function inParallel(count: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

function padded(at: number): string {
  return String(at).padStart(5, '0');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
