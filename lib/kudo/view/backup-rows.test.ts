import { describe, expect, it } from 'vitest';
import { testRun } from '@/lib/kudo/runs/runs-fixture';
import { BACKUP_GOAL_ANNOTATION } from '@/lib/kudo/schedules/backup-health';
import type { Instance, OperatorVersion, PlanStatus } from '@/lib/kudo/types';
import { backupRows } from './backup-rows';
import { instanceRow } from './instance-row';
import { scheduleRow } from './schedule-row';

const NOW = Date.parse('2026-01-09T12:00:00Z');

const version = (name: string, plans: object): OperatorVersion =>
  ({
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name, namespace: 'n' },
    spec: { plans },
  }) as OperatorVersion;

function row(
  name: string,
  { goal, backup, plans = { deploy: {}, backup: {} } }: { goal?: string; backup?: PlanStatus; plans?: object } = {},
) {
  const instance = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: {
      name,
      namespace: 'n',
      uid: name,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(goal === undefined ? {} : { annotations: { [BACKUP_GOAL_ANNOTATION]: goal } }),
    },
    spec: { operatorVersion: { name: 'v' } },
    status: { planStatus: backup === undefined ? {} : { backup } },
  } as unknown as Instance;
  return instanceRow(instance, new Map([['n/v', version('v', plans)]]), true);
}

const schedule = (instance: string, lastSlot?: string, suspend = false) =>
  scheduleRow(
    {
      apiVersion: 'bravo.kudo.dev/v1alpha1',
      kind: 'PlanSchedule',
      metadata: { name: instance, namespace: 'n' },
      spec: { instanceName: instance, plan: 'backup', schedule: '0 2 * * *', suspend },
      status: lastSlot === undefined ? {} : { lastSlot },
    } as Parameters<typeof scheduleRow>[0],
    NOW,
  );
const done = (at: string) =>
  ({ name: 'backup', status: 'COMPLETE', lastUpdatedTimestamp: at }) as unknown as PlanStatus;
const shown = (rows: ReturnType<typeof backupRows>) => rows.map(({ row: { name }, word }) => `${name}: ${word}`);

describe('the backups of the overview', () => {
  it('are of Instances with a plan backup or a goal, trouble first', () => {
    const rows = [
      row('fine', { backup: done('2026-01-09T02:01:00Z') }),
      row('late', { backup: done('2026-01-08T02:01:00Z') }),
      row('failed', { backup: { name: 'backup', status: 'FATAL_ERROR' } as unknown as PlanStatus }),
      row('never'),
      row('none', { plans: { deploy: {} } }),
    ];
    const schedules = [schedule('fine', '2026-01-09T02:00:00Z'), schedule('late', '2026-01-09T02:00:00Z')];
    expect(shown(backupRows(rows, { schedules, runs: [], nowMs: NOW }))).toEqual([
      'late: Late',
      'failed: Last one failed',
      'never: Never backed up',
      'fine: On schedule',
    ]);
  });

  it('are judged by the goal where there is one, from all runs', () => {
    const run = testRun(9, {
      status: 'COMPLETE',
      finishedAt: '2026-01-05T00:00:00Z',
      outputs: [{ type: 'backup', name: 'monday' }],
    });
    const own = { ...run, spec: { ...run.spec, instanceUid: 'db' } };
    const [judged] = backupRows([row('db', { goal: '24h' })], { schedules: [], runs: [own], nowMs: NOW });
    expect(judged).toMatchObject({ word: 'Goal missed', status: 'failing', expected: 'Goal: every 24 h' });
    expect(judged?.lastMs).toBe(Date.parse('2026-01-05T00:00:00Z'));
  });

  it('are judged by the plan of the Instance while only some runs are known', () => {
    const rows = [row('db', { goal: '24h', backup: done('2026-01-09T02:01:00Z') })];
    expect(shown(backupRows(rows, { schedules: [], runs: undefined, nowMs: NOW }))).toEqual(['db: By hand']);
  });

  it('are not late within an hour of the slot, nor before the first one', () => {
    const rows = [row('now', { backup: done('2026-01-08T02:01:00Z') }), row('new')];
    const nowMs = Date.parse('2026-01-09T02:30:00Z');
    const schedules = [schedule('now', '2026-01-09T02:00:00Z'), schedule('new')];
    expect(shown(backupRows(rows, { schedules, runs: [], nowMs }))).toEqual(['new: Not due yet', 'now: On schedule']);
  });

  it('say that a schedule is suspended', () => {
    const [judged] = backupRows([row('db')], { schedules: [schedule('db', undefined, true)], runs: [], nowMs: NOW });
    expect(judged).toMatchObject({ word: 'Never backed up', expected: 'Schedule is suspended' });
  });
});
