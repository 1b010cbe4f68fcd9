import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { startConsoleProcess } from '@/test/programs/console-process';
import { startOciRegistry } from '@/test/programs/oci-registry';
import { projectRoot, temporaryFolder } from '@/test/programs/process';
import { takeConsolePictures } from './console-pictures';
import { takeObjectPictures } from './object-pictures';
import { newContext, takePicture } from './take';
import { takeTerminal } from './terminal';

type Bravo = (...words: string[]) => Promise<string>;

/** What the pictures are made of: a console, its command line, and a folder for files. */
interface Scene {
  readonly page: Page;
  readonly base: string;
  readonly folder: string;
  readonly images: string;
  readonly bravo: Bravo;
}

/** Takes the pictures of the pages about packages, of a sandbox with two caches of an old version and a registry. */
export async function takePackagePictures(browser: Browser, images: string): Promise<void> {
  const registry = await startOciRegistry();
  const served = await startConsoleProcess({ KUBECONFIG: '', BRAVO_POD_DELAY: '1' });
  const page = await (await newContext(browser)).newPage();
  const folder = temporaryFolder('pictures');
  const kubeconfig = join(served.settings.BRAVO_DATA ?? '', 'kubeconfig');
  const scene = { page, base: served.base, folder, images, bravo: commandLine(folder, kubeconfig) };
  try {
    await repositories(scene, `oci://${registry.host}/lab`);
    await upgrades(scene);
    await ownKind(scene);
    await usage(scene);
    await takeObjectPictures(page, served.base, images);
    await takeConsolePictures(page, served.base, images);
    await commands(scene);
  } finally {
    await served.running.stop();
    await registry.stop();
  }
}

/** Gives what a command printed, also when it fails: a failed test is a picture. */
function commandLine(folder: string, kubeconfig: string): Bravo {
  const env = { ...process.env, KUBECONFIG: kubeconfig, COSIGN_PASSWORD: '', DOCKER_CONFIG: folder };
  const program = join(projectRoot, 'bin/bravo');
  return (...words) =>
    new Promise((resolve) => {
      execFile(process.execPath, [program, ...words, '--home', folder], { env, cwd: folder }, (_error, out, err) =>
        resolve(out + err),
      );
    });
}

async function repositories({ page, base, folder, images, bravo }: Scene, registry: string): Promise<void> {
  await bravo('package', 'keys');
  for (const version of ['1.0.0', '1.1.0']) {
    const path = join(projectRoot, 'operators/valkey', version);
    await bravo('push', path, `${registry}/valkey`, '--sign-key', join(folder, 'cosign.key'));
  }
  await page.goto(`${base}/repositories`);
  await page.getByRole('button', { name: 'Add repository' }).click();
  await page.getByRole('textbox', { name: /^Name/ }).fill('lab');
  await page.getByRole('textbox', { name: /^Address/ }).fill(registry);
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByRole('list', { name: 'Checks' }).getByText('1 package, 2 versions.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('searchbox', { name: 'Search all repositories' }).fill('valkey');
  await page.locator('tr[data-package]').first().waitFor();
  await takePicture(page, images, 'repositories');
  await page
    .locator('tr[data-package]')
    .first()
    .getByRole('button', { name: /^Details/ })
    .click();
  await page.getByRole('dialog').getByRole('region', { name: 'Provenance' }).waitFor();
  await takePicture(page, images, 'package-evidence');
}

async function upgrades({ page, base, images, bravo }: Scene): Promise<void> {
  for (const name of ['sessions', 'queue']) {
    await bravo('install', 'valkey', '--operator-version', '1.0.0', '--instance', name, '-n', 'demo', '--wait');
  }
  await bravo('install', 'valkey', '--operator-version', '1.1.0', '-n', 'demo', '--skip-instance');
  await page.goto(`${base}/operators/valkey/upgrade?namespace=demo`);
  await page.getByRole('region', { name: /^Upgrade of/ }).waitFor();
  await page.locator('[data-check="path"][data-state="ok"]').first().waitFor();
  await takePicture(page, images, 'upgrade-plan');
}

async function ownKind({ page, base, images, bravo }: Scene): Promise<void> {
  await bravo('install', 'etcd', '-n', 'demo', '--skip-instance');
  const path = '/apis/etcd.database.coreos.com/v1beta2/namespaces/demo/etcdclusters';
  await page.request.post(`${base}/api/kube${path}`, {
    headers: { origin: base },
    data: {
      apiVersion: 'etcd.database.coreos.com/v1beta2',
      kind: 'EtcdCluster',
      metadata: { name: 'orders' },
      spec: { size: 3, version: '3.5.21' },
    },
  });
  await page.goto(`${base}/resources/etcd.database.coreos.com/v1beta2/etcdclusters/demo/orders/form`);
  await page.locator('[data-parameter="size"]').waitFor();
  await takePicture(page, images, 'own-kind');
}

async function usage({ page, base, images }: Scene): Promise<void> {
  await page.goto(`${base}/usage`);
  await page.getByRole('table', { name: 'Usage' }).getByRole('row').nth(2).waitFor();
  await takePicture(page, images, 'usage');
}

/** What commands print, as in a terminal. */
async function commands({ page, folder, images, bravo }: Scene): Promise<void> {
  const chart = join(projectRoot, 'test/charts/web');
  const converted = await bravo('package', 'from-chart', chart, '-o', 'web-operator');
  await takeTerminal(page, images, 'from-chart', [['bravo package from-chart ./web -o web-operator', converted]]);
  const suite = join(folder, 'tests/size');
  mkdirSync(suite, { recursive: true });
  writeFileSync(join(suite, '00-install.yaml'), INSTALL);
  writeFileSync(join(suite, '00-assert.yaml'), ASSERT);
  const tested = await bravo('test', '--sandbox', 'tests');
  await takeTerminal(page, images, 'testing', [['bravo test --sandbox tests', tested]]);
  await bravo('diagnostics', 'collect', '--instance', 'sessions', '-n', 'demo', '--archive', 'sessions.tgz');
  const shown = await bravo('diagnostics', 'show', 'sessions.tgz', '--events', '5');
  await takeTerminal(page, images, 'diagnostics', [['bravo diagnostics show sessions.tgz --events 5', shown]]);
}

const INSTALL = `apiVersion: kuttl.dev/v1beta1
kind: TestStep
commands:
  - command: kubectl kudo install hello --instance web --wait
    namespaced: true
`;

/** Wrong on purpose: what a failed assert says is the picture. */
const ASSERT = `apiVersion: kuttl.dev/v1beta1
kind: TestAssert
timeout: 10
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
`;
