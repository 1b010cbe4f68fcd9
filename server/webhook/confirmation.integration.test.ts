import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  getInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { saying, WIPE, wiping } from '@/test/operators/destructive-operator';
import { CONFIGURATION_NAME, CONFIGURATIONS } from './registration';

const NS = 'confirming';
let engine: Engine;
let version: string;

const NEEDS = {
  preconditions: [{ expression: 'has(objects.key)', message: 'Create ConfigMap {instance}-key first.' }],
  objects: [{ name: 'key', apiVersion: 'v1', kind: 'ConfigMap', objectName: '{{ .Name }}-key' }],
};

beforeAll(async () => {
  engine = await startEngine({ webhook: true });
  await createNamespace(engine.api, NS);
  version = await createOperator(engine.api, NS, 'op', wiping());
  const annotations = saying({ wipe: { ...WIPE, ...NEEDS } });
  await engine.api.patch({ ...OPERATOR_VERSIONS, namespace: NS, name: version }, 'merge', {
    metadata: { annotations },
  });
  await eventually('the webhook is registered', () => engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME }));
  await eventually('the webhook knows the plan', async () => {
    const found = await engine.api.get({ ...OPERATOR_VERSIONS, namespace: NS, name: version });
    return found?.metadata.annotations !== undefined;
  });
});
afterAll(() => engine?.stop());

const patch = (name: string, body: JsonObject, dryRun = false) =>
  engine.api.patch({ ...INSTANCES, namespace: NS, name }, 'merge', body, dryRun ? { dryRun: true } : {});
const confirmed = (name: string) => ({ metadata: { annotations: { [CONFIRM_ANNOTATION]: `wipe/${name}` } } });
/** What KUDO's `plan trigger` sends. */
const trigger = (uid: string) => ({ spec: { operatorVersion: {}, planExecution: { planName: 'wipe', uid } } });
const createKey = (name: string) =>
  engine.api.create(
    { group: '', version: 'v1', resource: 'configmaps', namespace: NS },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-key`, namespace: NS } },
  );

async function deployed(name: string): Promise<void> {
  await createInstance(engine.api, NS, name, version);
  await planEnds(engine.api, NS, name, { plan: 'deploy' });
}

describe('the webhook and a destructive plan', () => {
  it('refuses a start while a precondition does not hold, then without a confirmation, then lets it pass once', async () => {
    await deployed('a');
    await expect(patch('a', trigger('a1'))).rejects.toThrow(
      'plan "wipe" cannot start. Create ConfigMap {instance}-key first',
    );
    await createKey('a');
    await expect(patch('a', trigger('a2'))).rejects.toThrow(
      'All data are deleted. To confirm it once, run `kubectl annotate --overwrite -n confirming instances.kudo.dev a bravo.kudo.dev/confirm=wipe/a`',
    );
    expect((await getInstance(engine.api, NS, 'a'))?.spec?.planExecution?.planName ?? '').toBe('');

    const written = await patch('a', { ...confirmed('a'), ...trigger('a3') });
    expect(written.metadata.annotations).not.toHaveProperty([CONFIRM_ANNOTATION]);
    await planEnds(engine.api, NS, 'a', { plan: 'wipe' });
    await expect(patch('a', trigger('a4'))).rejects.toThrow('was not confirmed');
  });

  it('uses a confirmation up that was given before, and a dry run uses none', async () => {
    await deployed('b');
    await createKey('b');
    await patch('b', confirmed('b'));
    const tried = await patch('b', trigger('b1'), true);
    expect(tried.metadata.annotations).not.toHaveProperty([CONFIRM_ANNOTATION]);
    const still = await getInstance(engine.api, NS, 'b');
    expect(still?.metadata.annotations?.[CONFIRM_ANNOTATION]).toBe('wipe/b');
    await patch('b', { spec: { parameters: { FROM: 'monday' } } });
    await planEnds(engine.api, NS, 'b', { plan: 'wipe' });
    const after = await getInstance(engine.api, NS, 'b');
    expect(after?.metadata.annotations).not.toHaveProperty([CONFIRM_ANNOTATION]);
  });

  it('lets one of two starts at the same time pass that share a confirmation', async () => {
    await deployed('c');
    await createKey('c');
    await patch('c', confirmed('c'));
    const results = await Promise.allSettled([patch('c', trigger('c1')), patch('c', trigger('c2'))]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await planEnds(engine.api, NS, 'c', { plan: 'wipe' });
  });

  it("answers KUDO's own plan trigger with the message, which the old client prints", async () => {
    await deployed('d');
    await createKey('d');
    const response = await engine.api.raw({
      method: 'PATCH',
      path: `/apis/kudo.dev/v1beta1/namespaces/${NS}/instances/d`,
      headers: { 'content-type': 'application/merge-patch+json', 'user-agent': 'kubectl-kudo/v0.19.0' },
      body: JSON.stringify(trigger('44444444-4444-4444-8444-444444444444')),
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    expect(response.status).toBe(403);
    expect(JSON.parse(Buffer.concat(chunks).toString('utf8'))).toMatchObject({
      kind: 'Status',
      message: expect.stringContaining('To confirm it once, run `kubectl annotate --overwrite -n confirming'),
    });
  });
});
