import { describe, expect, it } from 'vitest';
import { formatTime } from '@/lib/clock/clock';
import { TEST_RECORD } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { ExecutionStatus, Instance, PlanStatus } from '@/lib/kudo/types';
import { formatActedUpon } from './acted-upon';
import { withEndOfRun } from './recorded-run';
import { HISTORY_ANNOTATION, historyAfter, type RecordedRun, runHistory, runsOfEarlierVersion } from './run-history';
import { StepTimes } from './step-times';

const run = (uid: string, more: Partial<RecordedRun> = {}): RecordedRun => ({
  plan: 'deploy',
  uid,
  status: 'COMPLETE',
  startedAt: '2026-01-01T00:00:00Z',
  endedAt: '2026-01-01T00:00:09Z',
  seconds: 9,
  steps: [],
  ...more,
});
/** A row as version 0.1 wrote it. */
const row = (uid: string, steps: unknown = [['one', [['a', 'C', 1.5]]]]) => [
  'deploy',
  uid,
  'C',
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:09Z',
  9,
  steps,
];
const noted = (text: string | undefined): Pick<Instance, 'metadata'> => ({
  metadata: { name: 'x', ...(text === undefined ? {} : { annotations: { [HISTORY_ANNOTATION]: text } }) },
});
const ALL = { keepsEarlier: true };
const SHORT = { keepsEarlier: false };

describe('the history of runs', () => {
  it('is the last two runs, each once and without its steps', () => {
    const steps = [{ phase: 'one', step: 'a', status: 'COMPLETE' as const, seconds: 1 }];
    const failed = run('2', { seconds: undefined, startedAt: '', status: 'FATAL_ERROR' });
    const one = historyAfter(noted(undefined), run('1', { steps }), SHORT);
    const two = historyAfter(noted(one), failed, SHORT);
    const three = historyAfter(noted(historyAfter(noted(two), run('3'), SHORT)), run('3', { plan: 'other' }), SHORT);
    expect([one, two, three].map((text) => runHistory(noted(text)))).toEqual([
      [run('1')],
      [run('1'), failed],
      [failed, run('3')],
    ]);
    expect(runsOfEarlierVersion(noted(three))).toEqual([]);
  });

  it('has at most 300 characters: of two runs of plans with very long names the last one', () => {
    const text = historyAfter(noted(undefined), run('1', { plan: 'p'.repeat(63) }), SHORT);
    const uid = '8f14e45f-ceea-467f-a8d4-0c2d6f0c9a11';
    expect(historyAfter(noted(text), run(uid, { plan: 'p'.repeat(63) }), SHORT).length).toBeLessThanOrEqual(300);
    const long = historyAfter(noted(text), run(uid, { plan: 'p'.repeat(150) }), SHORT);
    expect(runHistory(noted(long)).map((each) => each.uid)).toEqual([uid]);
    expect(long.length).toBeLessThanOrEqual(300);
  });

  it.each([undefined, '', '{', '7', '{"runs":[]}', '[1,[],["deploy"],["deploy",7]]'])('is empty for %j', (text) => {
    expect(runHistory(noted(text))).toEqual([]);
    expect(runsOfEarlierVersion(noted(text))).toEqual([]);
  });
});

describe('the history that an earlier version wrote', () => {
  const text = JSON.stringify([row('1'), row('2'), row('3', [])]);

  it('has the steps of each run', () => {
    expect(runsOfEarlierVersion(noted(text)).map(({ uid }) => uid)).toEqual(['1', '2', '3']);
    expect(runHistory(noted(text))[0]?.steps).toEqual([{ phase: 'one', step: 'a', status: 'COMPLETE', seconds: 1.5 }]);
  });

  it('stays as it is until it is moved, and then becomes the last two runs', () => {
    const kept = historyAfter(noted(text), run('4'), ALL);
    expect(JSON.parse(kept).slice(0, 3)).toEqual([row('1'), row('2'), row('3', [])]);
    expect(runHistory(noted(kept)).map(({ uid }) => uid)).toEqual(['1', '2', '3', '4']);
    expect(historyAfter(noted(kept), run('4'), ALL)).toBe(kept);
    expect(runHistory(noted(historyAfter(noted(kept), run('5'), SHORT)))).toEqual([run('4'), run('5')]);
    expect(runHistory(noted(historyAfter(noted(text), run('3'), SHORT))).map(({ uid }) => uid)).toEqual(['2', '3']);
  });

  it('is at most twenty runs and 12,000 characters: more did no controller write', () => {
    const many = JSON.stringify(Array.from({ length: 30 }, (_, at) => row(`${at}`)));
    expect(runsOfEarlierVersion(noted(many))).toHaveLength(20);
    expect(runsOfEarlierVersion(noted(JSON.stringify([row('1'), row('x'.repeat(12_000))])))).toEqual([]);
  });
});

const NOW_MS = 1_767_225_600_000;

describe('the run that has ended', () => {
  const spec = { operatorVersion: { name: 'pond-1' } };
  const ended = (uid: string, status: ExecutionStatus): PlanStatus => ({
    uid,
    status,
    lastUpdatedTimestamp: formatTime(NOW_MS),
    phases: [{ name: 'one', status, steps: [{ name: 'a', status }] }],
  });
  const instance: Instance = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: {
      name: 'x',
      annotations: {
        'bravo.kudo.dev/acted-upon': formatActedUpon({ spec }, TEST_RECORD, {
          plan: 'backup',
          uid: 'b',
          startedAt: formatTime(NOW_MS - 5_000),
        }),
      },
    },
    spec,
    status: { planStatus: { backup: ended('b', 'COMPLETE'), deploy: ended('d', 'FATAL_ERROR'), restore: {} } },
  };

  it('is added with its times, once', () => {
    const after = withEndOfRun(instance, 'b', SHORT);
    const times = { startedAt: formatTime(NOW_MS - 5_000), endedAt: formatTime(NOW_MS), seconds: 5 };
    expect(runHistory(after)).toEqual([run('b', { plan: 'backup', ...times })]);
    // After a crash before the write, or a second reconcile: nothing is added twice.
    expect(withEndOfRun(after, 'b', SHORT)).toBe(after);
  });

  it('is none when the status does not say that it has ended', () => {
    expect(withEndOfRun(instance, 'another', SHORT)).toBe(instance);
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
