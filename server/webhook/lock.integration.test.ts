import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { BREAK_LOCK_ANNOTATION, LOCK_ANNOTATION, lockOf } from '@/lib/kudo/lock/instance-lock';
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
import { wiping } from '@/test/operators/destructive-operator';
import { CONFIGURATION_NAME, CONFIGURATIONS } from './registration';

const NS = 'locking';
const UNTIL = '2999-01-01T00:00:00Z';
let engine: Engine;
let version: string;

beforeAll(async () => {
  engine = await startEngine({ webhook: true });
  await createNamespace(engine.api, NS);
  version = await createOperator(engine.api, NS, 'op', wiping());
  await eventually('the webhook is registered', () => engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME }));
});
afterAll(() => engine?.stop());

const patch = (name: string, body: JsonObject) =>
  engine.api.patch({ ...INSTANCES, namespace: NS, name }, 'merge', body);
const annotate = (name: string, annotations: JsonObject) => patch(name, { metadata: { annotations } });
const lock = (name: string, more: JsonObject = {}) =>
  annotate(name, { [LOCK_ANNOTATION]: JSON.stringify({ reason: 'sale', until: UNTIL, ...more }) });

async function deployed(name: string): Promise<void> {
  await createInstance(engine.api, NS, name, version);
  await planEnds(engine.api, NS, name, { plan: 'deploy' });
}

describe('the webhook and a locked Instance', () => {
  it('writes down who locked it, whatever the person says, and names that in the refusal', async () => {
    await deployed('a');
    const locked = await lock('a', { by: 'mallory', since: '2020-01-01T00:00:00Z' });
    const { by, since } = lockOf(locked) ?? {};
    expect(by).not.toBe('mallory');
    expect(by).not.toBeUndefined();
    expect(since).not.toBe('2020-01-01T00:00:00Z');
    const words = `Instance ${NS}/a is locked by ${by} until ${UNTIL}: sale. Unlock it with \`bravo unlock a -n ${NS}\``;
    await expect(patch('a', { spec: { parameters: { A: 'b' } } })).rejects.toThrow(words);
    await expect(patch('a', { spec: { planExecution: { planName: 'deploy', uid: 'a1' } } })).rejects.toThrow(words);
    const still = await getInstance(engine.api, NS, 'a');
    expect(still?.spec).not.toHaveProperty('parameters.A');
  });

  it('lets one start pass that breaks the lock, and the run says so', async () => {
    await deployed('b');
    await lock('b');
    const notUid = (await getInstance(engine.api, NS, 'b'))?.status?.planStatus?.deploy?.uid;
    const written = await patch('b', {
      metadata: { annotations: { [BREAK_LOCK_ANNOTATION]: 'disk full' } },
      spec: { parameters: { A: 'b' } },
    });
    expect(written.metadata.annotations).not.toHaveProperty([BREAK_LOCK_ANNOTATION]);
    await planEnds(engine.api, NS, 'b', { plan: 'deploy', notUid });
    const run = await eventually('the run says so', async () => {
      const target = { group: 'bravo.kudo.dev', version: 'v1alpha1', resource: 'planruns', namespace: NS };
      return engine.api.get({ ...target, name: 'b-deploy-2' });
    });
    expect(run).toMatchObject({ spec: { reason: 'disk full', cause: 'Parameters' } });
    await expect(patch('b', { spec: { parameters: { A: 'c' } } })).rejects.toThrow('is locked by');
  });

  it('refuses a text that is no lock', async () => {
    await deployed('c');
    await expect(annotate('c', { [LOCK_ANNOTATION]: 'until tomorrow' })).rejects.toThrow(
      'the annotation bravo.kudo.dev/lock must be JSON',
    );
  });
});
