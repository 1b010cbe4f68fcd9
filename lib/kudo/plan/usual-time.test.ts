import { describe, expect, it } from 'vitest';
import type { RecordedRun } from './run-history';
import { isLate, usualPlanTime, usualStepTime } from './usual-time';

const run = (
  seconds: number | undefined,
  status: RecordedRun['status'] = 'COMPLETE',
  plan = 'deploy',
): RecordedRun => ({
  plan,
  uid: `${plan}-${seconds}-${status}`,
  status,
  startedAt: '',
  endedAt: '',
  seconds,
  steps: [{ phase: 'p', step: 's', status, seconds }],
});

describe('the usual time of a plan', () => {
  it('leaves out the shortest and the longest fifth of the runs that were done', () => {
    const runs = [1, 40, 50, 60, 900].map((seconds) => run(seconds));
    expect(usualPlanTime(runs, 'deploy')).toEqual({ fromSeconds: 40, toSeconds: 60 });
  });

  it('counts neither runs that failed, nor other plans, nor runs of unknown length', () => {
    const runs = [run(4), run(500, 'FATAL_ERROR'), run(6), run(70, 'COMPLETE', 'backup'), run(undefined)];
    expect(usualPlanTime(runs, 'deploy')).toEqual({ fromSeconds: 4, toSeconds: 6 });
    expect(usualStepTime(runs, { plan: 'deploy', phase: 'p', step: 's' })).toEqual({ fromSeconds: 4, toSeconds: 6 });
  });

  it('is not known of one run alone, nor of a step that no run had', () => {
    expect(usualPlanTime([run(4)], 'deploy')).toBeUndefined();
    expect(usualStepTime([run(4), run(5)], { plan: 'deploy', phase: 'p', step: 'new' })).toBeUndefined();
  });
});

describe('a run is late', () => {
  it.each([
    [30, { fromSeconds: 1, toSeconds: 3 }, true],
    [17, { fromSeconds: 1, toSeconds: 3 }, false],
    [119, { fromSeconds: 30, toSeconds: 60 }, false],
    [121, { fromSeconds: 30, toSeconds: 60 }, true],
    [9_999, undefined, false],
  ])('after %d s of usually %j: %s', (seconds, time, late) => {
    expect(isLate(seconds, time)).toBe(late);
  });
});
