import { describe, expect, it } from 'vitest';
import type { RecordedRun } from '@/lib/kudo/plan/run-history';
import type { Instance } from '@/lib/kudo/types';
import { historyTree } from './history-tree';
import { formatTree } from './output';

const run = (plan: string, uid: string, hour: number, status: RecordedRun['status'] = 'COMPLETE'): RecordedRun => ({
  plan,
  uid,
  status,
  startedAt: `2019-10-17T0${hour}:00:00Z`,
  endedAt: `2019-10-17T0${hour}:01:05Z`,
  seconds: 65,
  steps: [],
});

const instance: Instance = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'test' },
  status: {
    planStatus: {
      deploy: { name: 'deploy', uid: 'd1', status: 'COMPLETE', lastUpdatedTimestamp: '2019-10-17T01:01:05Z' },
      backup: { name: 'backup', uid: 'b3', status: 'IN_PROGRESS', lastUpdatedTimestamp: '2019-10-17T05:00:00Z' },
      validate: { name: 'validate', status: 'NEVER_RUN' },
    },
  },
};

describe('plan history', () => {
  it('CLI-039 shows the last run of each plan, and below it its earlier runs, newest first', () => {
    const runs = [
      run('deploy', 'd0', 0, 'FATAL_ERROR'),
      run('deploy', 'd1', 1),
      run('backup', 'b1', 2),
      run('backup', 'b2', 3),
    ];
    expect(formatTree(historyTree(instance, runs))).toBe(
      [
        '.',
        '├── backup (is running)',
        '│\u00a0\u00a0 ├── earlier run, finished at 2019-10-17T03:01:05 after 65 s (COMPLETE)',
        '│\u00a0\u00a0 └── earlier run, finished at 2019-10-17T02:01:05 after 65 s (COMPLETE)',
        '├── deploy (last finished run at 2019-10-17T01:01:05 (COMPLETE))',
        '│\u00a0\u00a0 └── earlier run, finished at 2019-10-17T00:01:05 after 65 s (FATAL_ERROR)',
        '└── validate (NEVER_RUN)',
        '',
      ].join('\n'),
    );
  });

  it('shows the runs of a plan that the current version no longer has', () => {
    const runs = [run('migrate', 'm1', 2), run('migrate', 'm2', 3)];
    expect(historyTree(instance, runs).children?.[2]).toEqual({
      value: 'migrate (last finished run at 2019-10-17T03:01:05 (COMPLETE))',
      children: [{ value: 'earlier run, finished at 2019-10-17T02:01:05 after 65 s (COMPLETE)' }],
    });
  });

  it('leaves out times that were not recorded', () => {
    const untimed = { ...run('backup', 'b1', 2), endedAt: '', seconds: undefined };
    expect(historyTree(instance, [untimed]).children?.[0]?.children).toEqual([{ value: 'earlier run (COMPLETE)' }]);
  });
});
