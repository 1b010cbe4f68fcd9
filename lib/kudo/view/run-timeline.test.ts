import { describe, expect, it } from 'vitest';
import type { RunStep } from '@/lib/kudo/runs/plan-run';
import { testRun } from '@/lib/kudo/runs/runs-fixture';
import { timelineOf } from './run-timeline';
import { treeLines } from './run-tree-lines';

const BEGIN = Date.parse('2026-01-01T00:00:00Z');
const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
const bars = (endSecond: number, ...steps: RunStep[]) =>
  timelineOf(
    treeLines(testRun(1, { phases: [{ name: 'p', steps }] }), undefined),
    BEGIN,
    BEGIN + endSecond * 1_000,
  ).bars.map(({ bar }) => bar);

describe('the steps of a run on a line of time', () => {
  it('begin and end where they did', () => {
    const first = { name: 'a', status: 'COMPLETE', startedAt: at(0), finishedAt: at(4), seconds: 4 } as const;
    const second = { name: 'b', status: 'COMPLETE', startedAt: at(4), seconds: 6 } as const;
    expect(bars(10, first, second)).toEqual([
      { from: 0, to: 0.4 },
      { from: 0.4, to: 1 },
    ]);
  });

  it('reach to now while they work, and have no bar before they begin', () => {
    const works = { name: 'a', status: 'IN_PROGRESS', startedAt: at(5) } as const;
    expect(bars(10, works, { name: 'b', status: 'PENDING' })).toEqual([{ from: 0.5, to: 1 }, undefined]);
  });

  it('stay within the line when their times are later than the end of the run', () => {
    expect(bars(5, { name: 'a', status: 'COMPLETE', startedAt: at(5), seconds: 5 })).toEqual([{ from: 0.5, to: 1 }]);
  });
});
