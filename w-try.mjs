import { chromium } from 'playwright';
import { readFileSync } from 'node:fs';
import { chromiumArgs, findChromium } from '/work/op-workshop/test/programs/chromium.mjs';
const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...chromiumArgs] });
const base = 'http://127.0.0.1:3391';
const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
async function violations(page, label) {
  await page.evaluate(axe);
  const v = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations.map((x) => [x.id, x.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + ' :: ' + n.failureSummary.slice(0, 200))]));
  console.log('AXE', label, JSON.stringify(v, null, 1));
}
for (const colorScheme of ['light', 'dark']) {
  const ctx = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme });
  const page = await ctx.newPage();
  page.on('console', (m) => console.log('CONSOLE', m.type(), m.text().slice(0, 300)));
  page.on('pageerror', (e) => console.log('ERR', e.message));
  await page.goto(base + '/workshop');
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `/tmp/w-start-${colorScheme}.png` });
  await violations(page, 'start ' + colorScheme);
  await page.goto(base + '/workshop?fork=hello&version=1.37.0-1.0.0');
  await page.getByText('The package is valid.').waitFor();
  await page.getByRole('treeitem', { name: /deployment.yaml/ }).click();
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+Home');
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End'); await page.keyboard.press('Enter');
  await page.keyboard.type('annotations: {a: "{{ .Params.SIZ');
  await page.waitForTimeout(600);
  await page.screenshot({ path: `/tmp/w-complete-${colorScheme}.png` });
  await page.keyboard.press('Escape');
  await page.keyboard.type('E }}"}');
  await page.waitForTimeout(800);
  await page.screenshot({ path: `/tmp/w-error-${colorScheme}.png` });
  await violations(page, 'error ' + colorScheme);
  console.log(await page.getByRole('list', { name: 'Problems of the package' }).innerText());
  await page.getByRole('button', { name: /Quick fix: Add parameter SIZE/ }).click();
  await page.waitForTimeout(500);
  for (const tab of ['Values', 'Plans', 'Changes']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.waitForTimeout(900);
    await page.screenshot({ path: `/tmp/w-${tab}-${colorScheme}.png` });
    await violations(page, tab + ' ' + colorScheme);
  }
  await page.getByRole('button', { name: 'Run in the sandbox' }).click();
  await page.waitForTimeout(900);
  await page.screenshot({ path: `/tmp/w-run-${colorScheme}.png` });
  await violations(page, 'run ' + colorScheme);
  await ctx.close();
}
await browser.close();
