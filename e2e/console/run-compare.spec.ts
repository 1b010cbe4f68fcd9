import { readFile } from 'node:fs/promises';
import type { APIRequestContext } from '@playwright/test';
import { expectAccessible, expectFits, violations } from '../../test/browser/looks';
import { createObject, expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';

const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';
/** After a failure the next test runs in a new process, and begins with an Instance of its own. */
const NAME = `compared-${process.env.TEST_WORKER_INDEX ?? '0'}`;
const PLACE = { namespace: 'default', name: NAME };
const PAGE = `/instances/default/${NAME}`;
const COMPARE = `${PAGE}/runs/compare?from=${NAME}-deploy-1&to=${NAME}-deploy-2`;

const configMap = (name: string, data: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "${name}"}\ndata: ${data}\n`;
const job = (name: string, script: string) => `apiVersion: batch/v1
kind: Job
metadata: {name: "${name}"}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: busybox, command: [sh, -c, ${JSON.stringify(script)}]}]
`;
const apply = (name: string) => ({ name, kind: 'Apply', spec: { resources: [`${name}.yaml`] } });
const plan = (...tasks: string[]) => ({
  strategy: 'serial',
  phases: [{ name: 'main', strategy: 'serial', steps: tasks.map((name) => ({ name, tasks: [name] })) }],
});

const SPEC = {
  version: '1.0',
  operator: { name: NAME },
  parameters: [
    { name: 'SIZE', default: 'small', trigger: 'deploy' },
    { name: 'PASSWORD', default: 'hunter2', trigger: 'deploy' },
    { name: 'RESTORE_FROM', default: 'latest', trigger: 'restore' },
  ],
  templates: {
    'note.yaml': configMap('{{ .Name }}-note', '{size: "{{ .Params.SIZE }}"}'),
    'large.yaml': `{{ if eq .Params.SIZE "large" }}${configMap('{{ .Name }}-large', '{a: b}')}{{ end }}`,
    'fail.yaml': job('{{ .Name }}-fail', 'echo one; echo two; echo three; exit 3'),
  },
  tasks: [apply('note'), apply('large'), apply('fail')],
  plans: { deploy: plan('note', 'large'), restore: plan('note'), check: plan('fail') },
};

/** The values of annotations that params.yaml and operator.yaml become. */
const annotations = {
  'bravo.kudo.dev/plan-metadata': JSON.stringify({ restore: { parameters: ['RESTORE_FROM'] } }),
};

async function post(request: APIRequestContext, path: string, data: object): Promise<void> {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const response = await request.post(path, { headers: { origin }, data });
  expect(response.ok(), await response.text()).toBe(true);
}

test.beforeAll(async ({ request }) => {
  await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: NAME }, spec: {} });
  const metadata = { name: `${NAME}-1.0`, annotations };
  await createObject(request, `${KUDO}/operatorversions`, { kind: 'OperatorVersion', metadata, spec: SPEC });
  await createObject(request, `${KUDO}/instances`, {
    kind: 'Instance',
    metadata: { name: NAME },
    spec: { operatorVersion: { name: `${NAME}-1.0` } },
  });
  const first = await planCompleted(request, PLACE, 'deploy');
  const edit = { parameters: { SIZE: 'large', PASSWORD: 'hunter3' }, seen: {}, reason: "Ann's sale" };
  await post(request, `/api/instances/default/${NAME}/parameters`, edit);
  await planCompleted(request, PLACE, 'deploy', first);
});

test.afterAll(async ({ request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${instanceKubePath('default', NAME)}`, { headers: { origin } });
});

test('two runs that are ticked in the list are compared, and the address shows the same again', async ({ page }) => {
  await page.goto(`${PAGE}/plans`);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  const compare = page.getByRole('region', { name: 'Runs' }).getByRole('link', { name: 'Compare', exact: true });
  await page.getByLabel(`Choose run ${NAME}-deploy-2`).check();
  await page.getByLabel(`Choose run ${NAME}-deploy-1`).check();
  await compare.click();
  await expect(page).toHaveURL(COMPARE);
  const summary = page.getByRole('region', { name: 'Summary' });
  await expect(summary.locator('tr[data-differs]', { hasText: 'Reason' })).toContainText("Ann's sale");
  const parameters = page.getByRole('region', { name: 'Parameters' });
  await expect(parameters.locator('tr[data-parameter="SIZE"]')).toHaveText(/default.*large/);
  await expect(parameters.locator('tr[data-parameter="PASSWORD"]')).toHaveText(/default.*secret value/);
  await expect(page.getByRole('region', { name: 'Steps' }).locator('li[data-step="note"]')).toBeVisible();
  const note = page.locator(`[data-object="ConfigMap ${NAME}-note"]`);
  await expect(note.getByRole('region', { name: `ConfigMap ${NAME}-note in ${NAME}-deploy-1` })).toContainText('small');
  await expect(note.getByRole('region', { name: `ConfigMap ${NAME}-note in ${NAME}-deploy-2` })).toContainText('large');
  await expect(page.locator(`[data-object="ConfigMap ${NAME}-large"]`)).toContainText(`only in ${NAME}-deploy-2`);
  await expect(page.getByText(/hunter/)).toHaveCount(0);
  await expectFits(page);
});

test('the page of a run offers the run before it of the same plan first', async ({ page }) => {
  await page.goto(`${PAGE}/runs/${NAME}-deploy-2`);
  await page.getByRole('button', { name: 'Compare with another run' }).click();
  await page.getByRole('menuitem').first().click();
  await expect(page).toHaveURL(COMPARE);
});

test('a run is downloaded as a file that has no scripts, looks right in both themes and shows no secret', async ({
  page,
  context,
}) => {
  await page.goto(`${PAGE}/runs/${NAME}-deploy-2`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${NAME}-deploy-2.html`);
  const file = await download.path();
  const text = await readFile(file, 'utf8');
  expect(text).toContain('Ann&#39;s sale');
  expect(text).toContain('Signed by the controller');
  expect(text).not.toMatch(/hunter|<script|https?:\/\//);
  const reader = await context.newPage();
  const requests: string[] = [];
  reader.on('request', (request) => requests.push(request.url()));
  // Chromium shows a download under its own name, which has no ending.
  await reader.setContent(text);
  await expect(reader.getByRole('heading', { name: `Run ${NAME}-deploy-2` })).toBeVisible();
  expect(requests.filter((url) => !url.startsWith('about:'))).toEqual([]);
  await reader.getByText('Signed data').click();
  await expect(reader.locator('#signed-run')).toContainText('bravo.kudo.dev/signed-run/v1');
  for (const colorScheme of ['light', 'dark'] as const) {
    await reader.emulateMedia({ colorScheme });
    expect(await violations(reader), colorScheme).toEqual([]);
  }
  await reader.close();
});

test('the start of a plan is copied with what was entered so far, and nothing is started', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${PAGE}/plans`);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await page.getByRole('button', { name: 'Restore', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('[data-parameter="RESTORE_FROM"] select').selectOption({ label: 'Another name…' });
  await dialog.getByLabel('RESTORE_FROM: name of the backup').fill("monday's");
  await dialog.getByLabel('Reason').fill('costs $5');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /^Copy as/ }).click();
  await page.getByRole('menuitem', { name: 'bravo' }).click();
  await expect(page.getByText(`Copied as bravo: plan restore of ${NAME}`)).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `bravo update --instance ${NAME} -p 'RESTORE_FROM=monday'\\''s' --reason 'costs $5' -n default`,
  );
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  const instance = await fetchObject(page.request, instanceKubePath('default', NAME));
  expect(instance?.spec?.parameters).not.toHaveProperty('RESTORE_FROM');
});

test('a line of the log has an address, the timeline a bar for each step, and the graph a box', async ({ page }) => {
  await post(page.request, `/api/instances/default/${NAME}/plans/check`, {});
  await page.goto(`${PAGE}/runs/${NAME}-check-1?view=log&line=2`);
  await expect(page.locator('[data-line="2"]')).toHaveAttribute('aria-current', 'true');
  await expect(page.locator('[data-line="2"]')).toContainText('two');
  await page.getByRole('link', { name: 'Line 3' }).click();
  await expect(page).toHaveURL(/view=log&line=3$/);
  await expect(page.locator('[data-line="3"]')).toHaveAttribute('aria-current', 'true');
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect(page.getByRole('list', { name: 'Steps over time' }).locator('li[data-step="fail"]')).toBeVisible();
  await expectFits(page);
  await page.getByRole('tab', { name: 'Graph' }).click();
  const step = page.getByRole('list', { name: 'Graph of the run' }).getByRole('button', { name: /fail/ });
  await step.click();
  await expect(step).toHaveAttribute('aria-pressed', 'true');
  await expect(page).toHaveURL(/step=[^&]*fail/);
  await expectAccessible(page);
  await expectFits(page);
});
