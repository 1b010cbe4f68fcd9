import { test as plain } from '@playwright/test';
import type { ConsoleProcess } from '../../test/programs/console-process';
import { startTcpProxy, type TcpProxy } from '../../test/programs/tcp-proxy';
import { expect, planCompleted } from './fixtures';
import { sandboxPort, startSecondConsole } from './second-console';

let proxy: TcpProxy;
let console_: ConsoleProcess;

plain.beforeAll(async ({ request }) => {
  await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'deploy');
  proxy = await startTcpProxy(sandboxPort());
  console_ = await startSecondConsole({ port: proxy.port });
});

plain.afterAll(async () => {
  await console_.running.stop();
  await proxy.close();
});

plain(
  'an outage of the cluster is shown, keeps drafts, blocks actions, and ends without a reload',
  async ({ page, request }) => {
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${console_.base}/instances/demo/postgres/parameters`);
    await expect(page.locator('[data-connection="live"]')).toBeVisible();
    const field = page.locator('[data-parameter="MAX_CONNECTIONS"] input');
    await field.fill('321');
    const bar = page.getByRole('region', { name: 'What applying does' });
    await expect(bar.getByRole('button', { name: 'Apply', exact: true })).not.toHaveAttribute('aria-disabled');
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));

    proxy.cut();
    await expect(page.getByText(/Not live since .* UTC/)).toBeVisible();
    await expect(page.getByText('The cluster does not answer')).toBeVisible();
    await expect(page.locator('[data-connection]')).toHaveAttribute('data-connection', 'lost');
    await expect(bar.getByRole('button', { name: 'Apply', exact: true })).toHaveAttribute('aria-disabled', 'true');
    await expect(field).toHaveValue('321');
    // Pages still show the last known state.
    await page.getByRole('link', { name: 'Instances' }).first().click();
    await expect(page).toHaveURL(/\/instances$/);
    await expect(page.getByRole('link', { name: 'postgres' })).toBeVisible();
    await page.goBack();
    await expect(field).toHaveValue('321');
    // Changes by others during the outage are not lost.
    const made = await request.post('/api/kube/api/v1/namespaces/demo/configmaps', {
      headers: { origin: new URL((await request.get('/api/health')).url()).origin },
      data: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made-in-the-dark' } },
    });
    expect(made.ok(), await made.text()).toBe(true);

    proxy.restore();
    await expect(page.getByText('Live again')).toBeVisible({ timeout: 45_000 });
    await expect(page.locator('[data-connection]')).toHaveAttribute('data-connection', 'live');
    await expect(bar.getByRole('button', { name: 'Apply', exact: true })).not.toHaveAttribute('aria-disabled');
    await expect(field).toHaveValue('321');
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
    await page.goto(`${console_.base}/resources/core/v1/configmaps?filter=made-in-the-dark`);
    await expect(page.getByRole('link', { name: 'made-in-the-dark' })).toBeVisible();
    expect(complaints.length, complaints.join('\n')).toBeLessThanOrEqual(6);
  },
);
