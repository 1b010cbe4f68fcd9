import { expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';

const PLACE = { namespace: 'demo', name: 'postgres' };

test('two people edit the same field: the second sees both values and decides', async ({ page, browser, request }) => {
  const before = await planCompleted(request, PLACE, 'deploy');
  expect(before).not.toBe('');
  const other = await (await browser.newContext()).newPage();
  const fieldOf = (each: typeof page) => each.locator('[data-parameter="MAX_CONNECTIONS"]');
  for (const each of [page, other]) {
    await each.goto('/instances/demo/postgres/parameters');
    await expect(fieldOf(each).locator('input')).toBeVisible();
  }
  await fieldOf(page).locator('input').fill('111');
  await fieldOf(other).locator('input').fill('222');
  await other.getByRole('button', { name: 'Apply', exact: true }).click();

  // The first person sees both values, and keeps the own one.
  await expect(fieldOf(page)).toContainText('Somebody changed this to 222');
  await expect(fieldOf(page).locator('input')).toHaveValue('111');
  await expect(page.getByRole('region', { name: 'What applying does' })).toContainText(
    'Somebody else changed MAX_CONNECTIONS since you started',
  );
  await fieldOf(page).getByRole('button', { name: 'Keep theirs' }).click();
  await expect(fieldOf(page).locator('input')).toHaveValue('222');
  await planCompleted(request, PLACE, 'update');
  const instance = await fetchObject(request, instanceKubePath('demo', 'postgres'));
  expect(instance?.spec?.parameters?.MAX_CONNECTIONS).toBe('222');
  await other.context().close();
});

test('a write over a value that the user has not seen is refused with the stored value', async ({ request }) => {
  const answer = await request.post('/api/instances/demo/postgres/parameters', {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { parameters: { MAX_CONNECTIONS: '5' }, seen: { MAX_CONNECTIONS: '4' } },
  });
  expect(answer.status()).toBe(409);
  expect(await answer.json()).toMatchObject({ causes: [{ message: expect.stringContaining('is now') }] });
});

test('an accepted edit is shown at once: the page does not show the previous result', async ({ page, request }) => {
  await page.goto('/instances/demo/postgres/parameters');
  const before = await planCompleted(request, PLACE, 'update');
  // Every state that the page shows from the click on, in order.
  await page.evaluate(() => {
    const words: string[] = [];
    Object.assign(window, { words });
    const read = () => {
      const word = document.querySelector('main [role="status"].sr-only')?.textContent ?? '';
      if (word !== words.at(-1)) words.push(word);
    };
    new MutationObserver(read).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await page.locator('[data-parameter="MAX_CONNECTIONS"] input').fill('333');
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(page.getByText('Parameters stored; plan update starts')).toBeVisible();
  await planCompleted(request, PLACE, 'update', before);
  await expect(page.locator('[data-plan="update"][data-status="COMPLETE"]').first()).toBeVisible();
  const read = () => page.evaluate(() => (window as unknown as { words: string[] }).words);
  await expect.poll(async () => (await read()).at(-1)).toBe('postgres: Healthy');
  const words = await read();
  const afterAccept = words.filter((word) => !word.endsWith('Healthy')).join(' → ');
  expect(afterAccept).toMatch(/Starting|Queued|Updating/);
});
