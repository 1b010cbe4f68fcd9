import type { APIRequestContext, Page } from '@playwright/test';
import { expect, fetchObject, instanceKubePath, planCompleted, test } from './fixtures';
import { PAYLOADS } from './xss-payloads';

const NAMESPACE = 'xss';
const ALL = PAYLOADS.join('\n');
const KUDO = `/apis/kudo.dev/v1beta1/namespaces/${NAMESPACE}`;

async function create(request: APIRequestContext, path: string, data: object): Promise<void> {
  const answer = await request.post(`/api/kube${path}`, { headers: { 'sec-fetch-site': 'same-origin' }, data });
  if (answer.status() !== 409) expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
}

const at = (index: number) => PAYLOADS[index % PAYLOADS.length] ?? '';
const parameters = PAYLOADS.map((text, index) => ({
  name: `P${index}`,
  displayName: text,
  description: text,
  default: text,
}));

/** A template must render YAML, so the texts reach the objects through parameters. */
const JOB = `apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Name }}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: say
          image: busybox
          env:
            - name: TEXT
              value: ${JSON.stringify(ALL)}
          command: ["sh", "-c", "echo \\"$TEXT\\""]
`.replaceAll('{{constructor', '{ {constructor');

const version = (name: string, template: string) => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: {
    name: `${name}-1.0.0`,
    annotations: {
      note: ALL,
      'bravo.kudo.dev/parameter-schema': JSON.stringify({
        parameters: Object.fromEntries(
          PAYLOADS.map((text, index) => [`P${index}`, { group: text, displayName: text, hint: text }]),
        ),
        groups: PAYLOADS.map((text) => ({ name: text, displayName: text, description: text })),
      }),
    },
  },
  spec: {
    operator: { kind: 'Operator', name },
    version: '1.0.0',
    appVersion: at(0),
    parameters,
    templates: { 'job.yaml': template },
    tasks: [{ name: at(5), kind: 'Apply', spec: { resources: ['job.yaml'] } }],
    plans: {
      deploy: {
        strategy: 'serial',
        phases: [{ name: at(9), strategy: 'serial', steps: [{ name: at(10), tasks: [at(5)] }] }],
      },
      [at(7)]: { strategy: 'serial', phases: [] },
    },
  },
});

async function seed(request: APIRequestContext): Promise<void> {
  await create(request, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  for (const [name, template] of [
    ['talks', JOB],
    ['broken', `{{ fail ${JSON.stringify(at(5))} }}`],
  ] as const) {
    await create(request, `${KUDO}/operators`, {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Operator',
      metadata: { name, annotations: { note: ALL } },
      spec: { description: ALL, url: at(22), maintainers: PAYLOADS.map((text) => ({ name: text, email: text })) },
    });
    await create(request, `${KUDO}/operatorversions`, version(name, template));
    await create(request, `${KUDO}/instances`, {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name, annotations: { note: ALL }, labels: { 'kudo.dev/operator': name } },
      spec: {
        operatorVersion: { name: `${name}-1.0.0` },
        parameters: Object.fromEntries(PAYLOADS.map((text, index) => [`P${index}`, text])),
      },
    });
  }
  await create(request, `/api/v1/namespaces/${NAMESPACE}/configmaps`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'texts',
      annotations: Object.fromEntries(PAYLOADS.map((text, index) => [`note-${index}`, text])),
    },
    data: Object.fromEntries(PAYLOADS.map((text, index) => [`key-${index}`, text])),
  });
  await seedEvents(request);
}

async function seedEvents(request: APIRequestContext): Promise<void> {
  const uid = (await fetchObject(request, instanceKubePath(NAMESPACE, 'talks')))?.metadata.uid;
  await Promise.all(
    PAYLOADS.map((text, index) =>
      create(request, `/api/v1/namespaces/${NAMESPACE}/events`, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: `event-${index}` },
        involvedObject: { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', namespace: NAMESPACE, name: 'talks', uid },
        type: 'Warning',
        reason: text.slice(0, 120),
        message: text,
        source: { component: text },
        lastTimestamp: new Date().toISOString(),
        count: 1,
      }),
    ),
  );
}

/** Records every dialog, every violation of the content security policy, and every request to another origin. */
async function guard(page: Page): Promise<string[]> {
  const found: string[] = [];
  page.on('dialog', async (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') found.push(`request: ${request.url()}`);
  });
  await page.exposeFunction('noteViolation', (text: string) => found.push(`policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      (window as unknown as { noteViolation(text: string): void }).noteViolation(
        `${violatedDirective} ${blockedURI} ${sample}`,
      );
    });
  });
  return found;
}

async function findings(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const hit: string[] = [];
    if ('pwned' in window) hit.push('something ran');
    for (const element of document.querySelectorAll('a[href], form[action], [src]')) {
      const target =
        element.getAttribute('href') ?? element.getAttribute('action') ?? element.getAttribute('src') ?? '';
      // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers pass over them in a scheme
      if (/^[\u0000-\u0020]*(javascript|data|vbscript)\s*:/i.test(target)) hit.push(`${element.tagName} ${target}`);
    }
    for (const bad of document.querySelectorAll(
      'main iframe, main object, main embed, main base, main script, main style',
    )) {
      hit.push(bad.outerHTML.slice(0, 80));
    }
    return hit;
  });
}

const TYPED = encodeURIComponent(at(5));
/** A page, and a part of a payload that it must show as text. */
const PAGES: readonly (readonly [path: string, shown: string | undefined])[] = [
  ['/', undefined],
  ['/instances', at(0)],
  [`/instances?q=${TYPED}`, undefined],
  [`/instances/${NAMESPACE}/talks`, at(7)],
  [`/instances/${NAMESPACE}/talks/parameters`, at(1)],
  [`/instances/${NAMESPACE}/talks/plans`, at(9)],
  [`/instances/${NAMESPACE}/talks/resources`, undefined],
  [`/instances/${NAMESPACE}/talks/logs`, at(1)],
  [`/instances/${NAMESPACE}/talks/events`, at(1)],
  [`/instances/${NAMESPACE}/talks/yaml`, undefined],
  [`/instances/${NAMESPACE}/broken`, at(5)],
  [`/instances/${NAMESPACE}/broken/plans`, at(5)],
  [`/instances/${NAMESPACE}/${TYPED}`, at(5)],
  ['/operators', undefined],
  ['/operators/talks/1.0.0', at(9)],
  [`/operators/${TYPED}/${TYPED}`, at(5)],
  ['/install', undefined],
  ['/resources/core/v1/events', at(5)],
  [`/resources/core/v1/configmaps?filter=${TYPED}`, at(5)],
  [`/resources/core/v1/configmaps/${NAMESPACE}/texts`, at(1)],
  [`/resources/core/v1/configmaps/${NAMESPACE}/texts/yaml`, undefined],
  [`/resources/kudo.dev/v1beta1/operatorversions/${NAMESPACE}/talks-1.0.0`, undefined],
  [`/resources/kudo.dev/v1beta1/operators/${NAMESPACE}/talks/yaml`, undefined],
  [`/resources/kudo.dev/v1beta1/${TYPED}`, undefined],
];

test('every page shows texts from the cluster as text and runs none of them', async ({ page, request }) => {
  await seed(request);
  await planCompleted(request, { namespace: NAMESPACE, name: 'talks' }, 'deploy');
  const found = await guard(page);
  for (const [path, shown] of PAGES) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeVisible();
    const text = page
      .getByText(shown ?? '')
      .filter({ visible: true })
      .first();
    if (shown !== undefined) await expect(text, `${path} shows it as text`).toBeVisible();
    expect(await findings(page), path).toEqual([]);
    expect(found, path).toEqual([]);
  }
});
