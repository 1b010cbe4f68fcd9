import type { APIRequestContext } from '@playwright/test';
import { expectAccessible, expectFits } from '../../test/browser/looks';
import { saveObjectOf } from '../../test/browser/save-object';
import { expect, fetchObject, test } from './fixtures';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const CRONTABS = '/apis/stable.example.com/v1/namespaces/demo/crontabs';

/** The CronTab of the Kubernetes documentation, with a rule, a list, a map and an open part. */
const CRONTAB = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'crontabs.stable.example.com' },
  spec: {
    group: 'stable.example.com',
    scope: 'Namespaced',
    names: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', shortNames: ['ct'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [
          { name: 'Spec', type: 'string', description: 'The cron spec.', jsonPath: '.spec.cronSpec' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                description: 'What runs, and when.',
                required: ['cronSpec', 'image'],
                properties: {
                  cronSpec: { type: 'string', pattern: '^(\\d+|\\*)(/\\d+)?(\\s+(\\d+|\\*)(/\\d+)?){4}$' },
                  image: {
                    type: 'string',
                    'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'The image is immutable.' }],
                  },
                  replicas: { type: 'integer', minimum: 1, maximum: 10, default: 1, description: 'How many at once.' },
                  env: { type: 'object', additionalProperties: { type: 'string' } },
                  steps: {
                    type: 'array',
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, port: { 'x-kubernetes-int-or-string': true } },
                    },
                  },
                  extra: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
            },
          },
        },
      },
    ],
  },
};

async function create(request: APIRequestContext, path: string, data: object) {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await expect
    .poll(async () => (await request.post(`/api/kube${path}`, { headers: { origin }, data })).status())
    .toBe(201);
}

test('an object of a kind is created and edited by a form that changes nothing else in its YAML', async ({
  page,
  request,
}) => {
  await create(request, CRDS, CRONTAB);
  await page.goto('/resources/create?group=stable.example.com&version=v1&plural=crontabs&namespace=demo');
  const form = page.locator('[data-object-form]');
  await form.getByLabel('name', { exact: true }).fill('my-cron');
  await form.getByLabel('cronSpec').fill('* * *');
  await form.getByLabel('image', { exact: true }).fill('my-awesome-cron-image');
  const wrong = page.getByRole('region', { name: 'Problems in the form' });
  await expect(wrong).toContainText('spec.cronSpec');
  await expect(form.getByLabel('cronSpec')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('button', { name: 'Create', exact: true })).toHaveAccessibleDescription(/cronSpec/);
  await form.getByLabel('cronSpec').fill('* * * * */5');
  await expect(wrong).toHaveCount(0);

  // Optional fields are added by name; each kind of field once.
  const add = form.getByRole('button', { name: 'Add field to spec' });
  const addField = async (name: string) => {
    await add.click();
    await form.getByRole('searchbox', { name: 'Fields of spec' }).fill(name);
    await page.keyboard.press('Enter');
  };
  await addField('many at once');
  await expect(form.getByLabel('replicas')).toBeFocused();
  await expect(form.getByLabel('replicas')).toHaveValue('1');
  await form.getByLabel('replicas').fill('11');
  await expect(wrong).toContainText('less than or equal to 10');
  await form.getByLabel('replicas').fill('3');
  await addField('steps');
  await form.getByLabel('name', { exact: true }).last().fill('first');
  await form.getByRole('button', { name: 'Add item to steps' }).click();
  await form.getByLabel('name', { exact: true }).last().fill('second');
  await form.getByRole('button', { name: 'Add field to item 2' }).click();
  await form.getByRole('button', { name: /^port/ }).click();
  await form.getByLabel('port').fill('8080');
  await form.getByRole('button', { name: 'Move item 2 of steps up' }).click();
  await addField('env');
  await form.getByLabel('New key of env').fill('A.b/c');
  await page.keyboard.press('Enter');
  await form.getByLabel('A.b/c').fill('no');
  await addField('extra');
  await form.getByLabel('extra').fill('a: [1, two]');
  await expectFits(page);

  // The YAML has it all, and the form keeps what is written there.
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('tab', { name: 'YAML' }).click();
  const editor = page.getByRole('textbox', { name: 'YAML of the new objects' });
  await expect(editor).toContainText('A.b/c: "no"');
  await page.getByText('replicas: 3').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' # three zones');
  await page.getByRole('tab', { name: 'Form' }).click();
  await form.getByLabel('replicas').fill('4');
  await page.getByRole('tab', { name: 'YAML' }).click();
  await expect(editor).toContainText('replicas: 4 # three zones');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByText('Created', { exact: true })).toBeVisible();
  expect((await fetchObject(request, `${CRONTABS}/my-cron`))?.spec).toEqual({
    cronSpec: '* * * * */5',
    image: 'my-awesome-cron-image',
    replicas: 4,
    steps: [{ name: 'second', port: 8080 }, { name: 'first' }],
    env: { 'A.b/c': 'no' },
    extra: { a: [1, 'two'] },
  });

  // Edited: what cannot change says so, and one draft is seen by the form and the YAML.
  await page.getByRole('link', { name: 'CronTab my-cron' }).click();
  await page.getByRole('link', { name: 'Form', exact: true }).click();
  await expect(form.getByLabel('image', { exact: true })).not.toBeEditable();
  await expect(form.getByText('The image is immutable.')).toBeVisible();
  await form.getByLabel('replicas').fill('5');
  await page.getByRole('link', { name: 'YAML', exact: true }).click();
  await expect(page.getByText('replicas: 5')).toBeVisible();
  await page.getByRole('link', { name: 'Form', exact: true }).click();
  await expectAccessible(page);
  await saveObjectOf(page);
  await expect(page.getByText('Saved my-cron')).toBeVisible();
  expect((await fetchObject(request, `${CRONTABS}/my-cron`))?.spec?.replicas).toBe(5);
});
