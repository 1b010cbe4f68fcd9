import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import type { Api } from '@/server/kube/api';
import { chromiumArgs, findChromium } from '@/test/programs/chromium.mjs';
import { freePort, type Running, startNode, temporaryFolder } from '@/test/programs/process';
import { createInstance, fillCluster, INSTANCES } from './browsers/cluster';
import { Listener, listenerAgent } from './browsers/listener';
import { headersOf, PEOPLE, type Person } from './browsers/persons';
import { seenAt, watchForProbes } from './browsers/probe-page';
import { type Figure, figure, percentile } from './figure';
import { cpuMs, rssMb, startProcesses } from './reconcile/processes';

const BROWSERS = 500;
const PROBES = 100;
/** A change every so many milliseconds, twice per probe: it is created and deleted. */
const EVERY_MS = 250;

/**
 * 500 open pages *Instances* of 50 persons on one console in front of a cluster of its own: one is a real Chromium, the others keep the
 * event streams that it keeps. Milliseconds from a write to the changed screen and to the changed stream, the processor time and the
 * memory of the console's process.
 */
export async function run(): Promise<Figure[]> {
  const cluster = await startProcesses();
  await cluster.killController();
  await fillCluster(cluster.api, PEOPLE);
  const served = await startConsole(cluster.kubeconfig);
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...chromiumArgs] });
  try {
    return await measure(cluster.api, browser, served);
  } finally {
    await browser.close();
    await served.running.stop();
    await cluster.stop();
  }
}

interface Served {
  readonly base: string;
  readonly secret: string;
  readonly running: Running;
}

async function startConsole(kubeconfig: string): Promise<Served> {
  const folder = temporaryFolder('browsers');
  const secret = randomBytes(24).toString('hex');
  writeFileSync(join(folder, 'secret'), secret);
  const port = String(await freePort());
  const base = `http://127.0.0.1:${port}`;
  const running = startNode(['bin/bravo', 'console'], {
    ...{ KUBECONFIG: kubeconfig, PORT: port, BRAVO_DATA: folder, BRAVO_URL: base, BRAVO_CONTROLLER: 'off' },
    ...{ BRAVO_AUTH: 'proxy', BRAVO_PROXY_ADDRESSES: '127.0.0.1', BRAVO_PROXY_SECRET_FILE: join(folder, 'secret') },
  });
  await running.printed('Bravo is ready', 180_000);
  return { base, secret, running };
}

async function measure(api: Api, browser: Browser, { base, secret, running }: Served): Promise<Figure[]> {
  const person = PEOPLE[1] as Person;
  const page = await browser.newPage({ extraHTTPHeaders: headersOf(person, secret), baseURL: base });
  const { stream } = await openPage(page);
  const agent = listenerAgent();
  const listeners = Array.from({ length: BROWSERS - 1 }, (_, at) => new Listener(PEOPLE[at % PEOPLE.length] as Person));
  const openedMs = performance.now();
  for (const listener of listeners) await listener.open(stream, secret, agent);
  const allOpenMs = performance.now() - openedMs;
  const { pid } = running.child;
  const [startMs, startCpuMs] = [performance.now(), cpuMs(pid)];
  const { pixels, writes } = await probe(api, page, person.namespaces[0] ?? '');
  const cores = (cpuMs(pid) - startCpuMs) / (performance.now() - startMs);
  const reached = listeners.filter((each) => each.person.namespaces.includes(person.namespaces[0] ?? ''));
  const delays = reached.flatMap(({ arrivals }) =>
    [...writes].map(([name, at]) => (arrivals.get(name) ?? Number.NaN) - at),
  );
  const missed = delays.filter(Number.isNaN).length;
  const strangers = listeners.filter((each) => !reached.includes(each) && each.arrivals.size > 0).length;
  for (const listener of listeners) listener.close();
  agent.destroy();
  const arrived = delays.filter((delay) => !Number.isNaN(delay));
  return [
    { name: 'browsers-500-open-s', value: Math.round(allOpenMs / 100) / 10, unit: 's' },
    figure('browsers-500-p50-ms', percentile(pixels, 50), 'ms', { atMost: 250 }),
    figure('browsers-500-p95-ms', percentile(pixels, 95), 'ms', { atMost: 250 }),
    figure('browsers-500-stream-p95-ms', percentile(arrived, 95), 'ms', { atMost: 250 }),
    { name: 'browsers-500-missed', value: missed, unit: 'of all deliveries' },
    { name: 'browsers-500-strangers', value: strangers, unit: 'streams' },
    figure('browsers-500-cores', cores, 'cores', { atMost: 1 }),
    figure('browsers-500-rss-mb', rssMb(pid), 'MB', { atMost: 400 }),
  ];
}

/** Opens the list, and says which event stream it keeps. */
async function openPage(page: Page): Promise<{ readonly stream: string }> {
  const stream = page.waitForRequest((request) => request.url().includes('/api/live'));
  await page.goto('/instances');
  await page.locator('tbody a').first().waitFor();
  await watchForProbes(page);
  // Cursors belong to the person who got them.
  return { stream: (await stream).url().replaceAll(/~[^&]*/g, '') };
}

async function probe(api: Api, page: Page, namespace: string) {
  const pixels: number[] = [];
  const writes = new Map<string, number>();
  for (let at = 0; at < PROBES; at++) {
    const name = `probe-${at}`;
    const sentMs = Date.now();
    writes.set(name, sentMs);
    await createInstance(api, namespace, name);
    pixels.push((await seenAt(page, name)) - sentMs);
    await pause(EVERY_MS);
    await api.delete({ ...INSTANCES, namespace, name });
    await pause(EVERY_MS);
  }
  return { pixels, writes };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
