import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerConsole } from '../../test/programs/worker-console';
import { expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';

/** The token with which the console talks to the API: the browser never gets it. */
function adminToken(): string {
  const text = readFileSync(join(workerConsole().folder, 'kubeconfig'), 'utf8');
  return /^ +token: (\S+)$/m.exec(text)?.[1] ?? '';
}

test('no credential and no secret value reaches the browser: not in pages, storage or URLs', async ({
  page,
  request,
}) => {
  await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'deploy');
  const secret = await fetchObject(request, '/api/v1/namespaces/demo/secrets/postgres-credentials');
  const values = Object.values(secret?.data ?? {}).filter((value) => value.length > 12);
  const token = adminToken();
  expect(token.length).toBeGreaterThan(20);
  const seen: string[] = [];
  page.on('response', async (response) => {
    seen.push(response.url());
    if (response.headers()['content-type']?.includes('text/html')) seen.push(await response.text().catch(() => ''));
  });
  for (const path of [
    '/instances/demo/postgres',
    '/instances/demo/postgres/parameters',
    '/instances/demo/postgres/yaml',
    '/resources/core/v1/secrets',
    '/resources/core/v1/secrets/demo/postgres-credentials',
  ]) {
    await page.goto(path);
    await expect(page.locator('[data-connection="live"]')).toBeVisible();
    seen.push(await page.content());
    seen.push(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])));
  }
  const all = seen.join('\n');
  for (const hidden of [token, ...values]) expect(all.includes(hidden), 'something secret was sent').toBe(false);
});

test('an instance with a secret that can be computed says so, with the plan that replaces it', async ({
  page,
  request,
}) => {
  await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'deploy');
  const path = instanceKubePath('demo', 'postgres');
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const stored = await (await request.get(`/api/kube${path}`)).json();
  const write = (conditions: readonly object[]) =>
    request.patch(`/api/kube${path}/status`, {
      headers: { origin, 'content-type': 'application/merge-patch+json' },
      data: JSON.stringify({ status: { conditions } }),
    });
  const message = 'Secret postgres-credentials: an earlier version of Bravo generated the value of key password.';
  const condition = { type: 'GuessableSecret', status: 'True', reason: 'GuessableSecret', message };
  const time = { lastTransitionTime: '2026-01-01T00:00:00Z' };
  expect((await write([...stored.status.conditions, { ...condition, ...time }])).ok()).toBe(true);
  await page.goto('/instances/demo/postgres');
  await expect(page.getByText('A generated secret of this instance can be computed')).toBeVisible();
  await expect(page.getByText(message)).toBeVisible();
  expect((await write(stored.status.conditions)).ok()).toBe(true);
  await expect(page.getByText(message)).toBeHidden();
});
