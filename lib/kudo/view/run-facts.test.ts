import { describe, expect, it } from 'vitest';
import type { RecordedRun } from '@/lib/kudo/plan/run-history';
import { gridRows, resultText, spanText, usualText } from './run-facts';

describe('a span of time', () => {
  it.each([
    [undefined, ''],
    [0.2, 'under 1 s'],
    [4.2, '4 s'],
    [72, '1 min 12 s'],
  ])('of %s seconds reads %j', (seconds, text) => {
    expect(spanText(seconds)).toBe(text);
  });
});

describe('what is usual', () => {
  it.each([
    [3, 5, 'usually 3–5 s'],
    [5, 5.2, 'usually 5 s'],
    [60, 120, 'usually 1–2 min'],
    [40, 120, 'usually 40 s – 2 min'],
    [0.3, 4, 'usually under 1 s – 4 s'],
    [61, 125, 'usually 1 min 1 s – 2 min 5 s'],
  ])('%d to %d seconds reads %j', (fromSeconds, toSeconds, text) => {
    expect(usualText({ fromSeconds, toSeconds })).toBe(text);
  });
});

describe('a result', () => {
  it('has the status, and the duration if it is known', () => {
    expect(resultText({ status: 'COMPLETE', seconds: 4 })).toBe('Done in 4 s');
    expect(resultText({ status: 'FATAL_ERROR', seconds: 12 })).toBe('Failed after 12 s');
    expect(resultText({ status: 'PENDING', seconds: undefined })).toBe('Not reached');
    expect(resultText({ status: 'FATAL_ERROR', seconds: 0 })).toBe('Failed in under 1 s');
    expect(resultText({ status: 'COMPLETE', seconds: undefined })).toBe('Done');
  });
});

describe('the grid of steps and runs', () => {
  const run = (uid: string, ...names: string[]): RecordedRun => ({
    plan: 'deploy',
    uid,
    status: 'COMPLETE',
    startedAt: '',
    endedAt: '',
    seconds: 1,
    steps: names.map((step) => ({ phase: 'p', step, status: 'COMPLETE', seconds: 1 })),
  });

  it('has the current steps of the plan, then those of earlier versions', () => {
    const rows = gridRows(
      [
        { phase: 'p', step: 'new' },
        { phase: 'p', step: 'kept' },
      ],
      [run('1', 'old', 'kept'), run('2', 'new', 'kept')],
    );
    expect(rows.map(({ step, cells }) => [step, ...cells.map((cell) => cell !== undefined)])).toEqual([
      ['new', false, true],
      ['kept', true, true],
      ['old', true, false],
    ]);
  });
});
