import { describe, expect, it } from 'vitest';
import type { Instance, PlanStatus } from '@/lib/kudo/types';
import { instanceRow } from './instance-row';
import { driftedState } from './instance-state';
import { calmText, needsAttention, recentPlans, worstFirst } from './overview-lists';

const row = (name: string, planStatus: { [plan: string]: PlanStatus }) => {
  const instance: Instance = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name, namespace: 'demo' },
    spec: { operatorVersion: { name: 'db-1' } },
    status: { planStatus },
  };
  return instanceRow(instance, new Map(), false);
};
const ended = (status: PlanStatus['status'], at: string): PlanStatus =>
  ({ status, lastUpdatedTimestamp: at }) as PlanStatus;

describe('needsAttention', () => {
  it('is true for failures, not for plans that run', () => {
    expect(needsAttention(row('a', { backup: ended('FATAL_ERROR', '2026-01-01T00:00:00Z') }))).toBe(true);
    expect(needsAttention(row('b', { backup: ended('IN_PROGRESS', '2026-01-01T00:00:00Z') }))).toBe(false);
    expect(needsAttention(row('c', { deploy: ended('COMPLETE', '2026-01-01T00:00:00Z') }))).toBe(false);
  });
});

describe('drift', () => {
  const calm = row('c', { deploy: ended('COMPLETE', '2026-01-01T00:00:00Z') });
  const drifted = { ...calm, state: driftedState(calm.state, 2) };

  it('needs attention, listed after failed and waiting instances', () => {
    expect(needsAttention(drifted)).toBe(true);
    const failed = row('z', { deploy: ended('FATAL_ERROR', '2026-01-01T00:00:00Z') });
    expect([drifted, failed].sort(worstFirst)[0]).toBe(failed);
  });
});

describe('calmText', () => {
  const healthy = row('a', { deploy: ended('COMPLETE', '2026-01-01T00:00:00Z') });
  const runs = row('b', { deploy: ended('IN_PROGRESS', '2026-01-01T00:00:00Z') });

  it('counts healthy instances', () => {
    expect(calmText([healthy], 'checked')).toBe('1 instance is healthy.');
    expect(calmText([healthy, healthy, healthy], 'checked')).toBe('All 3 instances are healthy.');
    expect(calmText([healthy, runs], 'checked')).toBe('No instance needs attention: 1 healthy, 1 running.');
  });

  it('does not say that instances are healthy before their objects were compared', () => {
    expect(calmText([healthy], 'checking')).toBe('No plan failed. Comparing the objects with what plans applied…');
    expect(calmText([healthy], 'unknown')).toBe(
      'No plan failed. Drift is not checked here; open an instance to see it.',
    );
  });
});

describe('worstFirst', () => {
  it('puts failures before what waits, and names in order', () => {
    const failed = (name: string) => row(name, { deploy: ended('FATAL_ERROR', '2026-01-01T00:00:00Z') });
    const unready = { key: 'demo/a', state: { key: 'unhealthy', word: 'Not ready', reason: '', detail: '' } } as const;
    const rows = [unready, failed('z'), failed('b')].sort(worstFirst);
    expect(rows.map(({ key }) => key)).toEqual(['demo/b', 'demo/z', 'demo/a']);
  });
});

describe('recentPlans', () => {
  it('lists plans that ended, newest first, up to the limit', () => {
    const rows = [
      row('a', {
        deploy: ended('COMPLETE', '2026-01-01T00:00:00Z'),
        backup: ended('FATAL_ERROR', '2026-01-03T00:00:00Z'),
      }),
      row('b', {
        deploy: ended('COMPLETE', '2026-01-02T00:00:00Z'),
        backup: ended('IN_PROGRESS', '2026-01-04T00:00:00Z'),
      }),
    ];
    expect(recentPlans(rows, 2).map(({ row: { name }, plan }) => [name, plan.name, plan.status])).toEqual([
      ['a', 'backup', 'FATAL_ERROR'],
      ['b', 'deploy', 'COMPLETE'],
    ]);
  });
});
