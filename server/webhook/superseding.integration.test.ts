import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { extraConditionOf } from '@/lib/kudo/plan/conditions';
import { runQueueOf } from '@/lib/kudo/queue/run-queue';
import type { Instance } from '@/lib/kudo/types';
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
import { withBackup } from '@/test/operators/backup-operator';
import { apply, deployment } from '@/test/operators/templates';
import { CONFIGURATION_NAME, CONFIGURATIONS } from './registration';

const NS = 'superseding';
let engine: Engine;
let version: string;

const registered = () =>
  eventually('the webhook is registered', () => engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME }));
const statusOf = async (name: string, plan: string) =>
  (await getInstance(engine.api, NS, name))?.status?.planStatus?.[plan];

beforeAll(async () => {
  engine = await startEngine({ webhook: true });
  await createNamespace(engine.api, NS);
  const templates = { 'd.yaml': deployment('{{ .Name }}', { image: 'nonexistent' }) };
  version = await createOperator(engine.api, NS, 'op', { ...withBackup(apply('a', 'd.yaml')), templates });
  await registered();
});
afterAll(() => engine?.stop());

/** An Instance whose pods cannot be pulled, before the controller has found that it makes no progress. */
async function waiting(name: string): Promise<void> {
  await createInstance(engine.api, NS, name, version);
  await eventually('its step says why it waits', async () => {
    const step = (await statusOf(name, 'deploy'))?.phases?.[0]?.steps?.[0];
    return step?.message?.includes('ImagePullBackOff');
  });
}

/** A minute of trouble has passed, as an earlier process saw it: the next one takes that over from the condition. */
async function stalled(name: string): Promise<void> {
  await engine.stopController();
  const conditions = [
    {
      type: 'Stalled',
      status: 'True',
      reason: 'ResourceNotReady',
      message: 'Plan deploy makes no progress.',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ];
  const target = { ...INSTANCES, namespace: NS, name };
  await engine.api.patch(target, 'merge', { status: { conditions } }, { subresource: 'status' });
  await engine.restartController();
  await registered();
}

async function saidInOwnWords(name: string): Promise<void> {
  await eventually('the controller says so in its own words', async () => {
    const instance = await getInstance(engine.api, NS, name);
    return (
      instance !== undefined && extraConditionOf(instance, 'Stalled')?.message.includes(`Deployment ${name}: 0 of 1`)
    );
  });
}

describe('an edit that meets a plan without progress at the API', () => {
  it('waits while the plan makes some, and takes its place when it makes none', async () => {
    await waiting('edited');
    const answer = await patchInstance(engine.api, NS, 'edited', { parameters: { B: 'two' } });
    expect(stringAt(answer, 'spec', 'planExecution', 'planName')).toBe('deploy');
    const { entries } = runQueueOf(answer as Instance);
    expect(entries).toMatchObject([{ plan: 'backup', cause: 'Parameters', by: expect.any(String) }]);
    await stalled('edited');
    const uid = entries[0]?.uid;
    const done = await planEnds(engine.api, NS, 'edited', { plan: 'backup' });
    expect(done.status?.planStatus?.backup?.uid).toBe(uid);
    expect(done.status?.planStatus?.deploy).toMatchObject({
      status: 'FATAL_ERROR',
      message: 'Plan backup took the place of this execution.',
    });
    expect(done.status?.conditions?.map(({ type }) => type)).toEqual(['Ready']);
  });

  it('does so too when a person asks for another plan', async () => {
    await waiting('asked');
    await patchInstance(engine.api, NS, 'asked', { planExecution: { planName: 'backup', uid: 'early' } });
    await stalled('asked');
    await saidInOwnWords('asked');
    const before = await getInstance(engine.api, NS, 'asked');
    expect(runQueueOf(before ?? { metadata: {} }).entries).toMatchObject([{ plan: 'backup', cause: 'Manual' }]);
    await patchInstance(engine.api, NS, 'asked', { planExecution: { planName: 'backup', uid: 'late' } });
    const done = await planEnds(engine.api, NS, 'asked', { plan: 'backup' });
    expect(done.status?.planStatus?.deploy?.status).toBe('FATAL_ERROR');
    expect(runQueueOf(done).entries).toEqual([]);
  });
});
