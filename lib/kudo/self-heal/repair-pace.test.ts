import { describe, expect, it } from 'vitest';
import { afterRepair, type RepairPace, repairDelayMs } from './repair-pace';

/** Repairs as early as allowed each time; when they happened, in seconds. */
function eager(times: number): number[] {
  const at: number[] = [];
  let pace: RepairPace | undefined;
  let nowMs = 0;
  for (let count = 0; count < times; count++) {
    nowMs += repairDelayMs(pace, nowMs);
    at.push(nowMs / 1_000);
    pace = afterRepair(pace, nowMs);
  }
  return at;
}

describe('the pace of repairs', () => {
  it('begins at once, then 10 s apart, then ever rarer up to ten minutes', () => {
    const at = eager(10);
    expect(at.slice(0, 4)).toEqual([0, 10, 30, 70]);
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect(gaps).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600]);
  });

  it('starts over after quiet', () => {
    const pace = afterRepair(afterRepair(undefined, 0), 10_000);
    expect(pace).toEqual({ lastMs: 10_000, spanMs: 20_000, inARow: 2 });
    expect(afterRepair(pace, 75_000)).toEqual({ lastMs: 75_000, spanMs: 10_000, inARow: 1 });
  });
});
