import type { Page } from 'playwright';

/** Objects of each kind that is seeded. */
export const SEEDED = 10_000;
const PARALLEL = 16;

/** Makes the namespace `many`, if it does not exist, and 10,000 ConfigMaps in it. */
export async function seedConfigMaps(base: string): Promise<void> {
  await makeNamespace(base);
  await inParallel(SEEDED, (at) =>
    post(base, '/api/v1/namespaces/many/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `cm-${padded(at)}` },
      data: { key: `value ${at}`, text: 'x'.repeat(300) },
    }),
  );
}

/** Makes the namespace `many`, if it does not exist, and 10,000 Instances in it, which no controller sees. */
export async function seedInstances(base: string): Promise<void> {
  await makeNamespace(base);
  await inParallel(SEEDED, (at) =>
    post(base, '/apis/kudo.dev/v1beta1/namespaces/many/instances', {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name: `in-${padded(at)}`, labels: { 'kudo.dev/operator': 'hello' } },
      spec: { operatorVersion: { name: 'hello-1.37.0-1.0.0', namespace: 'demo' } },
    }),
  );
}

async function makeNamespace(base: string): Promise<void> {
  const found = await fetch(`${base}/api/kube/api/v1/namespaces/many`);
  if (found.ok) return;
  await post(base, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'many' } });
}

/** Goes to a list: milliseconds to its first row and to all rows, and the KB of the page. */
export async function openList(page: Page, base: string, path: string, all: number) {
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

/** The heap of a page after a garbage collection, in MB. */
export async function usedHeapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

/** Creates an object through the console's proxy. @throws when it is refused */
export async function post(base: string, path: string, body: object): Promise<void> {
  await send(base, path, 'POST', body);
}

/** Sends a write through the console's proxy. @throws when it is refused */
export async function send(base: string, path: string, method: 'POST' | 'DELETE', body?: object): Promise<void> {
  const answer = await fetch(`${base}/api/kube${path}`, {
    method,
    headers: { 'content-type': 'application/json', origin: base },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** Does a work for each number below `count`, sixteen at once. */
export async function inParallel(count: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

/** Five digits, so that names are sorted as numbers are. */
export function padded(at: number): string {
  return String(at).padStart(5, '0');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
