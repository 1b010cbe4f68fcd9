import { expect, planCompleted, test } from './fixtures';

/** The home cluster has a name in addresses too. */
const PREFIX = '/c/sandbox';

test.beforeAll(async ({ request }) => {
  await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'deploy');
});

const pages = ['', '/instances', '/runs?status=failed', '/operators', '/resources', '/instances/demo/postgres/plans'];

for (const path of pages) {
  test(`every link of ${PREFIX}${path} stays in the cluster, in the HTML of the server too`, async ({ page }) => {
    await page.goto(`${PREFIX}${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const nav = page.getByRole('navigation', { name: 'Main' });
    await expect(nav.locator('[aria-current]')).toHaveCount(1);
    const links = await page
      .locator('a[href^="/"]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    const html = await (await page.request.get(`${PREFIX}${path}`)).text();
    const rendered = [...html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, href = '']) => href);
    expect(rendered.length).toBeGreaterThan(5);
    expect([...links, ...rendered].filter((href) => href !== PREFIX && !href.startsWith(`${PREFIX}/`))).toEqual([]);
  });
}

test('going on, going back, and the filter keep the cluster in the address', async ({ page }) => {
  await page.goto(`${PREFIX}/instances`);
  await page.getByRole('row').filter({ hasText: 'demo' }).getByRole('link', { name: 'postgres', exact: true }).click();
  await expect(page).toHaveURL(`${PREFIX}/instances/demo/postgres`);
  await expect(page.getByRole('heading', { level: 1, name: 'postgres' })).toBeVisible();
  await page.getByRole('link', { name: 'Parameters', exact: true }).click();
  await expect(page).toHaveURL(`${PREFIX}/instances/demo/postgres/parameters`);
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Instances' })).toBeVisible();
  await page.getByLabel('Filter', { exact: true }).fill('post');
  await expect(page).toHaveURL(`${PREFIX}/instances?q=post`);
  await page.reload();
  await expect(page.getByLabel('Filter', { exact: true })).toHaveValue('post');
});

test('requests and the event stream name the cluster', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${PREFIX}/status`);
  await expect(page.getByRole('region', { name: 'API server' })).toContainText('Answers');
  expect(asked).toContain(`${PREFIX}/api/live`);
  expect(asked.filter((path) => path.startsWith('/api/') && !/^\/api\/(auth|clusters|status)/.test(path))).toEqual([]);
});

test('an unknown cluster has no routes and no pages', async ({ request }) => {
  const route = await request.get('/c/no-such-cluster/api/resources');
  expect(route.status()).toBe(404);
  expect((await route.json()).message).toContain('This console knows sandbox');
  const page = await request.get('/c/no-such-cluster/instances');
  expect(await page.text()).not.toContain('postgres');
});

test('the header that names the cluster does not count from outside', async ({ request }) => {
  const answer = await request.get('/api/resources', { headers: { 'x-bravo-cluster': 'no-such-cluster' } });
  expect(answer.status()).toBe(200);
});
