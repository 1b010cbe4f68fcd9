import { describe, expect, it } from 'vitest';
import { testRun } from '@/lib/kudo/runs/runs-fixture';
import type { ExecutionStatus, Instance } from '@/lib/kudo/types';
import { bytesText } from './bytes-text';
import { countStatuses, filterRuns, formatRunFilter, NO_FILTER, parseRunFilter, valuesOf } from './run-filter';
import { runPath, runRows } from './run-row';
import { cancelFacts, currentLine, treeLines } from './run-tree-lines';

const rows = runRows([
  testRun(1, { status: 'COMPLETE' }, { requestedBy: 'jane', reason: 'before the weekend' }),
  testRun(2, { status: 'FATAL_ERROR', message: 'no space' }),
  testRun(3),
]);

describe('the list of runs', () => {
  it('has the newest first, and one that was not written since it began runs', () => {
    expect(rows.map(({ name, status }) => [name, status])).toEqual([
      ['db-backup-3', 'IN_PROGRESS'],
      ['db-backup-2', 'FATAL_ERROR'],
      ['db-backup-1', 'COMPLETE'],
    ]);
    expect(runPath(rows[0] ?? { namespace: '', instance: '', name: '' })).toBe('/instances/n/db/runs/db-backup-3');
  });

  it('is filtered by words, by one field, and by status, as the address says', () => {
    const found = (query: string) => filterRuns(rows, { ...NO_FILTER, query }, 0).map(({ name }) => name);
    expect(found('weekend')).toEqual(['db-backup-1']);
    expect(found('who:jane')).toEqual(['db-backup-1']);
    expect(found('plan:backup space')).toEqual(['db-backup-2']);
    expect(found('who:space')).toEqual([]);
    const filter = parseRunFilter(new URLSearchParams('q=who:jane&status=FATAL_ERROR'));
    expect(filter).toEqual({ ...NO_FILTER, query: 'who:jane', status: 'FATAL_ERROR' });
    expect(formatRunFilter(filter)).toBe('?q=who%3Ajane&status=FATAL_ERROR');
    expect(parseRunFilter(new URLSearchParams('status=nonsense'))).toEqual(NO_FILTER);
    expect(countStatuses(rows)).toEqual([
      ['IN_PROGRESS', 1],
      ['FATAL_ERROR', 1],
      ['COMPLETE', 1],
    ]);
  });
});

describe('the exact filters of a list of runs', () => {
  it('name a plan, a person and an Instance, and are in the address', () => {
    const found = (filter: object) => filterRuns(rows, { ...NO_FILTER, ...filter }, 0).map(({ name }) => name);
    expect(found({ plan: 'back' })).toEqual([]);
    expect(found({ plan: 'backup', who: 'jane' })).toEqual(['db-backup-1']);
    expect(found({ instance: 'db' })).toHaveLength(3);
    expect(found({ instance: 'd' })).toEqual([]);
    const filter = { ...NO_FILTER, plan: 'backup', who: 'jane doe', instance: 'db' };
    expect(formatRunFilter(filter)).toBe('?plan=backup&who=jane+doe&instance=db');
    expect(parseRunFilter(new URLSearchParams(formatRunFilter(filter)))).toEqual(filter);
  });

  it('narrow to the runs that began within a time', () => {
    const at = Date.parse('2026-01-03T00:30:00Z');
    const found = (within: '1h' | '24h' | '7d') =>
      filterRuns(rows, { ...NO_FILTER, within }, at).map(({ name }) => name);
    expect(found('1h')).toEqual(['db-backup-3']);
    expect(found('7d')).toHaveLength(3);
    expect(filterRuns(rows, { ...NO_FILTER, within: '1h' }, at + 3_600_000)).toEqual([]);
    expect(parseRunFilter(new URLSearchParams('within=24h'))).toEqual({ ...NO_FILTER, within: '24h' });
    expect(parseRunFilter(new URLSearchParams('within=2y'))).toEqual(NO_FILTER);
    expect(formatRunFilter({ ...NO_FILTER, within: '7d' })).toBe('?within=7d');
  });

  it('offer the values that runs have, and the chosen one', () => {
    expect(valuesOf(rows, 'plan', '')).toEqual(['backup']);
    expect(valuesOf(rows, 'who', 'alice')).toEqual(['alice', 'jane']);
  });
});

describe('the tree of a run', () => {
  const phases = [
    {
      name: 'p',
      status: 'IN_PROGRESS' as const,
      steps: [
        { name: 'a', status: 'COMPLETE' as const, message: 'Skipped: by hand', seconds: 2 },
        { name: 'b', status: 'PENDING' as const },
      ],
    },
  ];

  it('shows what the Instance says while the run goes on, with the times of the record', () => {
    const live = [
      {
        name: 'p',
        status: 'IN_PROGRESS' as const,
        steps: [
          { name: 'a', status: 'COMPLETE' as const, message: 'Skipped: by hand' },
          { name: 'b', status: 'IN_PROGRESS' as const, message: 'waits' },
        ],
      },
    ];
    const instance: Instance = {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name: 'db', uid: 'db' },
      status: { planStatus: { backup: { uid: 'execution 1', status: 'IN_PROGRESS', phases: live } } },
    };
    const lines = treeLines(testRun(1, { phases }), instance);
    expect(
      lines.map(({ step, status, message, seconds, canBeSkipped }) => [step, status, message, seconds, canBeSkipped]),
    ).toEqual([
      [undefined, 'IN_PROGRESS', '', undefined, false],
      ['a', 'skipped', 'Skipped: by hand', 2, false],
      ['b', 'IN_PROGRESS', 'waits', undefined, true],
    ]);
  });

  it('shows the record alone when the run is over', () => {
    const lines = treeLines(testRun(1, { phases, status: 'Cancelled' }), undefined);
    expect(lines.map(({ status, canBeSkipped }) => [status, canBeSkipped])).toEqual([
      ['IN_PROGRESS', false],
      ['skipped', false],
      ['PENDING', false],
    ]);
  });
});

describe('the steps of a run', () => {
  const run = (...steps: ExecutionStatus[]) =>
    treeLines(
      testRun(1, { phases: [{ name: 'p', steps: steps.map((status, at) => ({ name: `s${at}`, status })) }] }),
      undefined,
    );

  it.each<[ExecutionStatus[], string]>([
    [['COMPLETE', 'IN_PROGRESS', 'FATAL_ERROR'], 's2'],
    [['COMPLETE', 'IN_PROGRESS', 'PENDING'], 's1'],
    [['COMPLETE', 'PENDING', 'PENDING'], 's1'],
    [['COMPLETE', 'COMPLETE'], 's1'],
  ])('of %j the one to look at is %s', (steps, expected) => {
    expect(currentLine(run(...steps))?.step).toBe(expected);
  });

  it('are half done, done or not begun when the run is cancelled', () => {
    expect(cancelFacts(run('COMPLETE', 'IN_PROGRESS', 'ERROR', 'PENDING', 'PENDING'))).toEqual({
      halfDone: ['p / s1', 'p / s2'],
      done: 1,
      notBegun: 2,
    });
  });

  it('have the times of the record, and begin when the Instance says so', () => {
    const [, recorded] = treeLines(
      testRun(1, {
        phases: [{ name: 'p', steps: [{ name: 'a', startedAt: 'then', finishedAt: 'later', attempts: 2 }] }],
      }),
      undefined,
    );
    expect(recorded).toMatchObject({ startedAt: 'then', finishedAt: 'later', attempts: 2 });
    const phases = [{ name: 'p', steps: [{ name: 'a', status: 'IN_PROGRESS' as const, startedTimestamp: 'now' }] }];
    const instance: Instance = {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name: 'db', uid: 'db' },
      status: { planStatus: { backup: { uid: 'execution 1', status: 'IN_PROGRESS', phases } } },
    };
    expect(treeLines(testRun(1), instance)[1]).toMatchObject({ startedAt: 'now', finishedAt: undefined });
  });
});

it('sizes are in the unit that people read', () => {
  expect([0, 512, 1_536, 300_000_000].map(bytesText)).toEqual(['0 bytes', '512 bytes', '1.5 KiB', '286 MiB']);
});
