import { describe, expect, it } from 'vitest';
import { hoursOfRuns, hourWords } from './day-strip';

const NOW = Date.parse('2026-11-24T12:20:00Z');
const began = (text: string, status: 'COMPLETE' | 'FATAL_ERROR' | 'paused' = 'COMPLETE') => ({
  beganMs: Date.parse(text),
  status,
});

describe('the runs of the last day', () => {
  it('are counted by the hour in which they began, by how they ended', () => {
    const hours = hoursOfRuns(
      [
        began('2026-11-24T12:19:00Z'),
        began('2026-11-24T12:00:00Z', 'paused'),
        began('2026-11-24T11:59:59Z', 'FATAL_ERROR'),
        began('2026-11-23T13:00:00Z'),
        began('2026-11-23T12:59:59Z'),
      ],
      NOW,
    );
    expect(hours.length).toBe(24);
    expect(hours.at(-1)).toEqual({ fromMs: Date.parse('2026-11-24T12:00:00Z'), done: 1, failed: 0, other: 1 });
    expect(hours.at(-2)).toMatchObject({ done: 0, failed: 1 });
    expect(hours[0]).toEqual({ fromMs: Date.parse('2026-11-23T13:00:00Z'), done: 1, failed: 0, other: 0 });
    expect(hours.reduce((sum, { done, failed, other }) => sum + done + failed + other, 0)).toBe(4);
  });

  it('leave out a run whose beginning is not known, and one of a clock that is ahead', () => {
    const hours = hoursOfRuns([{ beganMs: 0, status: 'COMPLETE' }, began('2026-11-24T13:00:00Z')], NOW);
    expect(hours.map(hourWords)).toEqual(Array(24).fill('no run'));
  });

  it('are told in words', () => {
    expect(hourWords({ fromMs: 0, done: 1, failed: 0, other: 0 })).toBe('1 run');
    expect(hourWords({ fromMs: 0, done: 1, failed: 1, other: 1 })).toBe('3 runs, 1 failed');
  });
});
