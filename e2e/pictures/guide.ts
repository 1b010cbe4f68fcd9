import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { chromiumArgs, findChromium } from '@/test/programs/chromium.mjs';
import { type ConsoleProcess, startConsoleProcess } from '@/test/programs/console-process';
import { startOidcProvider } from '@/test/programs/oidc-provider';
import { freePort } from '@/test/programs/process';
import { takePackagePictures } from './package-pictures';
import { newContext, takePicture } from './take';

/** A picture of the guide: who looks at which page, and what they do first. */
interface Picture {
  readonly file: string;
  readonly user: 'admin' | 'dev' | 'viewer';
  readonly path: string;
  /** Resolves when the page shows what the picture is about. */
  readonly prepare: (page: Page) => Promise<unknown>;
}

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, level: 1 }).waitFor();

const WORKSHOP = '/workshop?fork=hello&version=1.37.0-1.0.0';

const PICTURES: readonly Picture[] = [
  { file: 'roles', user: 'admin', path: '/roles', prepare: heading('Roles') },
  { file: 'status', user: 'admin', path: '/status', prepare: heading('Status') },
  {
    file: 'activity',
    user: 'admin',
    path: '/activity',
    prepare: (page) => page.locator('tbody tr').first().waitFor(),
  },
  {
    file: 'workshop',
    user: 'admin',
    path: WORKSHOP,
    async prepare(page) {
      await page.getByRole('treeitem', { name: /settings.yaml/ }).click();
      await page.locator('.cm-line', { hasText: 'kind: Secret' }).click();
      await page.keyboard.press('End');
      await page.keyboard.type('\n# {{ .Params.SIZE }}');
      await page.getByText('rule undefined-parameter').waitFor();
    },
  },
  {
    file: 'workshop-changes',
    user: 'admin',
    path: WORKSHOP,
    async prepare(page) {
      // The middle of a long line is not in sight.
      await page.locator('.cm-line', { hasText: 'selfHeal' }).click({ position: { x: 8, y: 8 } });
      await page.keyboard.press('End');
      await page.keyboard.type('\n# This comment is new.');
      await page.getByRole('tab', { name: 'Changes' }).click();
      await page.getByText('1 file differs.').waitFor();
    },
  },
  { file: 'clusters', user: 'admin', path: '/clusters', prepare: heading('Clusters') },
  {
    file: 'viewer',
    user: 'viewer',
    path: '/instances/demo/postgres',
    prepare: (page) => page.getByText('You may view this instance, but not change it').waitFor(),
  },
];

/** The last picture of the administrator: what comes after it would be of another user. */
const VIEW_AS: Picture = {
  file: 'view-as',
  user: 'admin',
  path: '/roles',
  async prepare(page) {
    await page.getByRole('textbox', { name: 'User', exact: true }).fill('viewer');
    await page.getByRole('button', { name: 'View as' }).click();
    await page.getByRole('region', { name: 'View as' }).waitFor();
  },
};

/** Takes the pictures of `docs/guide` into a folder: of a sandbox that people sign in to. */
export async function run(folder: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...chromiumArgs] });
  try {
    await picturesOfUsers(browser, folder);
    await pictureOfProvider(browser, folder);
    await takePackagePictures(browser, folder);
  } finally {
    await browser.close();
  }
}

async function picturesOfUsers(browser: Browser, folder: string): Promise<void> {
  const served = await startConsoleProcess({ BRAVO_AUTH: 'token', KUBECONFIG: '', BRAVO_POD_DELAY: '1' });
  const contexts = new Map<string, BrowserContext>();
  for (const { file, user, path, prepare } of [...PICTURES, VIEW_AS]) {
    const context = contexts.get(user) ?? (await signedIn(browser, served, user));
    contexts.set(user, context);
    const page = await context.newPage();
    await page.goto(served.base + path);
    await prepare(page);
    await takePicture(page, folder, file);
    await page.close();
  }
  await served.running.stop();
}

async function signedIn(browser: Browser, { base, settings }: ConsoleProcess, user: string): Promise<BrowserContext> {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(base);
  const token = readFileSync(join(settings.BRAVO_DATA ?? '', 'users', `${user}.token`), 'utf8').trim();
  await page.getByRole('textbox', { name: 'Token' }).fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: `Signed in as ${user}` }).waitFor();
  await page.close();
  return context;
}

async function pictureOfProvider(browser: Browser, folder: string): Promise<void> {
  const port = String(await freePort());
  const base = `http://127.0.0.1:${port}`;
  const provider = await startOidcProvider({ console: base });
  const served = await startConsoleProcess({
    ...{ PORT: port, KUBECONFIG: '', BRAVO_URL: base, BRAVO_AUTH: 'oidc' },
    ...{ BRAVO_OIDC_ISSUER: provider.issuer, BRAVO_OIDC_CLIENT_ID: provider.clientId },
  });
  const page = await (await newContext(browser)).newPage();
  await page.goto(`${base}/instances/demo/postgres`);
  await page.getByRole('link', { name: /^Sign in with/ }).waitFor();
  await takePicture(page, folder, 'sign-in');
  await served.running.stop();
  await provider.close();
}
