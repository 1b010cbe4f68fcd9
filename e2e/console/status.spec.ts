import { test as base } from '@playwright/test';
import { expectFits } from '../../test/browser/looks';
import { expect, openPalette, planCompleted, test } from './fixtures';

test.beforeAll(async ({ request }) => {
  await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'deploy');
});

test('says where the controller is, what is watched, and which versions run', async ({ page }) => {
  await page.goto('/status');
  const controller = page.getByRole('region', { name: 'Controller', exact: true });
  await expect(controller).toContainText('Runs here');
  await expect(controller).toContainText('runs in this process and leads');
  await expect(page.getByRole('region', { name: 'Leases' })).toContainText('bravo-controller');
  await expect(page.getByRole('region', { name: 'API server' })).toContainText('the embedded sandbox');
  await expect(page.getByRole('region', { name: 'API server' })).toContainText('Answers');
  const copies = page.getByRole('table', { name: 'Copies of the controller' });
  await expect(copies.getByRole('row').filter({ hasText: /^instances/ })).toContainText('Current');
});

test('is found by the palette', async ({ page }) => {
  await page.goto('/');
  await openPalette(page);
  await page.keyboard.type('support');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Status' })).toBeVisible();
});

test('copies the status as text without values', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/status');
  await page.getByRole('button', { name: 'Copy for support' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toMatch(/^Bravo \d+\.\d+\.\d+, /);
  expect(text).toContain('Controller: runs in this process and leads (here: running)');
  expect(text).toContain('Copy of instances: ');
  const server = await page.getByRole('region', { name: 'API server' }).locator('code').innerText();
  expect(server).toMatch(/^https:/);
  expect(text).not.toContain(server);
  expect(text).not.toMatch(/token|password/i);
});

base('shows a controller that runs elsewhere, and one that runs nowhere', async ({ page, request }) => {
  const status = await (await request.get('/api/status')).json();
  let holder = 'other-host/1/2';
  await page.route('**/api/status', (route) => {
    const leases = status.leases.map((lease: object) => ({ ...lease, holder }));
    return route.fulfill({ json: { ...status, controller: { state: 'off' }, leases } });
  });
  await page.goto('/status');
  const controller = page.getByRole('region', { name: 'Controller', exact: true });
  await expect(controller).toContainText('Runs elsewhere');
  await expect(page.getByRole('region', { name: 'Leases' })).toContainText('other-host/1/2');
  holder = '';
  await expect(controller).toContainText('No leader');
  await expectFits(page);
});

base('says until when the certificate of the console is valid, and what to do about it', async ({ page, request }) => {
  const status = await (await request.get('/api/status')).json();
  const problem = 'The key of /etc/bravo/tls/tls.key is not that of the certificate of /etc/bravo/tls/tls.crt.';
  const certificate = { certFile: '/etc/bravo/tls/tls.crt', keyFile: '/etc/bravo/tls/tls.key', problem };
  await page.route('**/api/status', (route) => {
    const endsMs = status.atMs + 9 * 86_400_000;
    return route.fulfill({
      json: { ...status, console: { ...status.console, certificate: { ...certificate, endsMs } } },
    });
  });
  await page.goto('/status');
  const own = page.getByRole('region', { name: 'This console' });
  await expect(own).toContainText(problem);
  await expect(own).toContainText('The certificate ends in 9 d.');
  await expectFits(page);
});

base('says when the console does not answer, and keeps what was known', async ({ page }) => {
  await page.goto('/status');
  await expect(page.getByText('Runs here')).toBeVisible();
  await page.route('**/api/status', (route) => route.abort());
  await expect(page.getByText('The console does not answer')).toBeVisible();
  await expect(page.getByText('Runs here')).toBeVisible();
  await expectFits(page);
});

base('says that a person may not see it, and who may', async ({ page }) => {
  const message = 'You may not see the status: it is for people who may list instances.kudo.dev in all namespaces.';
  await page.route('**/api/status', (route) => route.fulfill({ status: 403, json: { reason: 'Forbidden', message } }));
  await page.goto('/status');
  await expect(page.getByText('You may not see the status', { exact: true })).toBeVisible();
  await expect(page.getByText(message)).toBeVisible();
  await expectFits(page);
});
