import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible, violations } from '../../test/browser/looks';
import { createObject, expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';

const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';
const GROUP = 'grove.example.org';
const PLACE = { namespace: 'default', name: 'grove' };

const web = `apiVersion: apps/v1
kind: Deployment
metadata: {name: grove-web}
spec:
  replicas: 2
  selector: {matchLabels: {app: grove}}
  template:
    metadata: {labels: {app: grove}}
    spec: {containers: [{name: web, image: "nginx:1.27"}]}
`;
const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: grove-settings}\ndata: {a: b}\n';
const widget = `apiVersion: ${GROUP}/v1\nkind: Widget\nmetadata: {name: grove-widget}\nspec: {}\n`;

/** A request of another client. */
async function send(request: APIRequestContext, method: 'POST' | 'PATCH' | 'DELETE', path: string, data?: object) {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  const type = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
  const response = await request.fetch(`/api/kube${path}`, {
    method,
    headers: { origin, 'content-type': type },
    ...(data === undefined ? {} : { data: JSON.stringify(data) }),
  });
  expect(response.ok(), await response.text()).toBe(true);
}

const definitionOf = (plural: string, kind: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const objectsOf = (plural: string) => `/apis/${GROUP}/v1/namespaces/default/${plural}`;

test.beforeAll(async ({ request }) => {
  for (const [plural, kind] of [
    ['widgets', 'Widget'],
    ['gadgets', 'Gadget'],
  ] as const) {
    await send(request, 'POST', DEFINITIONS, definitionOf(plural, kind));
    await expect.poll(() => fetchObject(request, objectsOf(plural))).toBeDefined();
  }

  await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: 'grove' }, spec: {} });
  const step = (name: string) => ({ name, strategy: 'serial', steps: [{ name: 'all', tasks: [name] }] });
  await createObject(request, `${KUDO}/operatorversions`, {
    kind: 'OperatorVersion',
    metadata: { name: 'grove-1.0' },
    spec: {
      version: '1.0',
      operator: { name: 'grove' },
      templates: { 'web.yaml': web, 'settings.yaml': settings, 'widget.yaml': widget },
      tasks: [
        { name: 'nodes', kind: 'Apply', spec: { resources: ['settings.yaml', 'web.yaml'] } },
        { name: 'extras', kind: 'Apply', spec: { resources: ['widget.yaml'] } },
      ],
      plans: { deploy: { strategy: 'serial', phases: [step('nodes'), step('extras')] } },
    },
  });
  await createObject(request, `${KUDO}/instances`, {
    kind: 'Instance',
    metadata: { name: 'grove' },
    spec: { operatorVersion: { name: 'grove-1.0' } },
  });
  await planCompleted(request, PLACE, 'deploy');
  const parent = await fetchObject(request, `${objectsOf('widgets')}/grove-widget`);
  const owner = { apiVersion: `${GROUP}/v1`, kind: 'Widget', name: 'grove-widget', uid: parent?.metadata.uid };
  await send(request, 'POST', objectsOf('gadgets'), {
    apiVersion: `${GROUP}/v1`,
    kind: 'Gadget',
    metadata: { name: 'made-elsewhere', ownerReferences: [owner] },
  });
});

test.afterAll(async ({ request }) => {
  await send(request, 'DELETE', instanceKubePath(PLACE.namespace, PLACE.name));
  for (const plural of ['widgets', 'gadgets']) await send(request, 'DELETE', `${DEFINITIONS}/${plural}.${GROUP}`);
});

const line = (page: Page, name: RegExp) => page.getByRole('treeitem', { name });
/** A parent names the child that is the reason of its health, so an object is not found by its name alone. */
const lineOf = (page: Page, object: string) => page.locator(`[role=treeitem][data-object="${object}"]`);
const DEPLOYMENT = 'apps/v1/deployments@default=grove-web';
const SETTINGS = 'core/v1/configmaps@default=grove-settings';
const panel = (page: Page) => page.locator('[data-object-panel]');
const title = (page: Page) => panel(page).locator('[data-panel-title]');

test('an Instance is a tree by phases, tasks and owners, gone through by keyboard, with one object in a panel', async ({
  page,
}) => {
  await page.goto('/instances/default/grove/resources');
  await expect(line(page, /Phase deploy \/ nodes/)).toHaveAttribute('aria-level', '2');
  await expect(line(page, /Task nodes/)).toHaveAttribute('aria-level', '3');
  await expect(line(page, /Deployment grove-web/)).toHaveAttribute('aria-level', '4');
  await expect(line(page, /Pod grove-web-/)).toHaveCount(2);
  await expect(line(page, /Pod grove-web-/).first()).toHaveAttribute('aria-level', '6');
  // Its kind is found by the owner: no task of the operator names it.
  await expect(line(page, /Gadget made-elsewhere/)).toHaveAttribute('aria-level', '5');
  await expectAccessible(page);

  await line(page, /Instance grove/).focus();
  await page.keyboard.type('deployment');
  await expect(line(page, /Deployment grove-web/)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(line(page, /ReplicaSet grove-web-/)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(line(page, /Pod grove-web-/)).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(line(page, /Pod grove-web-/).first()).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(panel(page).getByText('Not applied by a task')).toBeVisible();
  await expect(page).toHaveURL(/object=core%2Fv1%2Fpods%40default%3Dgrove-web-/);
  const first = (await title(page).textContent()) ?? '';
  await panel(page).getByRole('tab', { name: 'Logs' }).click();
  await expect(panel(page).getByRole('region', { name: `Log of ${first}, container web` })).toBeVisible();
  await page.keyboard.press('j');
  await expect(title(page)).not.toHaveText(first);
  // The view stays: the log of the next pod.
  await expect(panel(page).getByRole('region', { name: /^Log of grove-web-/ })).toBeVisible();
  const second = (await title(page).textContent()) ?? '';
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await expect(line(page, new RegExp(`Pod ${second}`))).toBeFocused();
  await expect(page).not.toHaveURL(/object=/);

  await line(page, /ConfigMap grove-settings/).click();
  await expect(panel(page)).toContainText('task nodes, plan deploy, step nodes / all');
  await panel(page).getByRole('tab', { name: 'Summary' }).click();
  await expect(panel(page).getByRole('link', { name: /^deploy / })).toHaveAttribute('href', /\/grove\/runs\//);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
});

test('the tree is live: a cause is named up to its phase, changed and deleted objects are marked, also in the graph', async ({
  page,
}) => {
  await page.goto('/instances/default/grove/resources');
  await expect(lineOf(page, SETTINGS)).toHaveAttribute('data-status', 'healthy');
  const containers = [{ name: 'web', image: 'registry.example/nonexistent:1' }];
  const patch = { spec: { strategy: { type: 'Recreate', rollingUpdate: null }, template: { spec: { containers } } } };
  await send(page.request, 'PATCH', '/apis/apps/v1/namespaces/default/deployments/grove-web', patch);
  await send(page.request, 'DELETE', '/api/v1/namespaces/default/configmaps/grove-settings');
  await expect(lineOf(page, DEPLOYMENT)).toContainText('changed outside');
  await expect(lineOf(page, DEPLOYMENT)).toContainText(/Pod grove-web-\S+: \S*ImagePull/);
  await expect(line(page, /Phase deploy \/ nodes/)).toContainText(/Pod grove-web-\S+: \S*ImagePull|was deleted/);
  // It is no object any more; its parents, which name it, are above it.
  await expect(line(page, /ConfigMap grove-settings/).last()).toContainText('was deleted');

  await page.getByRole('button', { name: /not healthy$/ }).click();
  await expect(line(page, /Gadget/)).toHaveCount(0);
  await page.getByRole('button', { name: /not healthy$/ }).click();
  await page.getByRole('tab', { name: 'Graph' }).click();
  const graph = page.getByRole('region', { name: 'Graph of the resources' });
  await expect(graph.getByRole('button', { name: /Deployment grove-web/ })).toBeVisible();
  await expectAccessible(page);
  await graph.getByRole('button', { name: /Gadget made-elsewhere/ }).click();
  await expect(panel(page).getByRole('link', { name: 'Widget grove-widget' })).toBeVisible();
  await panel(page).getByRole('tab', { name: 'YAML' }).click();
  await expect(panel(page).getByRole('region', { name: 'YAML of made-elsewhere' })).toContainText('kind: Gadget');
});

test('a list of any kind has the same panel', async ({ page }) => {
  await page.goto('/resources/core/v1/services');
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  const looks = page.getByRole('button', { name: /^Look at / });
  await expect(looks.nth(1)).toBeVisible();
  await looks.first().focus();
  await page.keyboard.press('Enter');
  await expect(panel(page).getByText(/^services · .* · 1 of /)).toBeVisible();
  await page.keyboard.press('j');
  await expect(panel(page).getByText(/^services · .* · 2 of /)).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(looks.nth(1)).toBeFocused();
});
