import { describe, expect, it } from 'vitest';
import { formatTime } from '@/lib/clock/clock';
import { TEST_RECORD } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { ExecutionStatus, Instance, PlanStatus } from '@/lib/kudo/types';
import { formatActedUpon } from './acted-upon';
import { withRunHistory } from './recorded-run';
import { formatRuns, HISTORY_ANNOTATION, type RecordedRun, runHistory, withRuns } from './run-history';
import { StepTimes } from './step-times';

const run = (uid: string, more: Partial<RecordedRun> = {}): RecordedRun => ({
  plan: 'deploy',
  uid,
  status: 'COMPLETE',
  startedAt: '2026-01-01T00:00:00Z',
  endedAt: '2026-01-01T00:00:09Z',
  seconds: 9,
  steps: [
    { phase: 'one', step: 'a', status: 'COMPLETE', seconds: 1.5 },
    { phase: 'one', step: 'b', status: 'FATAL_ERROR', seconds: undefined },
    { phase: 'two', step: 'a', status: 'PENDING', seconds: undefined },
  ],
  ...more,
});
const noted = (text: string | undefined): Pick<Instance, 'metadata'> => ({
  metadata: { name: 'x', ...(text === undefined ? {} : { annotations: { [HISTORY_ANNOTATION]: text } }) },
});

describe('the history of runs', () => {
  it('reads what it writes', () => {
    const runs = [run('1'), run('2', { seconds: undefined, startedAt: '', status: 'FATAL_ERROR', steps: [] })];
    expect(runHistory(noted(formatRuns(runs)))).toEqual(runs);
  });

  it.each([undefined, '', '{', '7', '{"runs":[]}', '[1,[],["deploy"],["deploy",7]]'])('is empty for %j', (text) => {
    expect(runHistory(noted(text))).toEqual([]);
  });

  it('keeps the last twenty, each once', () => {
    const many = Array.from({ length: 25 }, (_, at) => run(`${at}`));
    const kept = withRuns(withRuns([], many), [run('24', { status: 'FATAL_ERROR' })]);
    expect(kept.map(({ uid }) => uid)).toEqual(many.slice(5).map(({ uid }) => uid));
    expect(kept.at(-1)?.status).toBe('COMPLETE');
  });

  it('drops the oldest runs when plans have so many steps that they do not fit', () => {
    const steps = Array.from({ length: 100 }, (_, at) => ({
      phase: 'all',
      step: `a-step-with-a-name-${at}`,
      status: 'COMPLETE' as const,
      seconds: at,
    }));
    const text = formatRuns(Array.from({ length: 20 }, (_, at) => run(`${at}`, { steps })));
    expect(text.length).toBeLessThanOrEqual(12_000);
    const uids = runHistory(noted(text)).map(({ uid }) => uid);
    expect(uids.length).toBeGreaterThan(2);
    expect(uids.at(-1)).toBe('19');
  });
});

const NOW_MS = 1_767_225_600_000;

const statusOf = (uid: string, status: ExecutionStatus, endedMs: number): PlanStatus => ({
  uid,
  status,
  lastUpdatedTimestamp: formatTime(endedMs),
  phases: [{ name: 'one', status, steps: [{ name: 'a', status }] }],
});

describe('the run that has ended', () => {
  const spec = { operatorVersion: { name: 'pond-1' } };
  const instance = (planStatus: { [plan: string]: PlanStatus }, uid: string): Instance => ({
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: {
      name: 'x',
      annotations: {
        'bravo.kudo.dev/acted-upon': formatActedUpon({ spec }, TEST_RECORD, {
          plan: 'backup',
          uid,
          startedAt: formatTime(NOW_MS - 5_000),
        }),
      },
    },
    spec,
    status: { planStatus },
  });

  it('is added with its times, after runs that ended without a record', () => {
    const times = new StepTimes();
    const phases = (status: ExecutionStatus) => [{ name: 'one', steps: [{ name: 'a', status }] }];
    times.see({ phases: phases('IN_PROGRESS') }, { nowMs: NOW_MS, monotonicMs: 100 });
    times.see({ phases: phases('COMPLETE') }, { nowMs: NOW_MS, monotonicMs: 2_600 });
    const before = instance(
      { backup: statusOf('b', 'COMPLETE', NOW_MS), deploy: statusOf('d', 'FATAL_ERROR', NOW_MS), restore: {} },
      'b',
    );
    const after = withRunHistory(before, { uid: 'b', times });
    expect(runHistory(after)).toEqual([
      {
        plan: 'deploy',
        uid: 'd',
        status: 'FATAL_ERROR',
        startedAt: '',
        endedAt: formatTime(NOW_MS),
        seconds: undefined,
        steps: [{ phase: 'one', step: 'a', status: 'FATAL_ERROR', seconds: undefined }],
      },
      {
        plan: 'backup',
        uid: 'b',
        status: 'COMPLETE',
        startedAt: formatTime(NOW_MS - 5_000),
        endedAt: formatTime(NOW_MS),
        seconds: 5,
        steps: [{ phase: 'one', step: 'a', status: 'COMPLETE', seconds: 2.5 }],
      },
    ]);
    // After a crash before the write, or a second reconcile: nothing is added twice.
    expect(withRunHistory(after, { uid: 'b', times: undefined })).toBe(after);
  });
});

describe('the time of a step', () => {
  const at = (status: ExecutionStatus, startedTimestamp?: string): PlanStatus => ({
    phases: [{ name: 'p', steps: [{ name: 's', status, ...(startedTimestamp ? { startedTimestamp } : {}) }] }],
  });

  it('counts from its recorded start when another process began it', () => {
    const times = new StepTimes();
    times.see(at('IN_PROGRESS', formatTime(NOW_MS - 60_000)), { nowMs: NOW_MS, monotonicMs: 5 });
    times.see(at('COMPLETE'), { nowMs: 0, monotonicMs: 1_005 });
    expect(times.secondsOf('p', 's')).toBe(61);
  });

  it('is not known while it runs, nor when its beginning was not seen', () => {
    const times = new StepTimes();
    times.see(at('IN_PROGRESS'), { nowMs: NOW_MS, monotonicMs: 0 });
    expect(times.secondsOf('p', 's')).toBeUndefined();
    const late = new StepTimes();
    late.see(at('COMPLETE'), { nowMs: NOW_MS, monotonicMs: 0 });
    expect(late.secondsOf('p', 's')).toBeUndefined();
  });
});
