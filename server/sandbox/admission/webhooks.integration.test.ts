import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net';
import { Agent, request as send } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import type { JsonObject } from '@/lib/json/json';
import { systemRandom } from '@/lib/random/random';
import { type Sandbox, startSandbox } from '../sandbox';
import { makeAuthority, makeServerCertificate } from '../tls/certificates';

/** What the webhook under test answers, besides the uid. */
type Answer = (request: JsonObject) => JsonObject;

let sandbox: Sandbox;
let client: Client;
let server: Server;
let asked: JsonObject[];
let answer: Answer;
let registration: { url: string; caBundle: string };
/** What the sandbox's clock is ahead of the machine's. */
let aheadMs: number;

beforeEach(async () => {
  asked = [];
  aheadMs = 0;
  answer = () => ({ allowed: true });
  const issue = { nowMs: systemClock.now(), serial: Buffer.from([1, ...systemRandom.bytes(15)]) };
  const authority = makeAuthority(issue);
  const certificate = makeServerCertificate(authority, issue);
  server = createServer({ key: certificate.keyPem, cert: certificate.certificatePem }, (request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const review = JSON.parse(text) as { request: JsonObject };
      asked.push(review.request);
      const body = {
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: { uid: review.request.uid, ...answer(review.request) },
      };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  registration = {
    url: `https://127.0.0.1:${port}/admit`,
    caBundle: Buffer.from(authority.certificatePem).toString('base64'),
  };
  sandbox = await startSandbox({
    port: 0,
    mode: 'no-controllers',
    podDelayMs: 0,
    clock: { ...systemClock, now: () => systemClock.now() + aheadMs },
    random: systemRandom,
  });
  client = connect(sandbox);
});

afterEach(async () => {
  await sandbox.stop();
  await new Promise((resolve) => server.close(resolve));
});

interface Client {
  create(path: string, body: JsonObject): Promise<Reply>;
  patch(path: string, body: JsonObject): Promise<Reply>;
  apply(path: string, body: JsonObject): Promise<Reply>;
  get(path: string): Promise<Reply>;
  remove(path: string): Promise<Reply>;
}

interface Reply {
  readonly status: number;
  readonly body: JsonObject;
}

function connect({ url, caPem, kubeconfig }: Sandbox): Client {
  const dispatcher = new Agent({ connect: { ca: caPem } });
  const token = /token: (\S+)/.exec(kubeconfig)?.[1] ?? '';
  const call = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: JsonObject,
    type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
  ): Promise<Reply> => {
    const response = await send(url + path, {
      dispatcher,
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.statusCode, body: (await response.body.json()) as JsonObject };
  };
  return {
    create: (path, body) => call('POST', path, body),
    patch: (path, body) => call('PATCH', path, body),
    apply: (path, body) => call('PATCH', `${path}?fieldManager=test`, body, 'application/apply-patch+yaml'),
    get: (path) => call('GET', path),
    remove: (path) => call('DELETE', path),
  };
}

async function register(kind: 'Mutating' | 'Validating', more: JsonObject = {}): Promise<void> {
  await client.create(`/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: `test-${kind.toLowerCase()}` },
    webhooks: [
      {
        name: 'check.test.dev',
        clientConfig: registration,
        rules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE', 'UPDATE', 'DELETE'],
            resources: ['configmaps'],
          },
        ],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...more,
      },
    ],
  });
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const configMap = (data: JsonObject = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data });
const patchOf = (operations: JsonObject[]) => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

describe('webhooks of the sandbox', () => {
  it('a mutating webhook changes what is stored', async () => {
    await register('Mutating');
    answer = () => patchOf([{ op: 'add', path: '/data/added', value: 'yes' }]);
    const { status, body } = await client.create(CONFIG_MAPS, configMap({ own: '1' }));
    expect(status).toBe(201);
    expect(body.data).toEqual({ own: '1', added: 'yes' });
    expect(asked[0]).toMatchObject({
      operation: 'CREATE',
      name: 'a',
      namespace: 'default',
      userInfo: { groups: expect.arrayContaining(['system:masters']) },
    });
  });

  it('an update shows the webhook the old and the new object', async () => {
    await client.create(CONFIG_MAPS, configMap({ own: '1' }));
    await register('Validating');
    await client.patch(`${CONFIG_MAPS}/a`, { data: { own: '2' } });
    expect(asked[0]).toMatchObject({
      operation: 'UPDATE',
      object: { data: { own: '2' } },
      oldObject: { data: { own: '1' } },
    });
  });

  it('a denial reaches the client in the words of the API server, and nothing is stored', async () => {
    await register('Validating');
    answer = () => ({ allowed: false, status: { code: 403, message: 'not today' } });
    const { status, body } = await client.create(CONFIG_MAPS, configMap());
    expect(status).toBe(403);
    expect(body.message).toBe('admission webhook "check.test.dev" denied the request: not today');
    expect((await client.get(`${CONFIG_MAPS}/a`)).status).toBe(404);
  });

  it('a webhook that is away refuses under Fail and is passed over under Ignore', async () => {
    registration = { ...registration, url: 'https://127.0.0.1:9/gone' };
    await register('Validating');
    const refused = await client.create(CONFIG_MAPS, configMap());
    expect(refused.status).toBe(500);
    expect(refused.body.message).toContain('failed calling webhook "check.test.dev"');
    await client.remove('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/test-validating');
    await register('Validating', { failurePolicy: 'Ignore' });
    expect((await client.create(CONFIG_MAPS, configMap())).status).toBe(201);
  });

  it('a webhook is asked only when all its match conditions hold', async () => {
    await register('Validating', {
      matchConditions: [
        { name: 'update', expression: "request.operation == 'UPDATE'" },
        { name: 'grows', expression: 'int(object.data.size) > int(oldObject.data.size)' },
      ],
    });
    await client.create(CONFIG_MAPS, configMap({ size: '1' }));
    await client.patch(`${CONFIG_MAPS}/a`, { data: { size: '1' }, metadata: { labels: { x: 'y' } } });
    expect(asked).toEqual([]);
    await client.patch(`${CONFIG_MAPS}/a`, { data: { size: '2' } });
    expect(asked.length).toBe(1);
  });

  it('a match condition that cannot be evaluated refuses under Fail and passes the webhook over under Ignore', async () => {
    const matchConditions = [{ name: 'broken', expression: 'object.data.missing == "x"' }];
    await register('Validating', { matchConditions });
    const refused = await client.create(CONFIG_MAPS, configMap());
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('no such key: data')]);
    await client.remove('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/test-validating');
    await register('Validating', { matchConditions, failurePolicy: 'Ignore' });
    expect((await client.create(CONFIG_MAPS, configMap())).status).toBe(201);
    expect(asked).toEqual([]);
  });

  it('a deletion is shown too, and can be denied', async () => {
    await client.create(CONFIG_MAPS, configMap());
    await register('Validating');
    answer = ({ operation }) => ({ allowed: operation !== 'DELETE' });
    expect((await client.remove(`${CONFIG_MAPS}/a`)).status).toBe(400);
    expect((await client.get(`${CONFIG_MAPS}/a`)).status).toBe(200);
  });

  it('an invalid object is refused as invalid, whatever a validating webhook says', async () => {
    await register('Validating');
    answer = () => ({ allowed: false, status: { message: 'by the webhook' } });
    const invalid = { ...configMap(), metadata: { name: 'Not_Valid' } };
    expect((await client.create(CONFIG_MAPS, invalid)).status).toBe(422);
    expect((await client.create(CONFIG_MAPS, configMap({ other: '1' }))).body.message).toContain('by the webhook');
    expect((await client.get(`${CONFIG_MAPS}/a`)).status).toBe(404);
  });

  it('other resources, and namespaces that the selector leaves out, are not shown', async () => {
    await register('Validating', { namespaceSelector: { matchLabels: { watched: 'yes' } } });
    await client.create(CONFIG_MAPS, configMap());
    await client.create('/api/v1/namespaces/default/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
    });
    expect(asked).toEqual([]);
  });

  it('a webhook that thinks for seconds about a server-side apply is asked once', async () => {
    await register('Mutating');
    answer = () => {
      aheadMs += 3_000;
      return { allowed: true };
    };
    expect((await client.apply(`${CONFIG_MAPS}/a`, configMap({ own: '1' }))).status).toBe(201);
    expect((await client.apply(`${CONFIG_MAPS}/a`, configMap({ own: '2' }))).body.data).toEqual({ own: '2' });
    expect(asked.map(({ operation }) => operation)).toEqual(['CREATE', 'UPDATE']);
  });

  it('a webhook that takes the connection and never says a word is given up when its time is over', async () => {
    const connections: Socket[] = [];
    const silent = createPlainServer((socket) => void connections.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    registration.url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/admit`;
    await register('Mutating', { failurePolicy: 'Ignore', timeoutSeconds: 1 });
    expect((await client.create(CONFIG_MAPS, configMap({ own: '1' }))).status).toBe(201);
    expect(connections).toHaveLength(1);
    for (const socket of connections) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('a write that overtakes another while its webhook thinks makes it be asked again about the new state', async () => {
    await client.create(CONFIG_MAPS, configMap({ own: '1' }));
    await register('Mutating');
    let overtaken = false;
    answer = () => {
      if (!overtaken) {
        overtaken = true;
        const key = { group: '', version: 'v1', resource: 'configmaps', namespace: 'default', name: 'a' };
        sandbox.api.patch(key, { data: { between: 'yes' } });
      }
      return { allowed: true };
    };
    const { body } = await client.patch(`${CONFIG_MAPS}/a`, { data: { own: '2' } });
    expect(body.data).toEqual({ own: '2', between: 'yes' });
    expect(asked).toHaveLength(2);
  });
});
