import { test as plain } from '@playwright/test';
import { createObject, expect, fetchObject, instanceKubePath, planCompleted } from './fixtures';

const PLACE = { namespace: 'demo', name: 'postgres' };
const NEW = { namespace: 'demo', name: 'made-meanwhile' };

plain(
  'a laptop that slept ten minutes without network shows the current state within two seconds',
  async ({ page, context, request }) => {
    const version = async () =>
      (
        (await fetchObject(request, instanceKubePath(PLACE.namespace, PLACE.name))) as unknown as {
          spec: { operatorVersion: { name: string } };
        }
      ).spec.operatorVersion.name;
    await planCompleted(request, PLACE, 'deploy');
    await page.clock.install();
    await page.goto('/instances');
    const state = page.locator('[data-connection]');
    // The stream has brought something: the page is not only what the server rendered.
    await expect(page.getByTitle('From the server to this page')).toBeVisible();
    await expect(page.getByRole('link', { name: NEW.name })).toHaveCount(0);

    // Where tests run there may be no other network than loopback, so that the browser has no change to tell of: the test tells.
    const tell = (type: 'online' | 'offline') => page.evaluate((name) => window.dispatchEvent(new Event(name)), type);
    await context.setOffline(true);
    await tell('offline');
    // A page without network never says that it is live.
    await expect(state).toHaveAttribute('data-connection', 'lost');
    await createObject(request, '/apis/kudo.dev/v1beta1/namespaces/demo/instances', {
      kind: 'Instance',
      metadata: { name: NEW.name, labels: { 'kudo.dev/operator': 'postgres' } },
      spec: { operatorVersion: { name: await version() } },
    });
    // As when the lid is closed and opened again: each timer fires at most once.
    await page.clock.fastForward('10:00');
    await expect(page.getByText(/Not live since/)).toBeVisible();

    const beganMs = Date.now();
    await context.setOffline(false);
    await tell('online');
    // Asked in each frame: the intervals of `expect` are as long as what is measured.
    await page.waitForFunction(
      (name) =>
        document.querySelector('[data-connection="live"]') !== null &&
        [...document.querySelectorAll('a')].some(({ textContent }) => textContent === name),
      NEW.name,
      { polling: 'raf' },
    );
    expect(Date.now() - beganMs).toBeLessThan(2_000);
    await expect(page.getByText(/Not live since/)).toHaveCount(0);
    await request.delete(`/api/kube${instanceKubePath(NEW.namespace, NEW.name)}`, {
      headers: { origin: new URL((await request.get('/api/health')).url()).origin },
    });
  },
);
