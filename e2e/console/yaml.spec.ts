import { type APIRequestContext, test } from '@playwright/test';
import { expectFits } from '../../test/browser/looks';
import { expect, fetchObject } from './fixtures';

// The browser logs each refusal of the API server as an error of the page: this test is not quiet.

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
