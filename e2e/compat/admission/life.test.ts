import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { runQueueOf } from '@/lib/kudo/queue/run-queue';
import { type Instance, KUDO_API_VERSION } from '@/lib/kudo/types';
import { CONFIGURATION_NAME, CONFIGURATIONS } from '@/server/webhook/registration';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  getInstance,
  patchInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { VERSIONS } from '@/test/operators/admission-versions';
import { plan, task } from '@/test/operators/templates';

const NS = 'life';
const CLEANUP = 'kudo.dev.instance.cleanup';
const HOLD = 'test.bravo.dev/hold';

let engine: Engine;

beforeAll(async () => {
  engine = await startEngine({ webhook: true });
  await createNamespace(engine.api, NS);
  await createNamespace(engine.api, 'other');
  for (const spec of Object.values(VERSIONS)) await createOperator(engine.api, NS, 'case', spec);
  await createOperator(engine.api, 'other', 'case', { version: 'far', plans: VERSIONS.plain?.plans ?? {}, tasks: [] });
  const isRegistered = async () =>
    (await engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME })) !== undefined;
  await eventually('the webhook is registered', isRegistered);
});
afterAll(() => engine?.stop());

const put = (name: string, spec: JsonObject, metadata: JsonObject = {}): Promise<Instance> =>
  engine.api.create(
    { ...INSTANCES, namespace: NS },
    { apiVersion: KUDO_API_VERSION, kind: 'Instance', metadata: { name, namespace: NS, ...metadata }, spec },
  ) as Promise<Instance>;
const target = (name: string) => ({ ...INSTANCES, namespace: NS, name });
const refers = (version: string, more: JsonObject = {}) => ({ operatorVersion: { name: `case-${version}` }, ...more });
const read = async (name: string) => (await getInstance(engine.api, NS, name)) as Instance;
const denied = (words: string, code = 403) => ({
  cause:
    code === 403 ? { code, reason: expect.stringContaining(words) } : { code, message: expect.stringContaining(words) },
});

describe('admission of a new Instance', () => {
  it('ADM-01 ADM-02 is scheduled to deploy under a new uid, whatever was sent, and has no status yet', async () => {
    for (const planExecution of [{}, { planName: 'backup', uid: 'mine', status: 'COMPLETE' }]) {
      const { spec, status } = await put(
        `new-${Object.keys(planExecution).length}`,
        refers('plain', { planExecution }),
      );
      expect(spec?.planExecution).toEqual({ planName: 'deploy', uid: expect.stringMatching(/^[0-9a-f-]{36}$/) });
      expect(status).toBeUndefined();
    }
  });

  it('ADM-03 ADM-04 is refused without its version (500) and without a deploy plan (403)', async () => {
    await expect(put('none', refers('nowhere'))).rejects.toMatchObject(denied('is not in namespace', 500));
    await expect(put('none', refers('up-none'))).rejects.toMatchObject(denied('has no "deploy" plan'));
    await expect(put('none', refers('up-required'))).rejects.toMatchObject(denied('"need"'));
    expect(await getInstance(engine.api, NS, 'none')).toBeUndefined();
  });

  it('ADM-05 ADM-06 has the finalizer exactly once when there is a cleanup plan', async () => {
    const finalizers = [CLEANUP];
    expect((await put('once', refers('leaving'), { finalizers })).metadata.finalizers).toEqual(finalizers);
    expect((await put('gets', refers('leaving'))).metadata.finalizers).toEqual(finalizers);
    expect((await put('without', refers('plain'))).metadata.finalizers).toBeUndefined();
  });

  it('ADM-07 uses the OperatorVersion in the namespace that it names', async () => {
    const spec = { operatorVersion: { name: 'case-far', namespace: 'other' } };
    expect((await put('far', spec)).spec?.planExecution?.planName).toBe('deploy');
    await expect(put('near', { operatorVersion: { name: 'case-far' } })).rejects.toMatchObject(denied('', 500));
  });

  it('supports a dry run, which shows the result without storing it', async () => {
    const sent = { apiVersion: KUDO_API_VERSION, kind: 'Instance', metadata: { name: 'dry' }, spec: refers('plain') };
    const shown = (await engine.api.create({ ...INSTANCES, namespace: NS }, sent, { dryRun: true })) as Instance;
    expect(shown.spec?.planExecution?.planName).toBe('deploy');
    expect(await getInstance(engine.api, NS, 'dry')).toBeUndefined();
  });
});

describe('admission of an existing Instance', () => {
  it('ADM-08 ADM-09 lets everybody change labels and finalizers, even when its OperatorVersion does not exist', async () => {
    const spec = { ...VERSIONS.plain, version: 'gone' };
    await createOperator(engine.api, NS, 'case', spec);
    await createInstance(engine.api, NS, 'meta', 'case-gone');
    const before = await planEnds(engine.api, NS, 'meta', { plan: 'deploy' });
    await engine.api.delete({ ...OPERATOR_VERSIONS, namespace: NS, name: 'case-gone' });
    const metadata = { labels: { a: 'b' }, finalizers: ['test.bravo.dev/other'] };
    const after = await engine.api.patch(target('meta'), 'merge', { metadata });
    expect(after.metadata).toMatchObject(metadata);
    expect(after.spec).toEqual(before.spec);
    await engine.api.patch(target('meta'), 'merge', { metadata: { finalizers: null } });
    await expect(patchInstance(engine.api, NS, 'meta', { parameters: { foo: 'x' } })).rejects.toMatchObject(
      denied('OperatorVersion "case-gone" is not in namespace', 500),
    );
  });

  it.each(['COMPLETE', 'FATAL_ERROR'] as const)(
    'ADM-17 ADM-18 %s written over a running plan empties planExecution at once and ends the plan',
    async (status) => {
      const name = `ends-${status.toLowerCase().replace('_', '-')}`;
      const { spec } = await put(name, refers('busy'));
      const { uid } = spec?.planExecution ?? {};
      await eventually(
        'the plan runs',
        async () => (await read(name)).status?.planStatus?.deploy?.status === 'IN_PROGRESS',
      );
      const after = (await patchInstance(engine.api, NS, name, { planExecution: { status } })) as Instance;
      expect(after.spec?.planExecution).toEqual({});
      const isOver = async () => (await read(name)).status?.planStatus?.deploy?.status === status;
      await eventually('the plan has that status', isOver);
      expect((await read(name)).status?.planStatus?.deploy?.uid).toBe(uid);
    },
  );

  it('ADM-61 the API does not call the webhook for a write of the status', async () => {
    await put('status', refers('busy'));
    await eventually('the plan runs', async () => (await read('status')).status?.planStatus !== undefined);
    const uid = (await read('status')).spec?.planExecution?.uid;
    await engine.api.patch(
      target('status'),
      'merge',
      { status: { planStatus: { other: { name: 'other' } } } },
      { subresource: 'status' },
    );
    expect((await read('status')).spec?.planExecution?.uid).toBe(uid);
  });
});

describe('admission of a parent and its child', () => {
  it('KOP-14 (Bravo) a child that runs another plan stores the edit of its parent, which waits until the child has acted upon it', async () => {
    const kid = await createOperator(engine.api, NS, 'kid', {
      parameters: [{ name: 'A', default: '1' }],
      tasks: [task('quick', 'Dummy', { done: true }), task('stuck', 'Dummy')],
      plans: { deploy: plan(['run', 'quick']), hang: plan(['run', 'stuck']) },
    });
    const parent = await createOperator(engine.api, NS, 'parent', {
      parameters: [{ name: 'A', default: '1' }],
      templates: { 'values.yaml': 'A: "{{ .Params.A }}"\n' },
      tasks: [task('kid', 'KudoOperator', { package: 'kid', operatorVersion: '0.1.0', parameterFile: 'values.yaml' })],
      plans: { deploy: plan(['run', 'kid']) },
    });
    expect([kid, parent]).toEqual(['kid-0.1.0', 'parent-0.1.0']);
    await createInstance(engine.api, NS, 'family', parent);
    const first = await planEnds(engine.api, NS, 'family', { plan: 'deploy' });
    await patchInstance(engine.api, NS, 'family-kid', { planExecution: { planName: 'hang', uid: 'mine' } });
    await patchInstance(engine.api, NS, 'family', { parameters: { A: '2' } });
    const step = async () => (await read('family')).status?.planStatus?.deploy?.phases?.[0]?.steps?.[0];
    const waiting = async () => runQueueOf(await read('family-kid')).entries.map((entry) => entry.plan);
    await eventually('the edit waits', async () => (await waiting()).includes('deploy'));
    expect((await step())?.status).toBe('IN_PROGRESS');
    expect((await read('family-kid')).spec?.planExecution?.planName).toBe('hang');
    await patchInstance(engine.api, NS, 'family-kid', { planExecution: { status: 'COMPLETE' } });
    await planEnds(engine.api, NS, 'family', { plan: 'deploy', notUid: first.status?.planStatus?.deploy?.uid });
    expect((await read('family-kid')).spec?.parameters).toEqual({ A: '2' });
  });
});

describe('admission of an Instance that is being deleted', () => {
  it('ADM-54 ADM-55 refuses parameters and versions, and accepts labels', async () => {
    await put('idle', refers('plain'), { finalizers: [HOLD] });
    await planEnds(engine.api, NS, 'idle', { plan: 'deploy' });
    await engine.api.delete(target('idle'));
    const edits = [{ parameters: { foo: 'x' } }, { operatorVersion: { name: 'case-up-all' } }];
    for (const edit of edits)
      await expect(patchInstance(engine.api, NS, 'idle', edit)).rejects.toMatchObject(denied('it is being deleted'));
    await engine.api.patch(target('idle'), 'merge', { metadata: { labels: { a: 'b' } } });
    await engine.api.patch(target('idle'), 'merge', { metadata: { finalizers: null } });
    expect(await getInstance(engine.api, NS, 'idle')).toBeUndefined();
  });

  it('ADM-57 ADM-58 keeps its cleanup plan, and accepts a terminal status for it', async () => {
    await put('cleaned', refers('leaving'));
    await planEnds(engine.api, NS, 'cleaned', { plan: 'deploy' });
    await engine.api.delete(target('cleaned'));
    const status = async () => (await read('cleaned')).status?.planStatus?.cleanup?.status;
    await eventually('cleanup runs', async () => (await status()) === 'IN_PROGRESS');
    for (const planExecution of [{ planName: 'deploy', uid: 'mine' }, null]) {
      await expect(patchInstance(engine.api, NS, 'cleaned', { planExecution })).rejects.toMatchObject(
        denied('"cleanup" plan can neither'),
      );
    }
    const kept = (await patchInstance(engine.api, NS, 'cleaned', {
      planExecution: { status: 'COMPLETE' },
    })) as Instance;
    expect(kept.spec?.planExecution).toMatchObject({ planName: 'cleanup', status: 'COMPLETE' });
    await engine.api.patch(target('cleaned'), 'merge', { metadata: { finalizers: null } });
  });

  it('ADM-59 (fixed, T-17) accepts a status of the plan that was running', async () => {
    await put('held', refers('busy'), { finalizers: [HOLD] });
    await eventually(
      'the plan runs',
      async () => (await read('held')).status?.planStatus?.deploy?.status === 'IN_PROGRESS',
    );
    await engine.api.delete(target('held'));
    await patchInstance(engine.api, NS, 'held', { planExecution: { status: 'ERROR' } });
    await engine.api.patch(target('held'), 'merge', { metadata: { finalizers: null } });
  });
});
