import { violations } from '../../test/browser/looks';
import { createObject, expect, instanceKubePath, test } from './fixtures';

const IMAGE = 'registry.example/nonexistent:1';
const KUDO = '/apis/kudo.dev/v1beta1/namespaces/default';

const web = `apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Name }}-web"}
spec:
  replicas: 2
  selector: {matchLabels: {app: "{{ .Name }}"}}
  template:
    metadata: {labels: {app: "{{ .Name }}"}}
    spec: {containers: [{name: web, image: "{{ .Params.IMAGE }}"}]}
`;

test.beforeAll(async ({ request }) => {
  await createObject(request, `${KUDO}/operators`, { kind: 'Operator', metadata: { name: 'unpulled' }, spec: {} });
  await createObject(request, `${KUDO}/operatorversions`, {
    kind: 'OperatorVersion',
    metadata: { name: 'unpulled-1.0' },
    spec: {
      version: '1.0',
      operator: { name: 'unpulled' },
      parameters: [{ name: 'IMAGE', default: IMAGE }],
      templates: { 'web.yaml': web },
      tasks: [{ name: 'web', kind: 'Apply', spec: { resources: ['web.yaml'] } }],
      plans: {
        deploy: {
          strategy: 'serial',
          phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'web', tasks: ['web'] }] }],
        },
      },
    },
  });
  await createObject(request, `${KUDO}/instances`, {
    kind: 'Instance',
    metadata: { name: 'unpulled' },
    spec: { operatorVersion: { name: 'unpulled-1.0' } },
  });
});

test.afterAll(async ({ request }) => {
  const origin = new URL((await request.get('/api/health')).url()).origin;
  await request.delete(`/api/kube${instanceKubePath('default', 'unpulled')}`, { headers: { origin } });
});

test('one paragraph names the image and what to do, and the chain below it leads there; the header says it in short', async ({
  page,
}) => {
  await page.goto('/instances/default/unpulled');
  const problem = page.getByRole('region', { name: 'Problem' });
  const headline = `Step web of phase main in plan deploy waits: Image ${IMAGE} cannot be pulled.`;
  await expect(problem.getByRole('paragraph')).toContainText(headline);
  await expect(problem.getByRole('paragraph')).toContainText('Plan deploy goes on by itself when that is done.');
  await expect(problem.getByRole('term')).toHaveText(['Step', 'Object', 'Pod', 'Event']);
  await expect(problem).toContainText('container web, and 1 more pod');
  await expect(problem).toContainText(`Failed: Failed to pull image "${IMAGE}"`);
  await expect(problem).toContainText('Correct the name or tag of the image');
  await expect(problem.getByRole('link', { name: 'Edit IMAGE' })).toHaveAttribute(
    'href',
    '/instances/default/unpulled/parameters',
  );
  await expect(page.getByText('Waiting: Deployment unpulled-web: ImagePullBackOff')).toBeVisible();
  await expect(page.locator('main').getByText(/cannot be pulled/)).toHaveCount(1);
  expect(await violations(page)).toEqual([]);
});
