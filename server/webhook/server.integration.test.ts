import { connect as connectPlain } from 'node:net';
import { connect } from 'node:tls';
import { Agent, request as send } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import type { JsonObject } from '@/lib/json/json';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import { KUDO_API_VERSION, type OperatorVersion } from '@/lib/kudo/types';
import { limits } from '@/lib/limits/limits';
import { type Random, randomInteger, seededRandom, systemRandom } from '@/lib/random/random';
import { silentLog } from '@/server/log/log';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { keepCertificates } from './certificates';
import { createJudge } from './judge';
import { WEBHOOK_PATH } from './registration';
import { startWebhookServer, type WebhookServer } from './server';

const version: OperatorVersion = {
  apiVersion: KUDO_API_VERSION,
  kind: 'OperatorVersion',
  metadata: { name: 'v1', namespace: 'n' },
  spec: { plans: { deploy: {} }, parameters: [{ name: 'A' }, { name: 'FIXED', immutable: true, default: 'ä' }] },
};

let world: VirtualEngine;
let server: WebhookServer;
let bugs: string[];
let isReady = true;
const agent = new Agent({ connect: { rejectUnauthorized: false } });

beforeAll(async () => {
  world = await startVirtualEngine({ mode: 'no-controllers' });
  bugs = [];
  const judge = createJudge({
    fingerprints: TEST_FINGERPRINTS,
    api: {
      ...world.people,
      get: ({ name }) => (name === 'v1' ? Promise.resolve(version) : Promise.reject(new Error('the API is away'))),
    },
    clock: systemClock,
    random: systemRandom,
    watchedVersion: (namespace, name) => (namespace === 'n' && name === 'v1' ? version : undefined),
  });
  server = await startWebhookServer(
    {
      listen: { host: '127.0.0.1', port: 0 },
      judge,
      clock: systemClock,
      log: { ...silentLog, error: (event, fields) => void bugs.push(`${event} ${JSON.stringify(fields)}`) },
      isReady: () => isReady,
      words: () => 'starts',
    },
    keepCertificates(undefined, { names: ['127.0.0.1'], nowMs: systemClock.now(), random: systemRandom }),
  );
});
afterAll(async () => {
  await agent.destroy();
  await server.stop();
  await world.stop();
  expect(bugs).toEqual([]);
});

interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path?: string;
  readonly type?: string;
  readonly body?: string | Buffer | null;
}

async function call({ method = 'POST', path = WEBHOOK_PATH, type = 'application/json', body = null }: Sent) {
  const url = `https://127.0.0.1:${server.port}${path}`;
  const response = await send(url, { dispatcher: agent, method, headers: { 'content-type': type }, body });
  return { status: response.statusCode, text: await response.body.text() };
}

const instance = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: KUDO_API_VERSION,
  kind: 'Instance',
  metadata: { name: 'i' },
  spec: { operatorVersion: { name: 'v1' }, ...spec },
});
const review = (request: JsonObject = {}, apiVersion = 'admission.k8s.io/v1') => ({
  apiVersion,
  kind: 'AdmissionReview',
  request: {
    uid: 'r1',
    operation: 'CREATE',
    namespace: 'n',
    resource: { group: 'kudo.dev', version: 'v1beta1', resource: 'instances' },
    object: instance(),
    ...request,
  },
});

async function ask(request: JsonObject = {}, apiVersion?: string): Promise<JsonObject> {
  const { status, text } = await call({ body: JSON.stringify(review(request, apiVersion)) });
  expect(status, text).toBe(200);
  return JSON.parse(text) as JsonObject;
}

describe('the webhook server', () => {
  it.each(['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'])(
    'T-20 answers a review of %s in the same version',
    async (apiVersion) => {
      const { kind, apiVersion: answered, response } = await ask({}, apiVersion);
      expect([kind, answered]).toEqual(['AdmissionReview', apiVersion]);
      expect(response).toMatchObject({ uid: 'r1', allowed: true, patchType: 'JSONPatch' });
      const { patch } = response as { patch: string };
      expect(JSON.parse(Buffer.from(patch, 'base64').toString('utf8'))).toContainEqual({
        op: 'add',
        path: '/spec/parameters',
        value: { FIXED: 'ä' },
      });
    },
  );

  it('tells a refusal in the reason, an object that is none with 400, and passes what is not its business', async () => {
    const stored = instance({ parameters: { A: '1' } });
    const unknown = { operation: 'UPDATE', oldObject: stored, object: instance({ parameters: { B: '1' } }) };
    expect((await ask(unknown)).response).toEqual({
      uid: 'r1',
      allowed: false,
      status: {
        code: 403,
        reason: 'failed to update Instance n/i: parameter "B" is not defined in OperatorVersion "v1"',
      },
    });
    const broken = { object: instance({ parameters: { A: [] } }) };
    expect((await ask(broken)).response).toMatchObject({ allowed: false, status: { code: 400 } });
    expect((await ask({ operation: 'DELETE' })).response).toEqual({ uid: 'r1', allowed: true });
    expect((await ask({ operation: 'UPDATE', oldObject: stored, object: stored })).response).toEqual({
      uid: 'r1',
      allowed: true,
    });
  });

  it('gives no answer at all when it cannot read what it needs, so that the edit is taken and judged later', async () => {
    const request = { object: instance({ operatorVersion: { name: 'v2' } }) };
    expect((await call({ body: JSON.stringify(review(request)) })).status).toBe(500);
  });

  it('says whether it lives and whether it is trusted', async () => {
    expect(await call({ method: 'GET', path: '/healthz' })).toEqual({ status: 200, text: 'ok\n' });
    isReady = false;
    expect((await call({ method: 'GET', path: '/readyz' })).status).toBe(503);
    isReady = true;
    expect((await call({ method: 'GET', path: '/readyz' })).status).toBe(200);
  });
});

describe('strangers', () => {
  it.each<[string, Sent, number]>([
    ['another path', { path: '/' }, 404],
    ['a path that looks like ours', { path: `${WEBHOOK_PATH}/../x`, body: '{}' }, 404],
    ['another method', { method: 'GET' }, 405],
    ['another content type', { type: 'text/plain', body: '{}' }, 415],
    ['nothing', {}, 400],
    ['text', { body: 'hello' }, 400],
    ['bytes that are no text', { body: Buffer.from([0xff, 0xfe, 0x00]) }, 400],
    ['a deep body', { body: `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}` }, 400],
  ])('get a plain answer to %s', async (_what, sent, status) => {
    expect((await call(sent)).status).toBe(status);
  });

  it('cannot fill the memory: a body beyond the limit is cut', async () => {
    const body = Buffer.alloc(limits.reviewBytes + 1_000_000, 'a');
    const outcome = await call({ body }).then(
      ({ status }) => status,
      () => 'cut',
    );
    expect([413, 'cut']).toContain(outcome);
    await ask();
  });

  it('cannot disturb others: half requests, noise and plain HTTP end their own connection only', async () => {
    const ended = (socket: { on(event: string, run: () => void): unknown }) =>
      new Promise<void>((resolve) => {
        socket.on('close', resolve);
        socket.on('error', () => undefined);
      });
    const noise = connectPlain(server.port, '127.0.0.1', () => noise.write(Buffer.alloc(1_000, 7)));
    const plain = connectPlain(server.port, '127.0.0.1', () => plain.write('GET / HTTP/1.1\r\n\r\n'));
    const half = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false }, () => {
      half.write(
        `POST ${WEBHOOK_PATH} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
      );
    });
    half.on('error', () => undefined);
    await Promise.all([ended(noise), ended(plain)]);
    await ask();
    half.destroy();
    await ended(half);
    await ask();
  });

  const seed = process.env.BRAVO_SEED ?? 'review-1';
  it(`get an answer to whatever they make of a review (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const original = review({
      operation: 'UPDATE',
      oldObject: instance(),
      object: instance({ parameters: { A: '1' } }),
    });
    for (let round = 0; round < 300; round++) {
      const text = JSON.stringify(mutated(original, random));
      const { status } = await call({ body: text });
      expect([200, 400, 500], text).toContain(status);
    }
    expect(bugs).toEqual([]);
  });
});

const STRANGE: readonly unknown[] = [
  null,
  0,
  -1,
  '',
  'x'.repeat(5_000),
  [],
  {},
  [null],
  true,
  { __proto__: null },
  'UPDATE',
  'CREATE',
];

/** A copy with one to three members replaced or taken away. */
function mutated(value: unknown, random: Random): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  for (let count = 1 + randomInteger(random, 3); count > 0; count--) change(copy, random);
  return copy;
}

function change(value: unknown, random: Random): void {
  if (typeof value !== 'object' || value === null) return;
  const members = value as { [key: string]: unknown };
  const keys = Object.keys(members);
  const key = keys[randomInteger(random, Math.max(1, keys.length))];
  if (key === undefined) return;
  if (randomInteger(random, 3) > 0 && typeof members[key] === 'object' && members[key] !== null)
    change(members[key], random);
  else if (randomInteger(random, 4) === 0) delete members[key];
  else members[key] = STRANGE[randomInteger(random, STRANGE.length)];
}
