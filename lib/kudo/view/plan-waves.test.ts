import { describe, expect, it } from 'vitest';
import type { OperatorVersion } from '@/lib/kudo/types';
import { isDestructiveForAny, plansOfAll, waveGroups, waveUpgrade } from './plan-waves';

const version = (...plans: string[]): OperatorVersion => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'v' },
  spec: { plans: Object.fromEntries(plans.map((plan) => [plan, {}])) },
});
const row = (namespace: string, name: string, operator: string, ...plans: string[]) => ({
  ...{ namespace, name, operator },
  operatorVersionObject: version(...plans),
});

describe('plans in waves', () => {
  it('offers the plans that every Instance has', () => {
    const rows = [row('a', 'x', 'db', 'deploy', 'backup', 'check'), row('a', 'y', 'db', 'deploy', 'backup')];
    expect(plansOfAll(rows)).toEqual(['backup', 'deploy']);
    expect(plansOfAll([{ ...rows[0], operatorVersionObject: undefined } as never])).toEqual([]);
    expect(plansOfAll([])).toEqual([]);
  });

  it('makes one record for each operator and namespace', () => {
    const rows = [row('a', 'x', 'db'), row('b', 'y', 'db'), row('a', 'z', 'db'), row('a', 'q', 'mq')];
    expect(waveGroups(rows).map(({ namespace, operator, instances }) => [namespace, operator, instances])).toEqual([
      ['a', 'db', ['x', 'z']],
      ['b', 'db', ['y']],
      ['a', 'mq', ['q']],
    ]);
  });

  it('confirms a destructive plan with the name of the operator, and no other', () => {
    const group = { namespace: 'a', operator: 'db', instances: ['x'] };
    const wishes = { plan: 'restore', waveSize: 2, stopOnFailure: true, reason: ' drill ', isConfirmed: true };
    expect(waveUpgrade(group, wishes, 'restore-1')).toMatchObject({
      metadata: { name: 'restore-1', namespace: 'a' },
      spec: { plan: 'restore', waveSize: 2, pauseOnFailure: true, reason: 'drill', confirm: 'db' },
    });
    expect(waveUpgrade(group, { ...wishes, isConfirmed: false }, 'n').spec).not.toHaveProperty('confirm');
    expect(isDestructiveForAny([row('a', 'x', 'db', 'restore')], 'restore')).toBe(true);
    expect(isDestructiveForAny([row('a', 'x', 'db', 'backup')], 'backup')).toBe(false);
  });
});
