import { describe, expect, it } from 'vitest';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { testRun } from '@/lib/kudo/runs/runs-fixture';
import type { Fact, StoreChange } from './fact';
import { violationsOf } from './facts-fixture';
import { oneRecord } from './one-record';

const of = (object: PlanRun, before?: PlanRun): StoreChange => ({
  fact: 'change',
  atMs: 0,
  type: before === undefined ? 'ADDED' : 'MODIFIED',
  resource: 'bravo.kudo.dev/planruns',
  object,
  before,
});
const later: Fact = { fact: 'copy', of: 'a cache', held: new Map(), truth: new Map() };

describe('I14, one record', () => {
  it('reports two records of one execution, and one without a cause', () => {
    expect(violationsOf(oneRecord, [of(testRun(1)), of(testRun(2, {}, { uid: 'execution 1' }))])).toEqual([
      'I14: n/db-backup-2 and n/db-backup-1 are records of one execution',
    ]);
    const { cause: _, ...spec } = testRun(1).spec ?? {};
    expect(violationsOf(oneRecord, [of({ ...testRun(1), spec })])).toHaveLength(1);
  });

  it('reports a record that changes after its end, but not that its Instance is gone', () => {
    const ended = testRun(1, { status: 'COMPLETE' });
    const changed = testRun(1, { status: 'FATAL_ERROR' });
    const orphan = testRun(1, { status: 'COMPLETE', instanceGoneAt: '2026-01-01T00:00:00Z' });
    expect(violationsOf(oneRecord, [of(ended), of(changed, ended)])).toEqual([
      'I14: run n/db-backup-1 changed after its end',
    ]);
    expect(violationsOf(oneRecord, [of(ended), of(orphan, ended)])).toEqual([]);
  });

  it('reports a record that stays open when nothing runs', () => {
    expect(violationsOf(oneRecord, [of(testRun(1)), later])).toEqual([
      'I14: run n/db-backup-1 is open, and its execution is not under way',
    ]);
    expect(violationsOf(oneRecord, [of(testRun(1, { status: 'COMPLETE' })), later])).toEqual([]);
  });

  it('reports an execution without a record', () => {
    const instance = { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata: { name: 'db', uid: 'db' } };
    const status = { planStatus: { deploy: { uid: 'unknown', status: 'COMPLETE' } } };
    expect(violationsOf(oneRecord, [{ fact: 'rest', instance: { ...instance, status } }])).toHaveLength(1);
  });
});
