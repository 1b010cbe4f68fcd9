import { describe, expect, it } from 'vitest';
import type { PlanRunStatus } from '@/lib/kudo/runs/plan-run';
import { testRun } from '@/lib/kudo/runs/runs-fixture';
import type { EventLine } from './instance-events';
import { eventsOfRun } from './run-events';
import { runRow, runRows } from './run-row';
import { usualRunTime } from './run-usual';

const took = (seconds: number, more: PlanRunStatus = {}): PlanRunStatus => ({
  status: 'COMPLETE',
  startedAt: '2026-01-01T00:00:00Z',
  finishedAt: new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString(),
  ...more,
});

describe('how long runs usually take', () => {
  const rows = runRows([
    testRun(1, took(10)),
    testRun(2, took(20)),
    testRun(3, took(900, { status: 'FATAL_ERROR' })),
    testRun(4, took(630, { heldSeconds: 600 })),
    testRun(5, took(5), { plan: 'deploy' }),
  ]);

  it('counts complete runs of the plan without the time in which they were held', () => {
    expect(usualRunTime(rows, { plan: 'backup', name: '' })).toEqual({ fromSeconds: 10, toSeconds: 30 });
  });

  it('leaves out the run itself, and is unknown after one other', () => {
    expect(usualRunTime(rows, { plan: 'backup', name: 'db-backup-1' })).toEqual({ fromSeconds: 20, toSeconds: 30 });
    expect(usualRunTime(rows, { plan: 'deploy', name: '' })).toBeUndefined();
  });
});

describe('the events of a run', () => {
  const event = (at: string): EventLine => ({
    key: at,
    isWarning: false,
    reason: 'Started',
    message: '',
    object: 'Pod/db-0',
    at,
    count: 1,
    written: 0,
  });
  const events = ['2025-12-31T23:59:00Z', '2026-01-01T00:00:05Z', '2026-01-01T00:00:12Z', '2026-01-01T00:05:00Z', ''];
  const timesOf = (status: PlanRunStatus) =>
    eventsOfRun(events.map(event), runRow(testRun(1, status))).map(({ at }) => at);

  it('are those of its time, and of a moment after its end', () => {
    expect(timesOf(took(10))).toEqual(['2026-01-01T00:00:05Z', '2026-01-01T00:00:12Z']);
  });

  it('go on while it runs', () => {
    expect(timesOf({ status: 'IN_PROGRESS', startedAt: '2026-01-01T00:00:00Z' })).toHaveLength(3);
  });
});
