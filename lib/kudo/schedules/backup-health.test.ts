import { describe, expect, it } from 'vitest';
import type { PlanRun, RunOutput, RunStatus } from '@/lib/kudo/runs/plan-run';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { BACKUP_GOAL_ANNOTATION, backupGoalOf, backupHealth, goalWords } from './backup-health';

const HOUR_MS = 3_600_000;
const nowMs = Date.parse('2026-11-23T12:00:00Z');

function run(name: string, finishedAt: string, outputs: RunOutput[], status: RunStatus = 'COMPLETE'): PlanRun {
  return { apiVersion: '', kind: 'PlanRun', metadata: { name }, spec: {}, status: { status, finishedAt, outputs } };
}

const backup = (name: string, more: RunOutput = {}): RunOutput => ({ type: 'backup', name, ...more });

const healthOf = (runs: PlanRun[], instanceCreatedAt = '2026-11-01T00:00:00Z') =>
  backupHealth({ runs, goalMs: 24 * HOUR_MS, instanceCreatedAt, nowMs });

describe('the health of backups', () => {
  it('is good while the last good backup is younger than the goal', () => {
    const found = healthOf([
      run('a', '2026-11-22T02:00:00Z', [backup('old')]),
      run('b', '2026-11-23T02:00:00Z', [backup('new')]),
    ]);
    expect(found).toMatchObject({ isMissed: false, lastGood: { name: 'new', run: 'b' } });
    expect(found.message).toBe('The last good backup, new, is 10 h old; the goal is one not older than 24 h.');
  });

  it('is missed when it is older, and says since when', () => {
    const found = healthOf([run('a', '2026-11-22T02:00:00Z', [backup('old')])]);
    expect(found.isMissed).toBe(true);
    expect(new Date(found.missedAtMs).toISOString()).toBe('2026-11-23T02:00:00.000Z');
  });

  it('does not become good by a run that only reads an old backup back, and ends with one that finds it unusable', () => {
    const made = run('a', '2026-11-21T02:00:00Z', [backup('old')]);
    const readBack = run('b', '2026-11-23T02:00:00Z', [backup('old', { verified: true })]);
    expect(healthOf([made, readBack])).toMatchObject({ isMissed: true, lastGood: { name: 'old', run: 'a' } });
    const broken = run('b', '2026-11-23T02:00:00Z', [backup('old', { verified: false })], 'FATAL_ERROR');
    expect(healthOf([made, broken]).lastGood).toBeUndefined();
  });

  it('is a goal that is met, missed or not due yet', () => {
    const made = [run('a', '2026-11-23T02:00:00Z', [backup('new')])];
    expect(goalWords(healthOf(made))).toBe('Goal met');
    expect(goalWords(healthOf([]))).toBe('Goal missed');
    expect(goalWords(healthOf([], '2026-11-23T11:00:00Z'))).toBe('Goal not due yet');
  });

  it.each([
    ['of a run that failed', [run('a', '2026-11-23T11:00:00Z', [backup('x')], 'FATAL_ERROR')]],
    ['that its check found unusable', [run('a', '2026-11-23T11:00:00Z', [backup('x', { verified: false })])]],
    [
      'that was deleted later',
      [
        run('a', '2026-11-23T10:00:00Z', [backup('x')]),
        run('b', '2026-11-23T11:00:00Z', [{ type: 'backup-deleted', name: 'x' }]),
      ],
    ],
    ['that is another output', [run('a', '2026-11-23T11:00:00Z', [{ type: 'report', name: 'x' }])]],
  ])('does not count a backup %s', (_what, runs) => {
    expect(healthOf(runs)).toMatchObject({ isMissed: true, lastGood: undefined });
  });

  it('counts a backup of the name of one that was deleted before', () => {
    const runs = [
      run('a', '2026-11-23T09:00:00Z', [{ type: 'backup-deleted', name: 'x' }]),
      run('b', '2026-11-23T10:00:00Z', [backup('x')]),
    ];
    expect(healthOf(runs).isMissed).toBe(false);
  });

  it('is not missed by an Instance that is younger than its goal', () => {
    expect(healthOf([], '2026-11-23T00:00:00Z').isMissed).toBe(false);
    expect(healthOf([], '2026-11-22T00:00:00Z').isMissed).toBe(true);
  });
});

describe('the goal of backups', () => {
  const annotated = (text?: string) => ({
    apiVersion: '',
    kind: '',
    metadata: text === undefined ? {} : { annotations: { [BACKUP_GOAL_ANNOTATION]: text } },
  });
  const instance: (text?: string) => Instance = annotated;
  const version: (text?: string) => OperatorVersion = annotated;

  it.each([
    ['90m', 1.5 * HOUR_MS],
    ['24h', 24 * HOUR_MS],
    ['7d', 168 * HOUR_MS],
    ['daily', undefined],
    ['0h', undefined],
    ['', undefined],
  ])('%j is %s ms', (text, goalMs) => {
    expect(backupGoalOf(instance(text), undefined)).toBe(goalMs);
  });

  it('is that of the OperatorVersion when the Instance has none', () => {
    expect(backupGoalOf(instance(), version('24h'))).toBe(24 * HOUR_MS);
    expect(backupGoalOf(instance('1h'), version('24h'))).toBe(HOUR_MS);
  });
});
