import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { systemRandom } from '@/lib/random/random';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { changeParameters } from './change-parameters';
import { triggerPlan } from './trigger-plan';

/** With its webhook the controller says at the write which execution begins. */
let engine: Engine;
const NS = 'begun';
const key = { namespace: NS, name: 'a' };
const plan = {
  strategy: 'serial',
  phases: [{ name: 'p', strategy: 'serial', steps: [{ name: 's', tasks: ['none'] }] }],
};

beforeAll(async () => {
  engine = await startEngine({ webhook: true });
  await createNamespace(engine.api, NS);
  const version = await createOperator(engine.api, NS, 'plain', {
    parameters: [{ name: 'SIZE', default: '1' }],
    tasks: [{ name: 'none', kind: 'Dummy', spec: { done: true } }],
    plans: { deploy: plan, backup: plan },
  });
  await createInstance(engine.api, NS, key.name, version);
  await planEnds(engine.api, NS, key.name, { plan: 'deploy' });
});
afterAll(() => engine.stop());

const runOf = (uid: string | undefined) =>
  eventually(`the run of execution ${uid}`, async () => {
    const { items } = await engine.api.list({ ...PLAN_RUNS, namespace: NS });
    return (items as PlanRun[]).find(({ spec }) => spec?.uid === uid);
  });

describe('the answer of a write that begins a plan', () => {
  it('names the execution that its PlanRun has, of an edit', async () => {
    const { plan: started, uid } = await changeParameters(engine.api, key, { parameters: { SIZE: '2' }, seen: {} });
    expect([started, typeof uid]).toEqual(['deploy', 'string']);
    expect((await runOf(uid)).spec).toMatchObject({ plan: 'deploy', cause: 'Parameters' });
    await planEnds(engine.api, NS, key.name, { plan: 'deploy' });
  });

  it('names it of a plan that was triggered', async () => {
    const { uid } = await triggerPlan(engine.api, key, { plan: 'backup' }, systemRandom);
    expect((await runOf(uid)).spec).toMatchObject({ plan: 'backup', cause: 'Manual' });
  });
});
