import { describe, expect, it } from 'vitest';
import type { Instance, PlanStatus } from '@/lib/kudo/types';
import { awaitedPlan, executionUids } from './await-plan';

const instance = (planStatus: { [plan: string]: PlanStatus }): Instance => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'i' },
  status: { planStatus },
});
const ended = (name: string, uid: string, second: number): PlanStatus => ({
  name,
  uid,
  status: 'COMPLETE',
  lastUpdatedTimestamp: `2026-01-01T00:00:0${second}Z`,
});

describe('the plan to wait for', () => {
  it('is the running one, else the one that ended last', () => {
    const statuses = { a: ended('a', '1', 1), b: ended('b', '2', 2), c: { name: 'c', status: 'NEVER_RUN' as const } };
    expect(awaitedPlan(instance(statuses))?.name).toBe('b');
    const running = { ...statuses, c: { name: 'c', uid: '3', status: 'PENDING' as const } };
    expect(awaitedPlan(instance(running))?.name).toBe('c');
    expect(awaitedPlan(instance({}))).toBeUndefined();
  });

  it('is the new execution, also when an earlier one ended in the same second', () => {
    const before = executionUids(instance({ a: ended('a', '1', 5) }));
    for (const name of ['0-first', 'z-last']) {
      expect(awaitedPlan(instance({ a: ended('a', '1', 5), [name]: ended(name, '2', 5) }), before)?.name).toBe(name);
    }
  });

  it('is PENDING between an accepted trigger and the first reconcile, whatever the status of the previous execution', () => {
    const phases = [{ name: 'main', status: 'COMPLETE' as const, steps: [{ name: 's', status: 'COMPLETE' as const }] }];
    const before = instance({ a: { ...ended('a', '1', 1), phases } });
    const accepted = { ...before, spec: { planExecution: { planName: 'a', uid: '2', status: 'NEVER_RUN' as const } } };
    expect(awaitedPlan(accepted)).toEqual({
      name: 'a',
      uid: '2',
      status: 'PENDING',
      phases: [{ name: 'main', status: 'PENDING', steps: [{ name: 's', status: 'PENDING' }] }],
    });
    const begun = {
      ...accepted,
      status: { planStatus: { a: { ...ended('a', '2', 3), status: 'IN_PROGRESS' as const } } },
    };
    expect(awaitedPlan(begun)?.status).toBe('IN_PROGRESS');
  });
});
