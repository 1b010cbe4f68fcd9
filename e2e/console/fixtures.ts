import { setTimeout as delay } from 'node:timers/promises';
import { type APIRequestContext, test as base, expect, type Page } from '@playwright/test';
import { watchComplaints } from '../../test/browser/complaints';

/** A page on which every warning, error and uncaught exception of the browser is a failure of the test. */
export const test = base.extend<{ quietPage: undefined }>({
  quietPage: [
    async ({ page }, use) => {
      const complaints = watchComplaints(page);
      await slowDown(page);
      await delayScripts(page);
      await use(undefined);
      expect(complaints, 'messages of the browser').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** How many times slower than this machine's the processor of each page is, from the environment: it finds what works by luck on a fast one. */
const SLOWER = Number(process.env.BRAVO_E2E_SLOWER ?? 1);

async function slowDown(page: Page): Promise<void> {
  if (SLOWER === 1) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
}

/** How many milliseconds each script of a page comes late, from the environment: it finds what a test does before the page listens. */
const LATE_MS = Number(process.env.BRAVO_E2E_LATE_SCRIPTS_MS ?? 0);

async function delayScripts(page: Page): Promise<void> {
  if (LATE_MS === 0) return;
  await page.route('**/_next/**/*.js', async (route) => {
    await delay(LATE_MS);
    await route.fallback();
  });
}

/** Opens the palette by its shortcut, once the page listens to it. */
export async function openPalette(page: Page): Promise<void> {
  await page.waitForFunction(() => window.bravoEarly === undefined);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: /^Find a page/ })).toBeFocused();
}

/** The parts of an object that the tests read. */
export interface AnyObject {
  metadata: {
    name: string;
    uid: string;
    labels?: { [name: string]: string };
    annotations?: { [name: string]: string };
  };
  spec?: { replicas?: number; parameters?: { [name: string]: string } };
  status?: { planStatus?: { [plan: string]: { status?: string; uid?: string } }; succeeded?: number };
  data?: { [name: string]: string };
}

/** Reads through the console's proxy of the Kubernetes API; undefined for 404. */
export async function fetchObject(request: APIRequestContext, path: string): Promise<AnyObject | undefined> {
  const response = await request.get(`/api/kube${path}`);
  if (response.status() === 404) return undefined;
  expect(response.ok(), `${path} answers ${response.status()}`).toBe(true);
  return (await response.json()) as AnyObject;
}

/** Creates an object of kudo.dev in the collection of that path, through the console's proxy of the Kubernetes API. */
export async function createObject(request: APIRequestContext, path: string, object: object): Promise<void> {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const response = await request.post(`/api/kube${path}`, {
    headers: { origin },
    data: { apiVersion: 'kudo.dev/v1beta1', ...object },
  });
  expect(response.ok(), await response.text()).toBe(true);
}

/** Writes the status of the object of that path, as its controller does. */
export async function writeStatus(request: APIRequestContext, path: string, status: object): Promise<void> {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const headers = { origin, 'content-type': 'application/merge-patch+json' };
  const response = await request.patch(`/api/kube${path}/status`, { headers, data: { status } });
  expect(response.ok(), await response.text()).toBe(true);
}

/** The path of an Instance in the Kubernetes API. */
export const instanceKubePath = (namespace: string, name: string) =>
  `/apis/kudo.dev/v1beta1/namespaces/${namespace}/instances/${name}`;

/** Waits until a plan of an Instance is COMPLETE in the Kubernetes API; the uid of that execution. */
export async function planCompleted(
  request: APIRequestContext,
  instance: { namespace: string; name: string },
  plan: string,
  notUid?: string,
): Promise<string> {
  let uid = '';
  await expect
    .poll(
      async () => {
        const object = await fetchObject(request, instanceKubePath(instance.namespace, instance.name));
        const status = object?.status?.planStatus?.[plan];
        uid = status?.uid ?? '';
        return uid !== notUid ? status?.status : `still ${notUid}`;
      },
      { timeout: 90_000, intervals: [100, 250], message: `plan ${plan} of ${instance.name}` },
    )
    .toBe('COMPLETE');
  return uid;
}
