import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from '../../test/browser/looks';
import { writePond } from '../../test/operators/pond-package';
import { bravoProcess } from '../../test/programs/bravo-process';
import { type OciRegistry, startOciRegistry } from '../../test/programs/oci-registry';
import { expect, test } from './fixtures';

const USER = { name: 'anna', password: 'hidden-password' };
let registry: OciRegistry;
let folder: string;
let base: string;

/** The command line, with the credentials and keys of this file. */
const bravo = (...words: string[]) =>
  bravoProcess([...words, '--home', folder], { DOCKER_CONFIG: folder, COSIGN_PASSWORD: '' });

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bravo-repositories-'));
  registry = await startOciRegistry({ user: { ...USER, by: 'basic' } });
  base = `oci://${registry.host}/lab`;
  const auth = Buffer.from(`${USER.name}:${USER.password}`).toString('base64');
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ auths: { [registry.host]: { auth } } }));
});

test.afterAll(async () => {
  await registry.stop();
  rmSync(folder, { recursive: true, force: true });
});

const row = (page: Page, name: string) => page.locator(`tr[data-repository="${name}"]`);
const version = (page: Page, operatorVersion: string) => page.locator(`tr[data-package="lab/pond/${operatorVersion}"]`);
const checks = (page: Page) => page.getByRole('list', { name: 'Checks' });

async function publish(operatorVersion: string, ...words: string[]): Promise<void> {
  const path = join(folder, operatorVersion);
  await writePond(path, operatorVersion);
  writeFileSync(join(path, 'README.md'), '# The pond\n\nA [home](https://pond.example.org) for **fish**.\n');
  await bravo('push', path, `${base}/pond`, ...words);
}

test('without a repository the page says what one is', async ({ page }) => {
  await page.goto('/repositories');
  await expect(page.getByText('This console has no repositories')).toBeVisible();
  await expectFits(page);
});

test('a repository is tested, saved with its credentials, and its packages are found', async ({ page, request }) => {
  await bravo('package', 'keys', '--prefix', join(folder, 'own'));
  await publish('0.1.0');
  await publish('0.2.0', '--sign-key', join(folder, 'own.key'));
  await page.goto('/repositories');
  await page.getByRole('button', { name: 'Add repository' }).click();
  await page.getByRole('textbox', { name: /^Name/ }).fill('lab');
  await page.getByRole('textbox', { name: /^Address/ }).fill(base);
  await page.getByRole('button', { name: 'Test' }).click();
  await expect(checks(page)).toContainText('refuses to list its repositories. Sign in');
  await page.getByRole('textbox', { name: 'User name' }).fill(USER.name);
  await page.getByLabel('Password or token').fill(USER.password);
  await page.getByRole('button', { name: 'Test' }).click();
  await expect(checks(page)).toContainText('1 package, 2 versions.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(row(page, 'lab')).toContainText('Ready');
  await expect(row(page, 'lab')).toContainText('Not required');
  await page.getByRole('searchbox', { name: 'Search all repositories' }).fill('pon');
  await expect(version(page, '0.2.0')).toBeVisible();
  await expectFits(page);
  const listed = await (await request.get('/api/repositories')).text();
  expect(listed).toContain(base);
  expect(listed).not.toContain(USER.password);
  expect(listed).not.toContain(USER.name);
});

test('a version shows its signature, where it comes from, and what is in it', async ({ page }) => {
  await page.goto('/repositories');
  await version(page, '0.2.0')
    .getByRole('button', { name: /^Details/ })
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Not checked');
  await expect(dialog.getByRole('region', { name: 'Provenance' })).toContainText('Folder hash');
  await dialog.getByRole('region', { name: 'Contents (SBOM)' }).getByText('As the publisher wrote it').click();
  await expect(dialog.getByRole('region', { name: 'Contents (SBOM)' })).toContainText('SPDX-2.3');
  await expectAccessible(page);
});

test('with a public key only signed versions come into the catalogue, with their documentation', async ({ page }) => {
  await page.goto('/repositories');
  await page.getByRole('button', { name: 'Edit lab' }).click();
  await expect(page.getByRole('switch', { name: 'Keep the stored credentials' })).toBeChecked();
  await page.getByLabel('Public keys').fill(readFileSync(join(folder, 'own.pub'), 'utf8'));
  await page.getByRole('button', { name: 'Test' }).click();
  await expect(checks(page)).toContainText('pond is signed by key');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(row(page, 'lab')).toContainText('Required');
  await version(page, '0.1.0')
    .getByRole('button', { name: /^Details/ })
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('it is not signed, and repository lab requires a signature');
  await expect(dialog.getByRole('button', { name: 'Add to the catalogue' })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await version(page, '0.2.0')
    .getByRole('button', { name: /^Details/ })
    .click();
  await expect(dialog).toContainText('Signed by key');
  await dialog.getByRole('button', { name: 'Add to the catalogue' }).click();
  await expect(page).toHaveURL('/operators/pond/0.2.0');
  await page.getByRole('button', { name: 'Documentation' }).click();
  const article = page.getByRole('article', { name: 'Documentation' });
  await expect(article.getByRole('heading', { name: 'README' })).toBeVisible();
  await expect(article.getByRole('link', { name: 'home' })).toHaveAttribute('href', 'https://pond.example.org/');
  await expect(article).toContainText('A change starts the plan backup.');
  await expectFits(page);
});

test('a repository that does not answer says so, and is removed with its Secret', async ({ page, request }) => {
  registry.intercept = (_request, response) => {
    response.writeHead(503).end();
    return true;
  };
  await page.goto('/repositories');
  await page.getByRole('button', { name: 'Refresh lab' }).click();
  await expect(row(page, 'lab')).toContainText('answered 503. Try again later.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove lab' }).click();
  await page.getByRole('button', { name: 'Remove repository' }).click();
  await expect(page.getByText('This console has no repositories')).toBeVisible();
  const listed = await (await request.get('/api/kube/api/v1/secrets')).text();
  expect(listed).not.toContain('bravo-repository-lab');
});
