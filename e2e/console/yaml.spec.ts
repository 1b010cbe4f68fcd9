import { type APIRequestContext, test } from '@playwright/test';
import { expectFits } from '../../test/browser/looks';
import { expect, fetchObject, instanceKubePath } from './fixtures';

// The browser logs each refusal of the API server as an error of the page: these tests are not quiet.

const DEPLOYMENTS = '/apis/apps/v1/namespaces/demo/deployments';

async function createAs(request: APIRequestContext, fieldManager: string, path: string, data: object) {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const response = await request.post(`/api/kube${path}?fieldManager=${fieldManager}`, { headers: { origin }, data });
  expect(response.ok(), await response.text()).toBe(true);
}

test('a save shows what it changes and whose fields it takes over; a field is left to its manager', async ({
  page,
  request,
}) => {
  await createAs(request, 'kubectl-client-side-apply', DEPLOYMENTS, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'reviewed' },
    spec: {
      replicas: 0,
      minReadySeconds: 5,
      selector: { matchLabels: { app: 'reviewed' } },
      template: {
        metadata: { labels: { app: 'reviewed' } },
        spec: { containers: [{ name: 'main', image: 'demo:1' }] },
      },
    },
  });
  await page.goto('/resources/apps/v1/deployments/demo/reviewed/yaml');
  const append = async (line: RegExp, text: string) => {
    await page.locator('.cm-line').filter({ hasText: line }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(text);
  };
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Save Deployment reviewed' });

  // What the API server refuses is said with its line, and nothing is lost.
  await append(/^ {6}app: reviewed$/, '-else');
  await save.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Not saved' })).toContainText(/Line \d+: spec\.\S+/);
  await page.getByRole('button', { name: 'Discard' }).click();

  await append(/^ {2}replicas: 0$/, '1');
  await append(/^ {2}minReadySeconds: 5$/, '0');
  await save.click();
  const taken = dialog.getByRole('list', { name: 'Fields of other managers' }).getByRole('listitem');
  await expect(taken).toHaveText([
    /^kubectl-client-side-apply sets spec\.replicas/,
    /^kubectl-client-side-apply sets spec\.minReadySeconds/,
  ]);
  const after = dialog.getByRole('region', { name: 'After saving, by a dry run' });
  await expect(after).toContainText('replicas: 1');
  await expectFits(page);
  expect((await fetchObject(request, `${DEPLOYMENTS}/reviewed`))?.spec?.replicas).toBe(0);

  await dialog.getByRole('button', { name: 'Keep theirs: spec.minReadySeconds' }).click();
  await expect(taken).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Take over and save' }).click();
  await expect(page.getByText('Saved reviewed')).toBeVisible();
  expect((await fetchObject(request, `${DEPLOYMENTS}/reviewed`))?.spec).toMatchObject({
    replicas: 1,
    minReadySeconds: 5,
  });
});

/** In an order in which they cannot be created; `shared` exists, with another value of another manager. */
const DOCUMENTS = `apiVersion: sea.e2e.test/v1
kind: Boat
metadata: {name: first, namespace: harbour}
spec: {size: 1}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: shared, namespace: demo}
data: {mine: a, theirs: b}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.sea.e2e.test}
spec:
  group: sea.e2e.test
  scope: Namespaced
  names: {plural: boats, singular: boat, kind: Boat, listKind: BoatList}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
---
apiVersion: v1
kind: Namespace
metadata: {name: harbour, labels: {team: sea}}
`;

test('many documents are applied in the order in which they need each other; a field of another manager is kept', async ({
  page,
  request,
}) => {
  const shared = '/api/v1/namespaces/demo/configmaps/shared';
  await createAs(request, 'kubectl-client-side-apply', '/api/v1/namespaces/demo/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'shared' },
    data: { theirs: 'kept' },
  });
  await page.goto('/resources/create?view=yaml');
  await page.getByRole('textbox', { name: 'YAML of the new objects' }).fill(DOCUMENTS);
  await page.getByLabel('Change objects that exist').check();
  const apply = page.getByRole('button', { name: 'Apply', exact: true });
  await apply.click();
  // Nothing is written while a field waits for an answer.
  const conflicts = page.getByRole('list', { name: 'Conflicts of ConfigMap shared' });
  await expect(conflicts).toContainText('kubectl-client-side-apply sets .data.theirs');
  await expect(page.getByText('Not checked yet')).toHaveCount(1);
  await expectFits(page);
  await conflicts.getByRole('button', { name: 'Keep theirs: .data.theirs' }).click();
  await apply.click();
  await expect(page.getByText('Created', { exact: true })).toHaveCount(3);
  await expect(page.getByText('Configured', { exact: true })).toHaveCount(1);
  expect((await fetchObject(request, shared))?.data).toEqual({ mine: 'a', theirs: 'kept' });
  expect(await fetchObject(request, '/apis/sea.e2e.test/v1/namespaces/harbour/boats/first')).toBeDefined();
  await apply.click();
  await expect(page.getByText('Unchanged', { exact: true })).toHaveCount(4);
});

test('a text that changes what Argo CD reverts is not applied before the person says so, and can be exported instead', async ({
  page,
  request,
}) => {
  const tracked = '/api/v1/namespaces/demo/configmaps/tracked';
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'tracked', namespace: 'demo' } };
  const annotations = { 'argocd.argoproj.io/tracking-id': 'shop:/ConfigMap:demo/tracked' };
  await createAs(request, 'argocd-controller', '/api/v1/namespaces/demo/configmaps', {
    ...object,
    metadata: { ...object.metadata, annotations },
    data: { colour: 'blue' },
  });
  const documents = [object, { ...object, metadata: { name: 'untracked', namespace: 'demo' } }];
  const text = documents.map((each) => JSON.stringify({ ...each, data: { colour: 'red' } })).join('\n---\n');
  await page.goto('/resources/create?view=yaml');
  await page.getByRole('textbox', { name: 'YAML of the new objects' }).fill(text);
  await page.getByLabel('Change objects that exist').check();
  const apply = page.getByRole('button', { name: 'Apply', exact: true });
  await apply.click();
  await page.getByRole('button', { name: 'Take over: .data.colour' }).click();
  await apply.click();
  const question = page.getByRole('region', { name: 'Who reverts the change of ConfigMap tracked' });
  await expect(question).toContainText('Argo CD (Application shop) manages this object.');
  await expectFits(page);
  await question.getByRole('button', { name: 'Export the change' }).click();
  await expect(page.getByRole('menuitem', { name: 'Copy text of a pull request' })).toBeVisible();
  await page.keyboard.press('Escape');
  expect((await fetchObject(request, tracked))?.data).toEqual({ colour: 'blue' });
  expect(await fetchObject(request, tracked.replace('tracked', 'untracked'))).toBeUndefined();
  await question.getByRole('button', { name: 'Apply anyway' }).click();
  await apply.click();
  await expect(page.getByText('Configured', { exact: true })).toHaveCount(1);
  await expect(page.getByText('Created', { exact: true })).toHaveCount(1);
  expect((await fetchObject(request, tracked))?.data).toEqual({ colour: 'red' });
});

test('the YAML of an Instance is saved after the review of a dry run', async ({ page, request }) => {
  const path = instanceKubePath('demo', 'hello');
  const label = async () => (await fetchObject(request, path))?.metadata.labels?.['e2e.test/reviewed'];
  await page.goto('/instances/demo/hello/yaml');
  const editor = page.getByRole('textbox', { name: 'hello as YAML' });
  await expect(editor).toContainText('kind: Instance');
  const text = (await editor.locator('.cm-line').allInnerTexts()).join('\n');
  await editor.fill(text.replace('\n  labels:\n', '\n  labels:\n    e2e.test/reviewed: "yes"\n'));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Save Instance hello' });
  await expect(dialog.getByRole('region', { name: 'After saving, by a dry run' })).toContainText('e2e.test/reviewed');
  await expectFits(page);
  expect(await label()).toBeUndefined();
  await dialog.getByRole('button', { name: /^(Save|Take over and save)$/ }).click();
  await expect(page.getByText('hello saved')).toBeVisible();
  expect(await label()).toBe('yes');
});

test('what is typed while a review is on its way is not saved with it', async ({ page }) => {
  await page.goto('/instances/demo/hello/yaml');
  const editor = page.getByRole('textbox', { name: 'hello as YAML' });
  await expect(editor).toContainText('kind: Instance');
  const text = (await editor.locator('.cm-line').allInnerTexts()).join('\n');
  const labelled = (value: string) => text.replace('\n  labels:\n', `\n  labels:\n    e2e.test/typed: "${value}"\n`);
  await editor.fill(labelled('before'));
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/*dryRun=All*', async (route) => {
    await held;
    await route.continue();
  });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await editor.fill(labelled('after'));
  const reviewed = page.waitForResponse('**/*dryRun=All*');
  answer();
  await reviewed;
  await expect(save).not.toHaveAttribute('aria-busy');
  const dialog = page.getByRole('dialog', { name: 'Save Instance hello' });
  await expect(dialog).toBeHidden();
  await save.click();
  await expect(dialog.getByRole('region', { name: 'After saving, by a dry run' })).toContainText('typed: after');
});
