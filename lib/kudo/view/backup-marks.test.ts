import { describe, expect, it } from 'vitest';
import { testRun } from '@/lib/kudo/runs/runs-fixture';
import { BACKUP_GOAL_ANNOTATION } from '@/lib/kudo/schedules/backup-health';
import type { Instance } from '@/lib/kudo/types';
import { hasBackupGoal, withBackupGoals } from './backup-marks';
import { instanceRow } from './instance-row';

const NOW = Date.parse('2026-01-09T00:00:00Z');

function row(goal: string | undefined, metadata: Partial<Instance['metadata']> = {}) {
  const instance: Instance = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: {
      name: 'db',
      namespace: 'n',
      uid: 'db',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(goal === undefined ? {} : { annotations: { [BACKUP_GOAL_ANNOTATION]: goal } }),
      ...metadata,
    },
    spec: { operatorVersion: { name: 'db-1' } },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  } as Instance;
  return instanceRow(instance, new Map(), false);
}

const backup = testRun(5, {
  status: 'COMPLETE',
  finishedAt: '2026-01-05T00:00:00Z',
  outputs: [{ type: 'backup', name: 'monday' }],
});

describe('an instance with a goal for its backups', () => {
  it('needs attention when the last good backup is too old', () => {
    const [marked] = withBackupGoals([row('24h')], [backup], NOW);
    expect(marked?.state).toMatchObject({
      key: 'failing',
      word: 'Backup overdue',
      reason: 'The last good backup, monday, is 4 d old; the goal is one not older than 24 h.',
    });
  });

  it('does not count the backups of another instance', () => {
    const other = testRun(8, backup.status, { instanceUid: 'other' });
    expect(withBackupGoals([row('24h')], [other], NOW)[0]?.state.reason).toContain('There is no good backup');
  });

  it('keeps its state when the goal is met, when it has none, and while it is deleted', () => {
    const rows = [row('7d'), row(undefined), row('24h', { deletionTimestamp: '2026-01-08T00:00:00Z' })];
    expect(rows.map(hasBackupGoal)).toEqual([true, false, true]);
    const marked = withBackupGoals(rows, [backup], NOW);
    expect(marked.map((each, at) => each === rows[at])).toEqual([true, true, true]);
  });

  it('keeps a state that needs attention already, and has both reasons', () => {
    const state = { key: 'failing', word: 'Unhealthy', reason: 'Pod db-0 fails', detail: 'Long.' } as const;
    const [marked] = withBackupGoals([{ ...row('24h'), state }], [backup], NOW);
    expect(marked?.state.word).toBe('Unhealthy');
    expect(marked?.state.reason).toMatch(/^Pod db-0 fails · The last good backup/);
  });
});
