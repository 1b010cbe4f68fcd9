import { describe, expect, it } from 'vitest';
import { HISTORY_ANNOTATION, historyAfter, type RecordedRun } from '@/lib/kudo/plan/run-history';
import type { Instance, PlanStatus } from '@/lib/kudo/types';
import type { PlanRunStatus } from './plan-run';
import { recordedRun, runsThatEnded } from './recorded-runs';
import { durationOf } from './run-words';
import { testRun } from './runs-fixture';

const day = (number: number) => `2026-01-0${number}T00:00:00Z`;
const ended = (number: number, more: PlanRunStatus = {}): PlanRunStatus => ({
  status: 'COMPLETE',
  finishedAt: `2026-01-0${number}T00:00:30Z`,
  ...more,
});

function instanceOf(planStatus: { [plan: string]: PlanStatus } = {}, run?: RecordedRun): Instance {
  const metadata = { name: 'db', namespace: 'n', uid: 'db' };
  const text = run === undefined ? '[]' : historyAfter({ metadata }, run, { keepsEarlier: false });
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { ...metadata, annotations: { [HISTORY_ANNOTATION]: text } },
    status: { planStatus },
  };
}

describe('what histories show of a PlanRun', () => {
  it('is its end, the end of each step, and the time in which nobody held it', () => {
    const phases = [
      { name: 'main', steps: [{ name: 'a', status: 'COMPLETE' as const, seconds: 4, message: 'x' }, { name: 'b' }] },
    ];
    expect(recordedRun(testRun(1, ended(1, { heldSeconds: 10, phases })))).toEqual({
      plan: 'backup',
      uid: 'execution 1',
      status: 'COMPLETE',
      startedAt: day(1),
      endedAt: '2026-01-01T00:00:30Z',
      seconds: 20,
      steps: [
        { phase: 'main', step: 'a', status: 'COMPLETE', seconds: 4 },
        { phase: 'main', step: 'b', status: 'NEVER_RUN', seconds: undefined },
      ],
    });
  });

  it('is nothing while it runs, and the end that an Instance tells of when it was cancelled', () => {
    expect(recordedRun(testRun(1, { status: 'Paused' }))).toBeUndefined();
    expect(recordedRun(testRun(1, ended(1, { status: 'Cancelled' })))?.status).toBe('FATAL_ERROR');
  });

  it('has no duration when nobody knows when it began: its object may have been made later', () => {
    const run = testRun(1, ended(1));
    delete run.status?.startedAt;
    run.metadata.creationTimestamp = day(9);
    expect(recordedRun(run)).toMatchObject({ startedAt: '', seconds: undefined });
    expect(durationOf(run, 0)).toBeUndefined();
  });
});

describe('the runs of an Instance that have ended', () => {
  it('are its PlanRuns, the oldest first, and runs that only the Instance tells of', () => {
    const status = { status: 'COMPLETE', uid: 'of KUDO', lastUpdatedTimestamp: day(2) } as const;
    const runs = runsThatEnded(instanceOf({ deploy: status }), [
      testRun(3, ended(3)),
      testRun(1, ended(1)),
      testRun(4),
      testRun(2, ended(2), { instanceUid: 'another' }),
    ]);
    expect(runs.map(({ uid }) => uid)).toEqual(['execution 1', 'of KUDO', 'execution 3']);
  });

  it('are each named once, with the steps of the status where only the status has them', () => {
    const known = { plan: 'backup', uid: 'execution 1', status: 'COMPLETE', startedAt: day(1) } as const;
    const run: RecordedRun = { ...known, endedAt: '2026-01-01T00:00:30Z', seconds: 30, steps: [] };
    const steps = [{ name: 'a', status: 'COMPLETE' as const }];
    const status: PlanStatus = { status: 'COMPLETE', uid: 'execution 1', phases: [{ name: 'main', steps }] };
    const instance = instanceOf({ backup: status }, run);
    expect(runsThatEnded(instance, [testRun(1, ended(1))])).toHaveLength(1);
    expect(runsThatEnded(instance, [])).toMatchObject([{ seconds: 30, steps: [{ step: 'a', seconds: undefined }] }]);
  });

  it('are the last twenty of each plan', () => {
    const many = Array.from({ length: 25 }, (_, at) =>
      testRun(1, { ...ended(1), finishedAt: `2026-01-01T00:01:${10 + at}Z` }, { uid: `${at}` }),
    );
    const others = [testRun(1, ended(1), { plan: 'deploy', uid: 'first' })];
    const runs = runsThatEnded(instanceOf(), [...many, ...others]);
    expect([runs.length, runs[0]?.uid, runs[1]?.uid, runs.at(-1)?.uid]).toEqual([21, 'first', '5', '24']);
  });
});
