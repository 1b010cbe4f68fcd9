import { describe, expect, it } from 'vitest';
import type { RecordedRun } from '@/lib/kudo/plan/run-history';
import type { Instance } from '@/lib/kudo/types';
import { movedRun, movedStatus, runsToMove } from './moved-runs';
import { testRun } from './runs-fixture';

const NOW_MS = Date.UTC(2026, 2, 1);
const LIMITS = { perPlan: 3, days: 90, daysAfterInstance: 7, bytes: 1e9 };

const recorded = (number: number, more: Partial<RecordedRun> = {}): RecordedRun => ({
  plan: 'backup',
  uid: `execution ${number}`,
  status: 'COMPLETE',
  startedAt: `2026-01-0${number}T00:00:00Z`,
  endedAt: `2026-01-0${number}T00:00:09Z`,
  seconds: 9,
  steps: [],
  ...more,
});
const over = (number: number) => testRun(number, { status: 'COMPLETE', finishedAt: '2026-02-01T00:00:00Z' });
const wanted = (runs: readonly RecordedRun[], known: Parameters<typeof runsToMove>[0]['known'] = []) =>
  runsToMove({ recorded: runs, known, nowMs: NOW_MS, limits: LIMITS }).map(({ uid }) => uid);

describe('recorded runs that become PlanRuns', () => {
  it('are those without one, and those whose PlanRun does not say how it ended', () => {
    const half = testRun(2);
    delete half.status;
    expect(wanted([recorded(1), recorded(2), recorded(3)], [over(1), half])).toEqual(['execution 2', 'execution 3']);
  });

  it('are of each plan the last ones for which there is room', () => {
    const five = [1, 2, 3, 4, 5].map((number) => recorded(number));
    expect(wanted([recorded(1, { plan: 'deploy', uid: 'd' }), ...five])).toEqual([
      'd',
      'execution 3',
      'execution 4',
      'execution 5',
    ]);
    // After a crash in between, and beside runs that were recorded since.
    expect(wanted(five, [over(3)])).toEqual(['execution 4', 'execution 5']);
    expect(wanted(five, [over(7), over(8), over(9)])).toEqual([]);
  });

  it('are not those that would be deleted for their age', () => {
    expect(wanted([recorded(1, { endedAt: '2025-11-01T00:00:00Z' }), recorded(2, { endedAt: '' })])).toEqual([
      'execution 2',
    ]);
  });

  it.each<[string, Partial<RecordedRun>]>([
    ['an end in the future', { endedAt: '2030-01-01T00:00:00Z' }],
    ['a time that is none', { startedAt: 'yesterday' }],
    ['a uid that no PlanRun can have', { uid: 'u'.repeat(254) }],
  ])('are not those with %s: a person wrote them', (_what, more) => {
    expect(wanted([recorded(1, more)])).toEqual([]);
  });
});

describe('the PlanRun of a recorded run', () => {
  const instance = (actedUpon?: object): Instance => ({
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: {
      name: 'db',
      namespace: 'n',
      uid: 'db',
      ...(actedUpon === undefined ? {} : { annotations: { 'bravo.kudo.dev/acted-upon': JSON.stringify(actedUpon) } }),
    },
  });

  it('says neither why nor who when nobody recorded it', () => {
    const { metadata, spec } = movedRun(instance(), recorded(1), 4);
    expect(metadata).toMatchObject({ name: 'db-backup-4', namespace: 'n' });
    expect(spec).toEqual({ instanceName: 'db', instanceUid: 'db', plan: 'backup', uid: 'execution 1' });
  });

  it('says why when the Instance still does', () => {
    const record = { operatorVersion: { name: 'db-1' }, uid: 'execution 1', origin: { cause: 'Create', by: 'ann' } };
    expect(movedRun(instance(record), recorded(1), 1).spec).toMatchObject({ cause: 'Create', requestedBy: 'ann' });
    expect(movedRun(instance(record), recorded(2), 1).spec).not.toHaveProperty('cause');
    expect(movedStatus(instance(record), recorded(1))).toMatchObject({ operatorVersion: 'db-1' });
  });

  it('has the end and the times of each step, and leaves out what is not known', () => {
    const steps = [
      { phase: 'one', step: 'a', status: 'COMPLETE', seconds: 1.5 },
      { phase: 'two', step: 'b', status: 'FATAL_ERROR', seconds: undefined },
      { phase: 'two', step: 'c', status: 'PENDING', seconds: undefined },
      { phase: 'three', step: 'd', status: 'PENDING', seconds: undefined },
    ] as const;
    const status = movedStatus(instance(), recorded(1, { status: 'FATAL_ERROR', startedAt: '', steps }));
    expect(status).toEqual({
      status: 'FATAL_ERROR',
      message: expect.stringContaining('An earlier version of Bravo recorded this run'),
      finishedAt: '2026-01-01T00:00:09Z',
      phases: [
        { name: 'one', status: 'COMPLETE', steps: [{ name: 'a', status: 'COMPLETE', seconds: 1.5 }] },
        {
          name: 'two',
          status: 'FATAL_ERROR',
          steps: [
            { name: 'b', status: 'FATAL_ERROR' },
            { name: 'c', status: 'PENDING' },
          ],
        },
        { name: 'three', status: 'PENDING', steps: [{ name: 'd', status: 'PENDING' }] },
      ],
    });
  });
});
