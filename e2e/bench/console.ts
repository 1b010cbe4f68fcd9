import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { chromium, type Page } from 'playwright';
import { chromiumArgs, findChromium } from '@/test/programs/chromium.mjs';
import { type ConsoleProcess, startConsoleProcess } from '@/test/programs/console-process';
import { seenAt, watchForProbes } from './browsers/probe-page';
import { type Figure, percentile } from './figure';

const ROUTES: { readonly [name: string]: string } = {
  overview: '/',
  instances: '/instances',
  instance: '/instances/demo/postgres',
  parameters: '/instances/demo/postgres/parameters',
  operators: '/operators',
  install: '/install',
  resources: '/resources',
};
const PROBES = 100;

/**
 * The console in a real browser, on the production build: seconds of a second start, JavaScript of each route (KB, gzip 9, of
 * the scripts that the page's HTML names), milliseconds from sending a write to the change on the screen, and memory.
 */
export async function run(): Promise<Figure[]> {
  const first = await startConsoleProcess();
  await first.running.stop();
  const second = await startConsoleProcess(first.settings);
  try {
    return [
      { name: 'start-second-s', value: round(second.startedAfterMs / 1_000), unit: 's' },
      ...(await scriptSizes(second.base)),
      ...(await eventToPixel(second)),
      { name: 'rss-all-parts-mb', value: rssMb(second.running.child.pid ?? 0), unit: 'MB' },
    ];
  } finally {
    await second.running.stop();
  }
}

async function scriptSizes(base: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, path] of Object.entries(ROUTES)) {
    const html = await (await fetch(base + path)).text();
    const scripts = new Set(
      [...html.matchAll(/<script(?![^>]*noModule)[^>]*\ssrc="([^"]+)"/gi)].map((match) => match[1] ?? ''),
    );
    let bytes = 0;
    for (const script of scripts) {
      bytes += gzipSync(Buffer.from(await (await fetch(base + script)).arrayBuffer()), { level: 9 }).length;
    }
    figures.push({ name: `first-load-js-${name}`, value: round(bytes / 1_024), unit: 'KB' });
  }
  return figures;
}

/** A write through the proxy; the page records when its table shows the new row. Both use the clock of this machine. */
async function eventToPixel({ base }: ConsoleProcess): Promise<Figure[]> {
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...chromiumArgs] });
  const page = await browser.newPage();
  await page.goto(`${base}/resources/core/v1/configmaps`);
  await page.getByText('kube-root-ca.crt').first().waitFor();
  await watchForProbes(page);
  const delays: number[] = [];
  for (let probe = 0; probe < PROBES; probe++) delays.push(await measure(page, base, `probe-${probe}`));
  await browser.close();
  return [
    { name: 'event-to-pixel-p50-ms', value: percentile(delays, 50), unit: 'ms' },
    { name: 'event-to-pixel-p95-ms', value: percentile(delays, 95), unit: 'ms' },
  ];
}

async function measure(page: Page, base: string, name: string): Promise<number> {
  const sentMs = Date.now();
  const answer = await fetch(`${base}/api/kube/api/v1/namespaces/default/configmaps`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}.x` } }),
  });
  if (!answer.ok) throw new Error(`The write was answered ${answer.status}: ${await answer.text()}`);
  return (await seenAt(page, name)) - sentMs;
}

function rssMb(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(match?.[1] ?? 0) / 1_024);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
