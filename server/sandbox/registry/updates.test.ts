import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '@/lib/json/json';
import { systemRandom } from '@/lib/random/random';
import { type Sandbox, startSandbox } from '../sandbox';

/** What kube-apiserver 1.20.2 was seen to answer; the sandbox is asked the same. */
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({
    port: 'none',
    mode: 'no-controllers',
    podDelayMs: 0,
    clock: systemClock,
    random: systemRandom,
  });
});
afterAll(() => sandbox.stop());

async function ask(method: string, path: string, body?: object): Promise<{ status: number; body: JsonObject }> {
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { authorization: `Bearer ${sandbox.adminToken}`, 'content-type': contentType };
  const answer = await sandbox.inject({ method, path, headers, body: JSON.stringify(body ?? {}) });
  const pieces: Uint8Array[] = [];
  for await (const piece of answer.body) pieces.push(piece);
  return { status: answer.status, body: parseJsonObject(Buffer.concat(pieces).toString('utf8')) ?? {} };
}

function causesOf(body: JsonObject): string[] {
  const { causes } = objectAt(body, 'details');
  return (Array.isArray(causes) ? causes : []).filter(isJsonObject).map((cause) => stringAt(cause, 'field') ?? '');
}

const metadata = { name: 'a' };
const storage = { apiVersion: 'storage.k8s.io/v1', metadata };
const LEASE = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata };
const SERVICES = '/api/v1/namespaces/default/services';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const CLASSES = '/apis/storage.k8s.io/v1/storageclasses';
const RANGES = '/api/v1/namespaces/default/limitranges';

const OBJECTS: readonly [collection: string, object: object][] = [
  [SERVICES, { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }] } }],
  [LEASES, LEASE],
  [CLASSES, { ...storage, kind: 'StorageClass', provisioner: 'a/b' }],
  [RANGES, { apiVersion: 'v1', kind: 'LimitRange', metadata, spec: { limits: [] } }],
];

describe('updates and deletions, kind by kind', () => {
  beforeAll(async () => {
    for (const [collection, object] of OBJECTS) expect((await ask('POST', collection, object)).status).toBe(201);
  });

  it.each([
    [SERVICES, ['metadata.uid', 'metadata.uid']],
    [CLASSES, ['metadata.uid', 'metadata.uid']],
    [RANGES, ['metadata.uid']],
  ])(
    '%s: a changed uid is reported as often as Kubernetes reports it, and nothing else',
    async (collection, causes) => {
      const { status, body } = await ask('PATCH', `${collection}/a`, { metadata: { uid: 'x' } });
      expect([status, causesOf(body)]).toEqual([422, causes]);
    },
  );

  it('a lease is replaced only by who names the version that is replaced', async () => {
    const { status, body } = await ask('PUT', `${LEASES}/a`, LEASE);
    expect([status, causesOf(body)]).toEqual([422, ['metadata.resourceVersion']]);
  });

  it.each([CLASSES, SERVICES])('%s: who deletes is given the object', async (collection) => {
    const { status, body } = await ask('DELETE', `${collection}/a`);
    expect([status, stringAt(body, 'metadata', 'name')]).toEqual([200, 'a']);
  });
});
