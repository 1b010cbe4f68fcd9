import { describe, expect, it } from 'vitest';
import type { RunPhase } from '@/lib/kudo/runs/plan-run';
import { testRun } from '@/lib/kudo/runs/runs-fixture';
import { compareSteps, runsToCompare, stepSeconds } from './compared-steps';
import { runRow } from './run-row';
import { stepLines, treeLines } from './run-tree-lines';

const lines = (...steps: NonNullable<RunPhase['steps']>) =>
  treeLines(testRun(1, { phases: [{ name: 'p', steps }] }), undefined);

describe('the steps of two runs', () => {
  it('are side by side, and those that only the earlier run had come last', () => {
    const before = lines({ name: 'old', seconds: 1 }, { name: 'both', seconds: 2 });
    const after = lines({ name: 'both', seconds: 5 }, { name: 'new' });
    expect(compareSteps(before, after).map((each) => [each.step, each.before?.seconds, each.after?.seconds])).toEqual([
      ['both', 2, 5],
      ['new', undefined, undefined],
      ['old', 1, undefined],
    ]);
  });

  it('last until now while they run, and have no duration before they begin', () => {
    const startedAt = '2026-01-01T00:00:00Z';
    const steps = stepLines(
      lines(
        { name: 'runs', status: 'IN_PROGRESS', startedAt },
        { name: 'done', status: 'COMPLETE', startedAt, seconds: 3 },
        { name: 'next', status: 'PENDING' },
      ),
    );
    const nowMs = Date.parse('2026-01-01T00:00:07Z');
    expect(steps.map((step) => stepSeconds(step, nowMs))).toEqual([7, 3, undefined]);
  });
});

describe('the runs that one is compared with', () => {
  it('begin with the one before it of the same plan, and end with other plans', () => {
    const rows = [
      testRun(1),
      testRun(2, {}, { plan: 'deploy' }),
      testRun(3),
      testRun(4),
      testRun(5),
      testRun(6, {}, { plan: 'deploy' }),
    ].map(runRow);
    const [, , , chosen] = rows;
    const names = chosen === undefined ? [] : runsToCompare(rows, chosen).map(({ name }) => name);
    expect(names).toEqual(['db-backup-3', 'db-backup-1', 'db-backup-5', 'db-backup-6', 'db-backup-2']);
  });
});
