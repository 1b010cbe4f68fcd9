import { readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright';
import { SCRIPT_GOALS, scriptKb } from '@/test/browser/script-size';
import { chromiumArgs, findChromium } from '@/test/programs/chromium.mjs';
import { type ConsoleProcess, startConsoleProcess } from '@/test/programs/console-process';
import { run as runBrowsers } from './browsers';
import { seenAt, watchForProbes } from './browsers/probe-page';
import { type Figure, figure, percentile } from './figure';
import { inParallel, openList, padded, post, SEEDED, seedInstances, send, usedHeapMb } from './lists/long-list';

const OTHERS: { readonly [name: string]: string } = {
  overview: '/',
  parameters: '/instances/demo/postgres/parameters',
  operators: '/operators',
  install: '/install',
  resources: '/resources',
  pod: '/resources/core/v1/pods/demo/postgres-0',
  create: '/resources/create',
};
const PROBES = 100;
/** Created in a burst; every second one is deleted in it again. */
const BURST = 5_000;
const KEPT = ['browsers-500-p95-ms', 'browsers-500-rss-mb'];

/**
 * The console in a real browser, on the production build: milliseconds of a second start, JavaScript of pages (KB, gzip 9, of
 * the scripts that the page's HTML names), milliseconds to the first of 10,000 rows and from a write to the change on the screen, rows
 * that a burst of changes loses, memory, and what 500 browsers cost (`npm run bench -- browsers` has all figures of these).
 */
export async function run(): Promise<Figure[]> {
  const first = await startConsoleProcess();
  await first.running.stop();
  const second = await startConsoleProcess(first.settings);
  const started = figure('server-start-ms', second.startedAfterMs, 'ms', { atMost: 3_000 });
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...chromiumArgs] });
  try {
    const small = [...(await scriptSizes(second.base)), ...(await eventToPixel(second, browser))];
    const rss = { name: 'rss-all-parts-mb', value: rssMb(second.running.child.pid ?? 0), unit: 'MB' };
    const long = await longLists(browser);
    await second.running.stop();
    const crowd = (await runBrowsers()).filter(({ name }) => KEPT.includes(name));
    return [started, ...small, rss, ...long, ...crowd];
  } finally {
    await browser.close();
    await second.running.stop();
  }
}

async function scriptSizes(base: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, { path, atMost }] of Object.entries(SCRIPT_GOALS)) {
    figures.push(figure(name, await scriptKb(base, path), 'KB', { atMost }));
  }
  for (const [name, path] of Object.entries(OTHERS)) {
    figures.push({ name: `${name}-js-gzip-kb`, value: round(await scriptKb(base, path)), unit: 'KB' });
  }
  return figures;
}

/** A write through the proxy; the page records when its table shows the new row. Both use the clock of this machine. */
async function eventToPixel({ base }: ConsoleProcess, browser: Browser): Promise<Figure[]> {
  const page = await browser.newPage();
  await page.goto(`${base}/resources/core/v1/configmaps`);
  await page.getByText('kube-root-ca.crt').first().waitFor();
  await watchForProbes(page);
  const delays: number[] = [];
  for (let probe = 0; probe < PROBES; probe++) delays.push(await measure(page, base, `probe-${probe}`));
  await page.close();
  return [
    figure('event-to-pixel-p50-ms', percentile(delays, 50), 'ms', { atMost: 120 }),
    figure('event-to-pixel-p95-ms', percentile(delays, 95), 'ms', { atMost: 250 }),
  ];
}

async function measure(page: Page, base: string, name: string): Promise<number> {
  const sentMs = Date.now();
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}.x` } };
  await post(base, '/api/v1/namespaces/default/configmaps', object);
  return (await seenAt(page, name)) - sentMs;
}

/** 10,000 Instances: first rows, heap; and a burst of changes in another list. */
async function longLists(browser: Browser): Promise<Figure[]> {
  const server = await startConsoleProcess({ BRAVO_CONTROLLER: 'off' });
  try {
    await seedInstances(server.base);
    // Once before: users rarely meet the first list of a fresh server.
    const warm = await browser.newPage();
    await openList(warm, server.base, '/instances', SEEDED);
    await warm.close();
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const { firstMs } = await openList(page, server.base, '/instances', SEEDED);
    const heapMb = await usedHeapMb(page);
    await page.close();
    return [
      figure('first-rows-ms', firstMs, 'ms', { atMost: 1_000 }),
      figure('heap-mb', heapMb, 'MB', { atMost: 80 }),
      ...(await burst(browser, server.base)),
    ];
  } finally {
    await server.running.stop();
  }
}

/** Changes objects as fast as the API server takes them while a page lists them: rows that differ from a fresh list in the end. */
async function burst(browser: Browser, base: string): Promise<Figure[]> {
  const path = '/api/v1/namespaces/many/configmaps';
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${base}/resources/core/v1/configmaps`);
  await page.locator('[data-connection="live"]').waitFor();
  const startedMs = performance.now();
  await inParallel(BURST, async (at) => {
    const name = `burst-${padded(at)}`;
    await post(base, path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    if (at % 2 === 1) await send(base, `${path}/${name}`, 'DELETE');
  });
  const seconds = (performance.now() - startedMs) / 1_000;
  const listed = (await (await fetch(`${base}/api/kube/api/v1/configmaps`)).json()) as { items: unknown[] };
  // A row count has one row of headings.
  const shows = (wanted: number) =>
    Number(document.querySelector('table')?.getAttribute('aria-rowcount')) - 1 === wanted;
  const lost = await page.waitForFunction(shows, listed.items.length, { timeout: 10_000 }).then(
    () => 0,
    () => rowsMissing(page, listed.items.length),
  );
  await page.close();
  return [
    { name: 'burst-5000-lost', value: lost, unit: 'rows', goal: '≤ 0' },
    { name: 'burst-5000-s', value: round(seconds), unit: 's' },
  ];
}

async function rowsMissing(page: Page, wanted: number): Promise<number> {
  const shown = await page.locator('table').first().getAttribute('aria-rowcount');
  return Math.abs(wanted - Number(shown) + 1);
}

function rssMb(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(match?.[1] ?? 0) / 1_024);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
