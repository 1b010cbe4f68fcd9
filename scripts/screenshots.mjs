// npm run screenshots [-- FOLDER]: pictures of every page, light and dark, 1440 and 390 px wide, of a fresh sandbox.
// npm run screenshots -- --sheets: the same as one sheet for each page, into docs/guide/images/pages.
// npm run screenshots -- --guide: the other pictures of docs/guide instead, into docs/guide/images.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkNode, ensureInstalled, fail, say } from './prepare.mjs';
import { writeSheets } from './screenshot-sheets.mjs';
import { root } from './tree.mjs';

checkNode();
ensureInstalled();
const { ensureChromium, chromiumArgs } = await import('../test/programs/chromium.mjs');
const chromium = ensureChromium();
if (chromium.problem !== undefined) fail(chromium.problem);

if (process.argv[2] === '--guide') {
  const { bundleScript } = await import('./bundle-script.mjs');
  const { run } = await import(pathToFileURL(await bundleScript('e2e/pictures/guide.ts')).href);
  const images = join(root, 'docs/guide/images');
  await run(images);
  say(`Pictures are in ${images}.`);
  process.exit(0);
}

const isSheets = process.argv[2] === '--sheets';
const folder = resolve((isSheets ? undefined : process.argv[2]) ?? join(root, 'tmp/screenshots'));
const port = Number(process.env.PORT ?? 3119);
const dataDir = mkdtempSync(join(tmpdir(), 'bravo-screenshots-'));
const base = `http://127.0.0.1:${port}`;

/** Pages by the name of their picture. */
const PAGES = {
  overview: '/',
  instances: '/instances',
  instance: '/instances/demo/postgres',
  parameters: '/instances/demo/postgres/parameters',
  plans: '/instances/demo/postgres/plans',
  backups: '/instances/demo/postgres/backups',
  run: '/instances/demo/postgres/runs/postgres-deploy-1',
  compare: '/instances/demo/postgres/runs/compare',
  runs: '/runs',
  schedules: '/schedules',
  'instance-resources': '/instances/demo/postgres/resources',
  logs: '/instances/demo/postgres/logs',
  events: '/instances/demo/postgres/events',
  yaml: '/instances/demo/postgres/yaml',
  operators: '/operators',
  operator: '/operators/postgres/16.9-1.1.0',
  upgrade: '/operators/postgres/upgrade',
  install: '/install',
  workshop: '/workshop?fork=hello&version=1.37.0-1.0.0',
  resources: '/resources',
  pods: '/resources/core/v1/pods',
  pod: '/resources/core/v1/pods/demo/postgres-0',
  terminal: '/resources/core/v1/pods/demo/postgres-0/terminal',
  definition: '/resources/apiextensions.k8s.io/v1/customresourcedefinitions/_/instances.kudo.dev',
  fields: '/resources/apps/v1/deployments/explain',
  create: '/resources/create?group=apps&version=v1&plural=deployments&namespace=demo',
  object: '/resources/apps/v1/statefulsets/demo/postgres',
  clusters: '/clusters',
  repositories: '/repositories',
  'all-clusters': '/instances?clusters=all',
  activity: '/activity',
  usage: '/usage',
  roles: '/roles',
  status: '/status',
  settings: '/settings',
  help: '/help',
  guide: '/help/runs',
  missing: '/instances/demo/no-such-instance',
};
const WIDTHS = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };

const server = spawn(process.execPath, ['scripts/start.mjs'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    ...process.env,
    PORT: String(port),
    BRAVO_SANDBOX_PORT: String(port + 3400),
    BRAVO_METRICS_PORT: 'off',
    BRAVO_DATA: dataDir,
    BRAVO_POD_DELAY: '1',
    KUBECONFIG: '',
  },
});
try {
  await ready(server);
  await take();
  say(`Pictures are in ${folder}.`);
} finally {
  server.kill('SIGTERM');
  await new Promise((done) => server.once('exit', done));
  rmSync(dataDir, { recursive: true, force: true });
}

function ready(child) {
  return new Promise((done, reject) => {
    child.stdout.on('data', (text) => String(text).includes('Bravo is ready') && done());
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
  });
}

async function take() {
  const { chromium: browserType } = await import('playwright');
  mkdirSync(folder, { recursive: true });
  const browser = await browserType.launch({ executablePath: chromium.path, args: [...chromiumArgs] });
  await settle();
  const only = process.env.ONLY?.split(',');
  for (const colorScheme of ['light', 'dark']) {
    for (const [width, viewport] of Object.entries(WIDTHS)) {
      const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: 1 });
      for (const [name, path] of Object.entries(PAGES)) {
        if (only !== undefined && !only.includes(name)) continue;
        const page = await context.newPage();
        page.on(
          'console',
          (message) => ['error', 'warning'].includes(message.type()) && say(`${path}: ${message.text()}`),
        );
        await page.goto(base + path, { waitUntil: 'load' });
        await page
          .getByRole('heading', { level: 1 })
          .first()
          .waitFor({ timeout: 10_000 })
          .catch(() => say(`${path} has no heading.`));
        await page
          .waitForFunction(isWhole, undefined, { timeout: 20_000 })
          .catch(() => say(`${path} is not whole after 20 seconds.`));
        await page.waitForTimeout(600);
        await page.screenshot({ path: join(folder, `${name}.${colorScheme}.${width}.png`) });
        await page.close();
      }
      await context.close();
    }
  }
  if (isSheets) {
    const into = join(root, 'docs/guide/images/pages');
    await writeSheets(browser, { folder, into, names: Object.keys(PAGES) });
    say(`Sheets are in ${into}.`);
  }
  await browser.close();
}

/** Runs in the page: it is live, and no part of it is still loading. */
function isWhole() {
  return (
    document.querySelector('.animate-breathe') === null &&
    document.querySelector('[data-connection]:not([data-connection="live"])') === null
  );
}

/** Waits until the three instances of the sandbox have ended their deploy plans. */
async function settle() {
  for (let round = 0; round < 60; round++) {
    const response = await fetch(`${base}/api/kube/apis/kudo.dev/v1beta1/namespaces/demo/instances`);
    const { items = [] } = await response.json();
    if (items.length >= 3 && items.every((item) => item.status?.planStatus?.deploy?.status === 'COMPLETE')) return;
    await new Promise((done) => setTimeout(done, 1_000));
  }
  say('The instances of the sandbox did not all end their deploy plans within a minute.');
}
