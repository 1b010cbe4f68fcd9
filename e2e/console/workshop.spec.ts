import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { pack } from 'tar-stream';
import { expectAccessible, expectFits } from '../../test/browser/looks';
import { expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';

const problems = (page: Page) => page.getByRole('list', { name: 'Problems of the package' });
const editor = (page: Page) => page.getByRole('textbox', { name: /^Text of / });
const file = (page: Page, path: string) => page.getByRole('treeitem').and(page.locator(`[data-file="${path}"]`));
const valid = (page: Page) => page.getByText('The package is valid.');

async function forkHello(page: Page): Promise<void> {
  await page.goto('/operators/hello/1.37.0-1.0.0');
  await page.getByRole('link', { name: 'Fork', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'hello' })).toBeVisible();
  await expect(valid(page)).toBeVisible();
}

/** Goes to the end of the line of the open file that holds a text, and types. */
async function typeAfter(page: Page, line: string, text: string): Promise<void> {
  await page.locator('.cm-line', { hasText: line }).first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(text);
}

test('an operator is forked, edited, fixed by a click, rendered, compared, downloaded, verified and run', async ({
  page,
  request,
}, info) => {
  await forkHello(page);
  await file(page, 'templates/settings.yaml').click();
  await typeAfter(page, 'kind: Secret', '\n# {{ .Params.SIZE }}');
  const undefinedParameter = problems(page).getByRole('listitem').filter({ hasText: 'parameter "SIZE"' });
  await expect(undefinedParameter).toContainText('templates/settings.yaml:3 · rule undefined-parameter');
  await expect(page.getByRole('button', { name: 'Run in the sandbox' })).toHaveAccessibleDescription(/^Fix templates/);
  await expect(page.locator('.cm-lintRange-error')).not.toHaveCount(0);
  await expect(page.locator('.cm-lint-marker-error')).toBeVisible();
  await expectAccessible(page);
  await undefinedParameter.getByRole('button', { name: /^Quick fix/ }).click();
  await expect(valid(page)).toBeVisible();

  // Rendered beside the template, with the value of the form.
  await page.getByRole('tab', { name: 'Values' }).click();
  await page.locator('[data-parameter="GREETING"] input').fill('Good evening');
  await page.getByRole('tab', { name: 'Rendered' }).click();
  await file(page, 'templates/page-pod.yaml').click();
  await expect(page.getByRole('region', { name: 'Task write-page, page-pod.yaml' })).toContainText('Good evening');
  await page.getByRole('tab', { name: 'Plans' }).click();
  await expect(page.getByRole('region', { name: /^Greet/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Changes' }).click();
  await expect(page.getByText('2 files differ.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Draft params.yaml' })).toContainText('name: SIZE');
  await expectAccessible(page);

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download .tgz' }).click();
  const archive = await saved;
  expect(archive.suggestedFilename()).toBe('hello-1.37.0_1.0.0.tgz');
  const path = info.outputPath('hello.tgz');
  await archive.saveAs(path);
  const bravo = join(import.meta.dirname, '../../bin/bravo');
  expect(execFileSync(bravo, ['package', 'verify', path], { encoding: 'utf8' })).toContain('package is valid');

  await page.getByRole('button', { name: 'Run in the sandbox' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('OperatorVersion hello-1.37.0-1.0.0-draft.1');
  await expectAccessible(page);
  await dialog.getByRole('textbox', { name: 'Name of the new namespace' }).fill('drafts');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('link', { name: 'Open the instance' }).click();
  await expect(page).toHaveURL(/\/instances\/drafts\/hello/);
  const instance = { namespace: 'drafts', name: 'hello' };
  await planCompleted(request, instance, 'deploy');
  const made = await fetchObject(request, instanceKubePath(instance.namespace, instance.name));
  expect(made?.spec).toMatchObject({ operatorVersion: { name: 'hello-1.37.0-1.0.0-draft.1' } });
  expect(made?.spec?.parameters).toMatchObject({ GREETING: 'Good evening' });
});

test('completion offers fields of the kind, names of the package and variables, and hover explains them', async ({
  page,
}) => {
  await forkHello(page);
  const options = page.getByRole('listbox', { name: 'Completions' });
  await file(page, 'templates/deployment.yaml').click();
  await typeAfter(page, 'replicas: ', '\n');
  await page.keyboard.type('minR');
  await expect(options).toContainText('minReadySeconds');
  await options.getByRole('option', { name: 'minReadySeconds' }).click();
  await page.keyboard.type('{{ .Params.REP');
  await expect(options).toContainText('.Params.REPLICAS');
  await expectAccessible(page);
  await options.getByRole('option', { name: '.Params.REPLICAS' }).click();
  await page.keyboard.type(' }}');
  await expect(valid(page)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('minReadySeconds: 2');
  await page.locator('.cm-line', { hasText: 'replicas: ' }).getByText('replicas', { exact: true }).hover();
  await expect(page.locator('.cm-meaning')).toContainText('spec.replicas integer');

  await file(page, 'operator.yaml').click();
  await typeAfter(page, '- deployment.yaml', '\n');
  await page.keyboard.type('- bud');
  await expect(options).toContainText('budget.yaml');
  await page.keyboard.press('Escape');
});

test('what the API server would refuse in a rendered object is said beside it', async ({ page }) => {
  await forkHello(page);
  await file(page, 'templates/service.yaml').click();
  await typeAfter(page, 'kind: Service', '\nimmutable: true');
  await expect(page.getByRole('list', { name: /^Problems of Service/ })).toContainText(
    '`immutable` is not a field of this kind',
  );
});

test('a draft survives a reload, and two tabs follow each other and say so', async ({ page, context }) => {
  await forkHello(page);
  await typeAfter(page, 'name: hello', '-mine');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'hello-mine' })).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByText('This draft is also open in another tab')).toBeVisible();
  await expect(page.getByText('This draft is also open in another tab')).toBeVisible();
  await typeAfter(other, 'name: hello-mine', '-too');
  await expect(page.getByRole('heading', { level: 1, name: 'hello-mine-too' })).toBeVisible();
  await other.close();
  await expect(page.getByText('This draft is also open in another tab')).toBeHidden();

  await page.getByRole('link', { name: 'Workshop', exact: true }).first().click();
  const draft = page.getByRole('listitem').filter({ hasText: 'hello-mine-too' });
  await expect(draft).toContainText('forked from hello 1.37.0-1.0.0');
  await draft.getByRole('button', { name: /^Delete/ }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Delete draft hello-mine-too' }).last().click();
  await expect(page.getByText('No drafts yet')).toBeVisible();
});

test('a package is made, its files are added, renamed and deleted, by keyboard alone', async ({ page }) => {
  await page.goto('/workshop');
  await page.getByLabel('Name of the operator').fill('fresh');
  await page.keyboard.press('Enter');
  await expect(valid(page)).toBeVisible();
  await page.getByRole('button', { name: 'New file' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.type('extra.yaml');
  await page.keyboard.press('Enter');
  await expect(editor(page)).toBeFocused();
  await expect(problems(page)).toContainText('template "extra.yaml" is not referenced from any task');
  // Tab indents, Escape and Tab leave.
  await page.keyboard.type('a:\nb');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(editor(page)).not.toBeFocused();

  await file(page, 'templates/deploy.yaml').click();
  await page.keyboard.press('F2');
  await page.getByLabel('Path in the package').fill('templates/objects.yaml');
  await page.keyboard.press('Enter');
  await expect(file(page, 'templates/objects.yaml')).toBeVisible();
  await expect(problems(page)).not.toContainText('objects.yaml');
  await file(page, 'templates/objects.yaml').press('ArrowUp');
  await expect(file(page, 'templates/extra.yaml')).toBeFocused();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Delete templates/extra.yaml' }).last().press('Enter');
  await expect(valid(page)).toBeVisible();
});

/** A .tgz of these files. */
async function archiveOf(files: { [name: string]: string }): Promise<Buffer> {
  const tar = pack();
  for (const [name, text] of Object.entries(files)) tar.entry({ name }, text);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
}

test('an uploaded package opens, and one that is none or too large is refused with a sentence', async ({ page }) => {
  await page.goto('/workshop');
  const refusal = page.getByRole('alert').filter({ hasText: 'Not opened' });
  const upload = async (buffer: Buffer) =>
    page.getByLabel('Package as .tgz').setInputFiles({ name: 'a.tgz', mimeType: 'application/gzip', buffer });
  await upload(Buffer.from('no archive'));
  await expect(refusal).toContainText('it is not a .tgz file');
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`templates/${at}.yaml`, '']));
  await upload(await archiveOf({ 'operator.yaml': '', ...many }));
  await expect(refusal).toContainText('the workshop opens packages of at most 500');
  await expectAccessible(page);
  await upload(await archiveOf({ 'x/operator.yaml': 'name: mine\n', 'x/logo.png': 'PNG' }));
  await expect(page.getByRole('heading', { level: 1, name: 'mine' })).toBeVisible();
  await expect(page.getByText('1 file was left out')).toBeVisible();
  await problems(page).getByRole('button', { name: 'Quick fix: Create params.yaml' }).click();
  await expect(file(page, 'params.yaml')).toBeVisible();

  await page.goto('/workshop?draft=none');
  await expect(page.getByRole('heading', { level: 1, name: 'This draft does not exist' })).toBeVisible();
  await expectAccessible(page);
});

test('a keystroke in a package of 40 templates is verified within 150 ms', async ({ page }) => {
  const template = readFileSync(
    join(import.meta.dirname, '../../operators/hello/1.0.0/templates/deployment.yaml'),
    'utf8',
  );
  const names = Array.from({ length: 40 }, (_, at) => `t${at}.yaml`);
  const folder = join(import.meta.dirname, '../../operators/hello/1.0.0');
  const operator = readFileSync(join(folder, 'operator.yaml'), 'utf8').replace(
    '        - deployment.yaml\n',
    names.map((name) => `        - ${name}\n`).join(''),
  );
  const files = {
    'operator.yaml': operator,
    'params.yaml': readFileSync(join(folder, 'params.yaml'), 'utf8'),
    ...Object.fromEntries(
      ['settings.yaml', 'service.yaml', 'budget.yaml', 'page-pod.yaml'].map((name) => [
        `templates/${name}`,
        readFileSync(join(folder, 'templates', name), 'utf8'),
      ]),
    ),
    ...Object.fromEntries(names.map((name) => [`templates/${name}`, template])),
  };
  await page.goto('/workshop');
  const buffer = await archiveOf(files);
  await page.getByLabel('Package as .tgz').setInputFiles({ name: 'a.tgz', mimeType: 'application/gzip', buffer });
  await expect(valid(page)).toBeVisible();
  await file(page, 'templates/t20.yaml').click();
  await page.locator('.cm-line').first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' #');
  const times = await measureKeys(page, 20);
  const [fastest = Number.NaN] = times;
  const middle = times[Math.floor(times.length / 2)];
  console.log(
    `keystroke to verified, 44 templates: fastest ${fastest} ms, median ${middle} ms, longest ${times.at(-1)} ms`,
  );
  // Other tests use the processors meanwhile; `npm run bench -- workshop` has the percentiles.
  expect(fastest).toBeLessThanOrEqual(150);
});

declare global {
  interface Window {
    measured?: Promise<number>;
  }
}

/** From the key to the verdict on the page about the text with it, sorted. */
async function measureKeys(page: Page, keys: number): Promise<number[]> {
  const times: number[] = [];
  for (let key = 0; key < keys; key++) {
    await page.evaluate(prepareMeasure);
    await page.keyboard.type('x');
    times.push(await page.evaluate(() => window.measured ?? Promise.reject(new Error('Nothing was measured.'))));
  }
  return times.sort((a, b) => a - b);
}

/** Runs in the page. */
function prepareMeasure(): void {
  window.measured = new Promise<number>((resolve) => {
    const panel = document.querySelector<HTMLElement>('[data-checked]');
    let begin = 0;
    const observer = new MutationObserver(() => {
      if (begin === 0 || panel?.dataset.checked !== panel?.dataset.revision) return;
      observer.disconnect();
      resolve(Math.round(performance.now() - begin));
    });
    if (panel !== null) observer.observe(panel, { attributes: true });
    const start = () => {
      begin = performance.now();
    };
    window.addEventListener('keydown', start, { capture: true, once: true });
  });
}

test('the workshop fits a narrow screen and is accessible in both themes', async ({ page }) => {
  await forkHello(page);
  await expectFits(page);
  const part = page.getByRole('group', { name: 'Part of the workshop' });
  for (const [name, shown] of [
    ['Files', page.getByRole('tree', { name: 'Files' })],
    ['Preview', page.getByRole('tab', { name: 'Rendered' })],
    ['Editor', editor(page)],
  ] as const) {
    await part.getByRole('button', { name }).click();
    await expect(shown).toBeVisible();
    await expectAccessible(page);
  }
});
