import type { Page } from '@playwright/test';
import { expectAccessible } from '../../test/browser/looks';
import { expect, openPalette, planCompleted, test } from './fixtures';

test.beforeAll(async ({ request }) => {
  await planCompleted(request, { namespace: 'demo', name: 'postgres' }, 'deploy');
});

const openMenu = async (page: Page, entry: string) => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: entry }).click();
};

/** Every dialog and panel: how to open it, and on which page. */
const OVERLAYS: readonly { name: string; path: string; open: (page: Page) => Promise<void> }[] = [
  { name: 'the palette', path: '/', open: openPalette },
  {
    name: 'the confirmation of a restore',
    path: '/instances/demo/postgres',
    open: (page) => page.getByRole('button', { name: 'Restore' }).first().click(),
  },
  { name: 'the deletion of an instance', path: '/instances/demo/postgres', open: (page) => openMenu(page, 'Delete…') },
  {
    name: 'the change of a version',
    path: '/instances/demo/postgres',
    open: (page) => openMenu(page, 'Change version…'),
  },
  {
    name: 'the review of an edit',
    path: '/instances/demo/postgres/parameters',
    open: async (page) => {
      await page.locator('[data-parameter="MAX_CONNECTIONS"] input').fill('444');
      await page.getByRole('region', { name: 'What applying does' }).getByRole('button', { name: 'Review' }).click();
      await expect(page.getByRole('dialog').getByText('changes')).toBeVisible();
    },
  },
  {
    name: 'the deletion of an object',
    path: '/resources/apps/v1/statefulsets/demo/postgres',
    open: (page) => page.getByRole('button', { name: 'Delete' }).click(),
  },
];

/** Pages that say that something does not exist or is wrong. */
const TROUBLE: readonly string[] = [
  '/instances/demo/no-such',
  '/instances?q=no-such-instance',
  '/operators/none/1.0.0',
  '/no/such/page',
  '/resources/core/v1/nothings',
  '/resources/core/v1/configmaps/demo/none',
  '/resources/core/v1/configmaps?filter=no-such',
];

for (const { name, path, open } of OVERLAYS) {
  test(`${name} is accessible, takes the focus and closes with Escape`, async ({ page }) => {
    await page.goto(path);
    await expect(page.locator('[data-connection="live"]')).toBeVisible();
    await open(page);
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });
}

for (const path of TROUBLE) {
  test(`${path} says what is wrong, and is accessible`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expectAccessible(page);
  });
}

test('an invalid field is marked, described and accessible', async ({ page }) => {
  await page.goto('/instances/demo/postgres/parameters');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  const input = page.locator('[data-parameter="MAX_CONNECTIONS"] input');
  await input.fill('ten');
  await expect(input).toHaveAttribute('aria-invalid', 'true');
  await expect(input).toHaveAccessibleDescription(/whole number|integer/i);
  // The bar with the effects of an edit does not cover the control with the focus.
  await page.evaluate(() => window.scrollTo(0, 0));
  await input.evaluate((element) => element.blur());
  await input.focus();
  const bar = await page.getByRole('region', { name: 'What applying does' }).boundingBox();
  const field = await input.boundingBox();
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
  await expectAccessible(page);
});

test('nothing scrolls sideways at 200 % zoom and at 320 px', async ({ page }) => {
  for (const path of [
    '/',
    '/instances',
    '/instances/demo/postgres',
    '/instances/demo/postgres/parameters',
    '/install',
    '/operators',
    '/resources/core/v1/pods',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    // 200 % of 1280 px leaves 640 CSS pixels.
    for (const width of [640, 320]) {
      await page.setViewportSize({ width, height: 480 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `${path} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
});

test('with reduced motion there is no animation, not even while a plan runs', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/instances/demo/postgres');
  await page.getByRole('button', { name: 'Back up' }).first().click();
  await expect(page.locator('[data-plan="backup"][data-status="IN_PROGRESS"]').first()).toBeVisible();
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(
        ({ playState, effect }) =>
          playState === 'running' && effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY,
      )
      .map((animation) => ('animationName' in animation ? animation.animationName : 'transition')),
  );
  expect(moving).toEqual([]);
  await planCompleted(page.request, { namespace: 'demo', name: 'postgres' }, 'backup');
});

test('with forced colours a step shows its state by more than its background', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/instances/demo/postgres');
  const segment = page.locator('main [data-step]').first();
  await expect(segment).toBeVisible();
  const seen = await segment.evaluate((element) => {
    const { backgroundColor } = getComputedStyle(element);
    return { own: backgroundColor, page: getComputedStyle(document.body).backgroundColor };
  });
  expect(seen.own).not.toBe(seen.page);
  await page.keyboard.press('Tab');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
  expect(outline).not.toBe('none');
});
