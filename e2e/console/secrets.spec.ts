import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, fetchObject, planCompleted, test } from './fixtures';

/** The token with which the console talks to the API: the browser never gets it. */
function adminToken(): string {
  const text = readFileSync(join(process.env.BRAVO_E2E_DATA ?? '', 'kubeconfig'), 'utf8');
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
