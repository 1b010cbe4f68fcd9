import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { compileCondition } from '@/lib/schema/cel/compile-condition';
import { NOT_AN_OWN_STEP } from './own-step-condition';

const asksTheWebhook = compileCondition(NOT_AN_OWN_STEP);
const scheduled = { planName: 'deploy', uid: 'u1', status: 'NEVER_RUN' };

/** An Instance with a scheduled plan; parts may be replaced. */
function instance(spec: JsonObject = {}, rest: { record?: string; status?: JsonObject; deleted?: boolean } = {}) {
  const { record = '{"uid":"u1"}', status, deleted = false } = rest;
  return {
    metadata: {
      name: 'a',
      annotations: { [ACTED_UPON_ANNOTATION]: record },
      ...(deleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: { operatorVersion: { name: 'op-1' }, parameters: { A: '1' }, planExecution: scheduled, ...spec },
    ...(status === undefined ? {} : { status }),
  };
}

const statusOf = (status: string, uid = 'u1') => ({ planStatus: { deploy: { name: 'deploy', uid, status } } });
const asks = (oldObject: JsonObject | null, object: JsonObject, operation = 'UPDATE') =>
  asksTheWebhook({ object, oldObject, request: { operation } });

const begun = instance({ planExecution: { ...scheduled, status: 'IN_PROGRESS' } });
const over = instance({}, { status: statusOf('COMPLETE') });

describe('the condition under which the API server asks the webhook', () => {
  it('leaves out that the scheduled plan begins, and that one that is over is taken off', () => {
    expect(asks(instance(), begun)).toBe(false);
    expect(asks(over, instance({ planExecution: {} }))).toBe(false);
    expect(asks(instance({}, { status: statusOf('FATAL_ERROR') }), instance({ planExecution: {} }))).toBe(false);
    const { planExecution: _, ...spec } = over.spec;
    expect(asks(over, { ...over, spec })).toBe(false);
  });

  it('asks about every create', () => {
    expect(asks(null, instance(), 'CREATE')).toBe(true);
  });

  it('asks when version, parameters or the record change beside it', () => {
    const { planExecution } = begun.spec;
    expect(asks(instance(), instance({ planExecution, parameters: { A: '2' } }))).toBe(true);
    expect(asks(instance(), instance({ planExecution, operatorVersion: { name: 'op-2' } }))).toBe(true);
    expect(asks(instance(), instance({ planExecution }, { record: '{}' }))).toBe(true);
    expect(asks(over, instance({ planExecution: {}, parameters: { A: '2' } }))).toBe(true);
    expect(asks(over, instance({ planExecution: {} }, { record: '{}' }))).toBe(true);
  });

  it('asks about another plan, another uid and every other status', () => {
    const changes = [
      { planName: 'backup' },
      { uid: 'u2' },
      { status: 'COMPLETE' },
      { status: 'FATAL_ERROR' },
      { status: '' },
    ];
    for (const change of changes) {
      const sent = instance({ planExecution: { ...scheduled, status: 'IN_PROGRESS', ...change } });
      expect(asks(instance(), sent), JSON.stringify(change)).toBe(true);
    }
  });

  it('asks when a plan is taken off that is not over, or another execution of it is', () => {
    const cleared = instance({ planExecution: {} });
    expect(asks(instance(), cleared)).toBe(true);
    expect(asks(instance({}, { status: statusOf('IN_PROGRESS') }), cleared)).toBe(true);
    expect(asks(instance({}, { status: statusOf('COMPLETE', 'u0') }), cleared)).toBe(true);
    expect(asks(instance({}, { status: {} }), cleared)).toBe(true);
    expect(asks(over, instance({ planExecution: { uid: 'u1' } }))).toBe(true);
  });

  it('asks about an Instance without a record, one that is idle and one that is being deleted', () => {
    const bare = { ...instance(), metadata: { name: 'a' } };
    expect(asks(bare, { ...begun, metadata: { name: 'a' } })).toBe(true);
    expect(asks(instance({ planExecution: {} }), begun)).toBe(true);
    expect(asks(instance({ planExecution: { planName: '', uid: '' } }), begun)).toBe(true);
    expect(asks(instance({}, { deleted: true, status: statusOf('COMPLETE') }), instance({ planExecution: {} }))).toBe(
      true,
    );
  });

  it('never fails, whatever is missing', () => {
    const odd: JsonObject[] = [
      {},
      { spec: {} },
      { metadata: {}, spec: { planExecution: {} } },
      { spec: { parameters: {} } },
    ];
    for (const before of [...odd, instance()])
      for (const after of [...odd, begun]) expect(asks(before, after)).toBeTypeOf('boolean');
  });
});
